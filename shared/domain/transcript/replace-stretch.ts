import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { deleteSegments, mergeSegments, replaceText } from './edit-segments.ts';
import type { Transcript } from './transcript.ts';

/** A place in the text of a segment, in UTF-16 offsets. */
export interface TextPlace {
  readonly segmentId: string;
  readonly offset: number;
}

/**
 * Replaces everything between two places, as in a continuous text: the remains of the first and the last segment are
 * joined when they have the same speaker, and an empty segment is removed.
 */
export function replaceStretch(
  transcript: Transcript,
  from: TextPlace,
  to: TextPlace,
  inserted: string,
): Result<Change, EditRefusal> {
  const { segments } = transcript;
  const first = segments.findIndex(({ id }) => id === from.segmentId);
  const last = segments.findIndex(({ id }) => id === to.segmentId);
  const [head, tail] = [segments[first], segments[last]];
  if (head === undefined || tail === undefined || last < first) return err('unknown-segment');
  const before = head.text.slice(0, from.offset) + inserted;
  const after = tail.text.slice(to.offset);
  if (first === last) return replaceText(transcript, head.id, before + after);
  const staysHead = before.trim() !== '';
  const staysTail = after.trim() !== '';
  const gone = segments.slice(first + Number(staysHead), last + Number(!staysTail)).map(({ id }) => id);
  return inTurn(transcript, [
    (now) => (staysHead ? replaceText(now, head.id, before) : ok([])),
    (now) => (staysTail ? replaceText(now, tail.id, after) : ok([])),
    (now) => (gone.length > 0 ? deleteSegments(now, new Set(gone)) : ok([])),
    (now) =>
      staysHead && staysTail && head.speakerId === tail.speakerId ? mergeSegments(now, head.id, tail.id) : ok([]),
  ]);
}

/** Replaces what is written at a place, if it still stands there. */
export function replaceWritten(
  transcript: Transcript,
  { segmentId, offset }: TextPlace,
  written: string,
  typed: string,
): Result<Change, EditRefusal> {
  const segment = transcript.segments.find(({ id }) => id === segmentId);
  if (segment === undefined) return err('unknown-segment');
  const to = offset + written.length;
  if (segment.text.slice(offset, to) !== written) return err('nothing-to-change');
  return replaceText(transcript, segmentId, segment.text.slice(0, offset) + typed + segment.text.slice(to));
}

type Operation = (transcript: Transcript) => Result<Change, EditRefusal>;

/** Applies operations in order as one change; one without effect is skipped. */
function inTurn(transcript: Transcript, operations: readonly Operation[]): Result<Change, EditRefusal> {
  let now = transcript;
  const steps: Change[] = [];
  for (const operate of operations) {
    const change = operate(now);
    if (!change.ok && change.error === 'nothing-to-change') continue;
    if (!change.ok) return change;
    const applied = applyChange(now, change.value);
    if (!applied.ok) return applied;
    now = applied.value.transcript;
    steps.push(change.value);
  }
  const joined = steps.flat();
  return joined.length === 0 ? err('nothing-to-change') : ok(joined);
}
