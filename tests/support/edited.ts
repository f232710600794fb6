import { applyChange, type Change, type EditRefusal } from '../../shared/domain/transcript/change.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../shared/result/result.ts';

/** A transcript after a change that must be possible, and what undoes it. */
export function applied(transcript: Transcript, change: Result<Change, EditRefusal>) {
  const made = change.ok ? applyChange(transcript, change.value) : change;
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

export const edited = (transcript: Transcript, change: Result<Change, EditRefusal>): Transcript =>
  applied(transcript, change).transcript;
