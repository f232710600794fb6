import type { TimeSpan, Transcript } from './transcript.ts';

export interface SnapTarget {
  readonly timeMs: number;
  readonly kind: 'word' | 'neighbour' | 'gap' | 'silence' | 'playhead';
}

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

/** Null where the edge is not that near to the gap, or would cut a word off. */
export function snapToGap(
  timeMs: number,
  { segments }: Pick<Transcript, 'segments'>,
  { at, edge, gapMs, reachMs }: GapPlace,
): SnapTarget | null {
  const [segment, beside] = [segments[at], segments[edge === 'end' ? at + 1 : at - 1]];
  if (segment === undefined || beside === undefined || gapMs <= 0) return null;
  const [sign, besideMs] = edge === 'end' ? [1, beside.startMs] : [-1, beside.endMs];
  const placeMs = besideMs - sign * gapMs;
  const edges = segment.words.map((word) => (edge === 'end' ? word.endMs : word.startMs));
  const keeps = [edge === 'end' ? segment.startMs + 1 : segment.endMs - 1, ...edges];
  const isNear = sign * (timeMs - placeMs) >= -reachMs;
  return isNear && keeps.every((ms) => sign * (placeMs - ms) >= 0) ? { timeMs: placeMs, kind: 'gap' } : null;
}

interface GapPlace {
  readonly at: number;
  readonly edge: 'start' | 'end';
  readonly gapMs: number;
  readonly reachMs: number;
}

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
