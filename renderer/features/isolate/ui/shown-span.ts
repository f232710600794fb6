import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';

/** The shortest span; zooming in further would show no more detail, because the peaks have a fixed resolution. */
const leastMs = 250;
const roomShare = 0.1;

const lengthOf = ({ startMs, endMs }: TimeSpan): number => endMs - startMs;

export const seenSpan = (shown: TimeSpan | null, durationMs: number): TimeSpan =>
  shown ?? { startMs: 0, endMs: Math.max(1, durationMs) };

/** A span of this length within the recording; null if it covers everything. */
function placed(startMs: number, lengthMs: number, durationMs: number): TimeSpan | null {
  if (lengthMs >= durationMs) return null;
  const start = Math.max(0, Math.min(durationMs - lengthMs, startMs));
  return { startMs: start, endMs: start + lengthMs };
}

export function zoomed(shown: TimeSpan | null, durationMs: number, factor: number, aroundMs: number): TimeSpan | null {
  const now = seenSpan(shown, durationMs);
  const length = Math.max(Math.min(leastMs, durationMs), lengthOf(now) * factor);
  const around = Math.max(now.startMs, Math.min(now.endMs, aroundMs));
  const share = (around - now.startMs) / lengthOf(now);
  return placed(around - share * length, length, durationMs);
}

export const moved = (shown: TimeSpan | null, durationMs: number, startMs: number): TimeSpan | null =>
  shown === null ? null : placed(startMs, lengthOf(shown), durationMs);

export function around(span: TimeSpan, durationMs: number): TimeSpan | null {
  const length = Math.max(Math.min(leastMs, durationMs), lengthOf(span) * (1 + 2 * roomShare));
  return placed((span.startMs + span.endMs) / 2 - length / 2, length, durationMs);
}

/** Turns the page if the moment is not visible, so that it appears at the left edge. */
export function following(shown: TimeSpan | null, durationMs: number, timeMs: number): TimeSpan | null {
  if (shown === null || (timeMs >= shown.startMs && timeMs <= shown.endMs)) return shown;
  return moved(shown, durationMs, timeMs - roomShare * lengthOf(shown));
}
