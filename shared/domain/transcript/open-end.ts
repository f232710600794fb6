import { ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal } from './change.ts';
import { moveEdge, moveEdgeRippling } from './edit-segments.ts';
import type { Transcript } from './transcript.ts';

type Edit = Result<Change, EditRefusal>;

/** There is room until `untilMs`; the transcript lasts as long as what is in it then, and gets no shorter. */
export function editUntil(transcript: Transcript, untilMs: number, edit: (roomy: Transcript) => Edit): Edit {
  if (untilMs <= transcript.durationMs) return edit(transcript);
  const roomy = { ...transcript, durationMs: untilMs };
  const made = edit(roomy);
  const applied = made.ok ? applyChange(roomy, made.value) : made;
  if (!made.ok || !applied.ok) return made;
  const durationMs = applied.value.transcript.segments.reduce((most, { endMs }) => Math.max(most, endMs), 0);
  return durationMs <= transcript.durationMs ? made : ok([{ type: 'duration', durationMs }, ...made.value]);
}

/** How long a transcript is beside a recording of this length: as long, or longer where something is after its end. */
export const lengthBeside = ({ segments, cuts = [] }: Transcript, recordingMs: number): number =>
  [...segments, ...cuts].reduce((most, { endMs }) => Math.max(most, endMs), Math.round(recordingMs));

export interface EdgeMove {
  readonly segmentId: string;
  readonly edge: 'start' | 'end';
  readonly toMs: number;
  readonly isRippling: boolean;
}

/** Moves an edge of a segment as far as there is room, which has no end in a text that never had a recording. */
export function moveEdgeOf(
  transcript: Transcript,
  { segmentId, edge, toMs, isRippling }: EdgeMove,
  isOpenEnded: boolean,
): Edit {
  const move = (now: Transcript) => (isRippling ? moveEdgeRippling : moveEdge)(now, segmentId, edge, toMs);
  const segment = transcript.segments.find(({ id }) => id === segmentId);
  if (!isOpenEnded || segment === undefined) return move(transcript);
  const byMs = toMs - (edge === 'start' ? segment.startMs : segment.endMs);
  return editUntil(transcript, isRippling ? transcript.durationMs + byMs : toMs, move);
}
