import type { TimeSpan, Transcript } from './transcript.ts';

/** How many silences are cut in `after` that were not, or not like this, and how many are no longer cut. */
export function compareCuts(
  { cuts: before = [] }: Transcript,
  { cuts: after = [] }: Transcript,
): { readonly cutCount: number; readonly uncutCount: number } {
  const isSame = (one: TimeSpan) => (other: TimeSpan) => one.startMs === other.startMs && one.endMs === other.endMs;
  const meets = (one: TimeSpan) => (other: TimeSpan) => one.startMs < other.endMs && one.endMs > other.startMs;
  return {
    cutCount: after.filter((span) => !before.some(isSame(span))).length,
    uncutCount: before.filter((span) => !after.some(meets(span))).length,
  };
}
