import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { shortestSegmentMs } from './edit-segments.ts';
import type { TimeSpan, Transcript } from './transcript.ts';

/** A new segment takes as much of a gap as this, unless a range was chosen for it. */
const usualLengthMs = 2000;

/**
 * The time of a new segment at a time or in a range: where nobody speaks yet, and `gapMs` before the next segment if that
 * leaves enough of it. Null when there is too little.
 */
export function roomForSegment(transcript: Transcript, place: number | TimeSpan, gapMs = 0): TimeSpan | null {
  const room = freeTimeAt(transcript, place);
  if (room === null) return null;
  const next = transcript.segments.find(({ startMs }) => startMs >= room.endMs);
  const endMs = Math.min(room.endMs, (next?.startMs ?? Infinity) - gapMs);
  return longEnough({ ...room, endMs }) ?? room;
}

function freeTimeAt(transcript: Transcript, place: number | TimeSpan): TimeSpan | null {
  const gaps = gapsOf(transcript);
  if (typeof place !== 'number') {
    const clipped = gaps.map(({ startMs, endMs }) => ({
      startMs: Math.max(startMs, Math.round(place.startMs)),
      endMs: Math.min(endMs, Math.round(place.endMs)),
    }));
    return longEnough(
      clipped.reduce<TimeSpan | null>((most, one) => (lengthOf(one) > lengthOf(most) ? one : most), null),
    );
  }
  const gap = gapAt(transcript, place);
  if (gap === null) return null;
  // So near to the end of the gap that the rest of it is too short, a segment begins a little earlier.
  const startMs = Math.max(gap.startMs, Math.min(Math.round(place), gap.endMs - shortestSegmentMs));
  return longEnough({ startMs, endMs: Math.min(gap.endMs, startMs + usualLengthMs) });
}

/** The stretch around a time in which nobody speaks; null where somebody does. */
export const gapAt = (transcript: Transcript, timeMs: number): TimeSpan | null =>
  gapsOf(transcript).findLast(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs) ?? null;

/** Where the next gap with room for a segment begins, in milliseconds; null when there is none after this time. */
export const nextRoom = (transcript: Transcript, timeMs: number): number | null =>
  gapsOf(transcript).find((gap) => gap.startMs > timeMs && longEnough(gap) !== null)?.startMs ?? null;

/** Inserts an empty segment into a gap (see `roomForSegment`), said by who spoke before it, or else by who speaks after it. */
export function insertSegment(
  transcript: Transcript,
  newId: string,
  wanted: number | TimeSpan,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const room = roomForSegment(transcript, wanted, gapMs);
  if (room === null) return err('no-room');
  const { segments } = transcript;
  const at = segments.findLastIndex(({ startMs }) => startMs <= room.startMs) + 1;
  const speakerId = (segments[at - 1] ?? segments[at])?.speakerId ?? null;
  return ok([{ type: 'splice', at, removed: [], inserted: [{ id: newId, speakerId, ...room, text: '', words: [] }] }]);
}

/** The stretches between segments, before the first one and after the last one, in order. */
function gapsOf({ segments, durationMs }: Transcript): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let saidMs = 0;
  for (const { startMs, endMs } of [...segments, { startMs: durationMs, endMs: durationMs }]) {
    if (startMs > saidMs) gaps.push({ startMs: saidMs, endMs: startMs });
    saidMs = Math.max(saidMs, endMs);
  }
  return gaps;
}

const lengthOf = (span: TimeSpan | null): number => (span === null ? 0 : span.endMs - span.startMs);

const longEnough = (span: TimeSpan | null): TimeSpan | null => (lengthOf(span) >= shortestSegmentMs ? span : null);
