import type { HeardSpan } from '../exports/exporter.ts';
import { spansOutside } from '../transcript/edit-marks.ts';
import type { TimeSpan } from '../transcript/transcript.ts';

/** Times are those of the recording. */
export interface Picture {
  readonly atMs: number;
  readonly isKey: boolean;
}

/** A part of a video that can be copied. `from` and `to` are places in the order of decoding; `to` is not in it. */
export interface VideoPiece extends TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Times are rounded to milliseconds, by the text and by some containers. */
const toleranceMs = 1;

/** A picture that is shown for longer, as of a still screen, ends with the span. */
const longestHeldMs = 100;

/**
 * The pieces that hold all of the spans, which are ordered and disjoint. Each begins at a key frame, and ends where no
 * picture in it needs one that is left out. Spans without a key frame between them are one piece. `endMs`: of the video.
 */
export function planPieces(
  pictures: readonly Picture[],
  spans: readonly TimeSpan[],
  endMs: number,
): readonly VideoPiece[] {
  // In the order of decoding, a picture may come before one that is shown earlier.
  const earliestFrom: number[] = Array.from({ length: pictures.length + 1 }, () => Infinity);
  for (let at = pictures.length - 1; at >= 0; at -= 1)
    earliestFrom[at] = Math.min(earliestFrom[at + 1] ?? Infinity, pictures[at]?.atMs ?? Infinity);
  const keys = pictures.flatMap(({ isKey }, at) => (isKey ? at : []));
  const timeOf = (at: number): number => pictures[at]?.atMs ?? Infinity;
  const pieces: VideoPiece[] = [];
  for (const span of spans) {
    const key = keys.findLast((at) => timeOf(at) <= span.startMs + toleranceMs / 2);
    const from = key ?? keys[0] ?? 0;
    const startMs = key === undefined ? span.startMs : timeOf(key);
    let latest = -Infinity;
    let to = from;
    for (; to < pictures.length; to += 1) {
      const next = earliestFrom[to] ?? Infinity;
      if (next >= span.endMs - toleranceMs && next > latest) break;
      latest = Math.max(latest, timeOf(to));
    }
    const nextMs = earliestFrom[to] ?? Infinity;
    const isHeld = latest < span.endMs && nextMs > span.endMs + longestHeldMs;
    const end = isHeld ? span.endMs : Math.min(nextMs, endMs);
    const last = pieces.at(-1);
    if (last === undefined || from >= last.to) pieces.push({ startMs, endMs: end, from, to });
    else pieces[pieces.length - 1] = { ...last, endMs: Math.max(last.endMs, end), to: Math.max(last.to, to) };
  }
  return pieces;
}

export const lengthOf = (spans: readonly TimeSpan[], endMs: number): number =>
  spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.endMs, endMs) - span.startMs), 0);

/** What is heard in pieces, part by part. `covered` is ordered and disjoint. */
export const heardOf = (pieces: readonly TimeSpan[], covered: readonly HeardSpan[]): readonly HeardSpan[] =>
  pieces.flatMap(({ startMs, endMs }) =>
    [
      ...spansOutside({ startMs, endMs }, covered),
      ...covered.flatMap((span) => {
        const part = { ...span, startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs) };
        return part.endMs > part.startMs ? part : [];
      }),
    ].toSorted((a, b) => a.startMs - b.startMs),
  );
