import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { WaveformSpan } from '../../../audio/waveform/waveform-view.ts';

export type Edge = 'start' | 'end';

export interface EdgePlace {
  readonly index: number;
  readonly edge: Edge;
}

/** In CSS pixels: how far around an edge it is taken; more at the current segment, where there is room. */
const reachPixels = 5;
const mostReachPixels = 12;
/** Between the edges of a narrower segment there would be no room to begin a selection. */
const leastSegmentPixels = 20;
/** Edges this near to each other are drawn as one line; each is taken on the side of its own segment. */
const sameLinePixels = 0.5;

/** The part of a segment, or of the gap beside it, that an edge takes at most: between two of them a selection can begin. */
const mostShare = 1 / 3;

/** In a narrower gap no selection can begin, so that the edges beside it take all of it. */
const leastGapPixels = 2 * reachPixels;

function besidePixels(segments: readonly Segment[], { index, edge }: EdgePlace, perMs: number): number {
  const [segment, other] = [segments[index], segments[edge === 'end' ? index + 1 : index - 1]];
  if (segment === undefined) return Infinity;
  if (other === undefined) return edge === 'end' ? Infinity : segment.startMs * perMs;
  const gapMs = edge === 'end' ? other.startMs - segment.endMs : segment.startMs - other.endMs;
  // Where two people speak at once, there is no border between them.
  if (gapMs < 0) return Infinity;
  if (gapMs === 0) return (other.endMs - other.startMs) * perMs;
  return gapMs * perMs < leastGapPixels ? Infinity : gapMs * perMs;
}

/** The nearest edge wins, and its reach ends where another one is nearer. `lane`: in CSS pixels. */
export function edgeAt(
  segments: readonly Segment[],
  { fromMs, toMs }: WaveformSpan,
  lane: { readonly width: number; readonly x: number },
  current: number,
): EdgePlace | null {
  const perMs = lane.width / (toMs - fromMs);
  const slackMs = mostReachPixels / perMs;
  let nearest: (EdgePlace & { readonly away: number; readonly isOnOwnSide: boolean }) | null = null;
  for (const [index, { startMs, endMs }] of segments.entries()) {
    if (startMs > toMs + slackMs) break;
    const width = (endMs - startMs) * perMs;
    const isCurrent = index === current;
    if (endMs < fromMs - slackMs || (!isCurrent && width < leastSegmentPixels)) continue;
    const reach = isCurrent ? Math.min(mostReachPixels, Math.max(reachPixels, width / 4)) : reachPixels;
    for (const edge of ['start', 'end'] as const) {
      const right = lane.x - ((edge === 'start' ? startMs : endMs) - fromMs) * perMs;
      const away = Math.abs(right);
      const isOnOwnSide = edge === 'start' ? right >= 0 : right < 0;
      const nearer = nearest === null ? Infinity : nearest.away - away;
      if (nearer <= sameLinePixels && !(nearer > -sameLinePixels && isOnOwnSide && nearest?.isOnOwnSide === false))
        continue;
      const room = isOnOwnSide ? width : besidePixels(segments, { index, edge }, perMs);
      // One that is nearer but out of its own reach takes nothing from another.
      if (away <= Math.min(reach, room * mostShare)) nearest = { index, edge, away, isOnOwnSide };
    }
  }
  return nearest === null ? null : { index: nearest.index, edge: nearest.edge };
}

/** Two captions in a row are often this far apart. */
const mostSharedMs = 200;

/** Whether an edge and the one of its neighbour look like one, and are dragged together. */
export function isSharedEdge(
  segments: readonly Segment[],
  { index, edge }: EdgePlace,
  { fromMs, toMs }: WaveformSpan,
  width: number,
): boolean {
  const [first, second] = [segments[edge === 'end' ? index : index - 1], segments[edge === 'end' ? index + 1 : index]];
  if (first === undefined || second === undefined) return false;
  const gapMs = second.startMs - first.endMs;
  return gapMs >= 0 && gapMs <= mostSharedMs && (gapMs * width) / (toMs - fromMs) < leastGapPixels;
}

/** A shorter segment is a hairline, whose edges can hardly be taken again. */
const leastDraggedMs = 300;

/** A dragged edge leaves this much of its segment. `isShared`: that of the neighbour is dragged along. */
export function draggedTo(
  segments: readonly Segment[],
  { index, edge }: EdgePlace,
  toMs: number,
  isShared: boolean,
): number {
  const ending = segments[edge === 'end' ? index : index - 1];
  const beginning = segments[edge === 'end' ? index + 1 : index];
  // What is between two edges that are dragged together stays.
  const betweenMs = isShared && ending !== undefined && beginning !== undefined ? beginning.startMs - ending.endMs : 0;
  const least = edge === 'end' || isShared ? ending && Math.min(ending.endMs, ending.startMs + leastDraggedMs) : null;
  const most =
    edge === 'start' || isShared ? beginning && Math.max(beginning.startMs, beginning.endMs - leastDraggedMs) : null;
  return Math.max(
    (least ?? 0) + (edge === 'start' ? betweenMs : 0),
    Math.min((most ?? Infinity) - (edge === 'end' ? betweenMs : 0), toMs),
  );
}
