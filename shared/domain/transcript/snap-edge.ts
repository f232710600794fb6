import type { TimeSpan, Transcript } from './transcript.ts';

/** A time to which an edge of a segment snaps when it is dragged near it. */
export interface SnapTarget {
  readonly timeMs: number;
  readonly kind: 'word' | 'neighbour' | 'silence' | 'playhead';
}

/** The nearest target within reach, or null: the edge stays where it was dragged. */
export function snapTo(timeMs: number, targets: readonly SnapTarget[], reachMs: number): SnapTarget | null {
  let nearest: SnapTarget | null = null;
  for (const target of targets) {
    const away = Math.abs(target.timeMs - timeMs);
    if (away <= reachMs && (nearest === null || away < Math.abs(nearest.timeMs - timeMs))) nearest = target;
  }
  return nearest;
}

/** The text's snap targets for an edge of a segment: its own words, and the edges of neighbouring segments. */
export function targetsOf({ segments }: Transcript, at: number): readonly SnapTarget[] {
  const words = (segments[at]?.words ?? []).flatMap(({ startMs, endMs }) => [startMs, endMs]);
  const beside = [segments[at - 1], segments[at + 1]].flatMap((one) =>
    one === undefined ? [] : [one.startMs, one.endMs],
  );
  return [
    ...beside.map((timeMs): SnapTarget => ({ timeMs, kind: 'neighbour' })),
    ...words.map((timeMs): SnapTarget => ({ timeMs, kind: 'word' })),
  ];
}

/** Where silence begins or ends within a span whose loudness is given in equal steps, 0 to 1. */
export function silenceEdges(
  loudness: ArrayLike<number>,
  { startMs, endMs }: TimeSpan,
  silentBelow: number,
): readonly SnapTarget[] {
  const stepMs = (endMs - startMs) / Math.max(1, loudness.length);
  const found: SnapTarget[] = [];
  for (let at = 1; at < loudness.length; at += 1)
    if ((loudness[at - 1] ?? 0) < silentBelow !== (loudness[at] ?? 0) < silentBelow)
      found.push({ timeMs: Math.round(startMs + at * stepMs), kind: 'silence' });
  return found;
}
