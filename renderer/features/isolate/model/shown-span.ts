import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';

/** Nearer than this there is nothing more to see: peaks have so many buckets. */
const leastMs = 250;
/** Room on each side of a stretch that is brought into view. */
const roomShare = 0.1;

const lengthOf = ({ startMs, endMs }: TimeSpan): number => endMs - startMs;

/** What is seen of a recording: a stretch of it, or all of it. */
export const seenSpan = (shown: TimeSpan | null, durationMs: number): TimeSpan =>
  shown ?? { startMs: 0, endMs: Math.max(1, durationMs) };

/** A stretch of this length that begins there, as near as the ends of the recording allow; null when that is all of it. */
function placed(startMs: number, lengthMs: number, durationMs: number): TimeSpan | null {
  if (lengthMs >= durationMs) return null;
  const start = Math.max(0, Math.min(durationMs - lengthMs, startMs));
  return { startMs: start, endMs: start + lengthMs };
}

/** Seen nearer (`factor` below 1) or from further away; `aroundMs` stays where it is. */
export function zoomed(shown: TimeSpan | null, durationMs: number, factor: number, aroundMs: number): TimeSpan | null {
  const now = seenSpan(shown, durationMs);
  const length = Math.max(Math.min(leastMs, durationMs), lengthOf(now) * factor);
  const around = Math.max(now.startMs, Math.min(now.endMs, aroundMs));
  const share = (around - now.startMs) / lengthOf(now);
  return placed(around - share * length, length, durationMs);
}

/** The same length from another moment on. */
export const moved = (shown: TimeSpan | null, durationMs: number, startMs: number): TimeSpan | null =>
  shown === null ? null : placed(startMs, lengthOf(shown), durationMs);

/** A stretch with a little room on both sides. */
export function around(span: TimeSpan, durationMs: number): TimeSpan | null {
  const length = Math.max(Math.min(leastMs, durationMs), lengthOf(span) * (1 + 2 * roomShare));
  return placed((span.startMs + span.endMs) / 2 - length / 2, length, durationMs);
}

/** The page that a moment is on: where it is not seen, it comes to the left. */
export function following(shown: TimeSpan | null, durationMs: number, timeMs: number): TimeSpan | null {
  if (shown === null || (timeMs >= shown.startMs && timeMs <= shown.endMs)) return shown;
  return moved(shown, durationMs, timeMs - roomShare * lengthOf(shown));
}
