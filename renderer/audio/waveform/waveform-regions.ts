/** Ordered by start. */
export interface WaveformRegion {
  readonly startMs: number;
  readonly endMs: number;
  /** 1 to 8: index of the speaker's colour; 0 when speakers are not distinguished. */
  readonly colour: number;
  readonly label: string;
  readonly isBeginning?: boolean;
  readonly initials: string;
}

export interface RegionIndex {
  readonly regions: readonly WaveformRegion[];
  /** The latest end of this region and all before it: monotonic, so it can be searched. */
  readonly latestEnd: Float64Array;
}

export function indexRegions(regions: readonly WaveformRegion[]): RegionIndex {
  const latestEnd = new Float64Array(regions.length);
  let latest = 0;
  for (const [i, region] of regions.entries()) {
    latest = Math.max(latest, region.endMs);
    latestEnd[i] = latest;
  }
  return { regions, latestEnd };
}

/** Possibly a few too many, never one too few. */
export function regionsBetween(
  { regions, latestEnd }: RegionIndex,
  fromMs: number,
  toMs: number,
): readonly [number, number] {
  const from = firstWhere(regions.length, (i) => (latestEnd[i] ?? 0) > fromMs);
  const to = firstWhere(regions.length, (i) => (regions[i]?.startMs ?? 0) >= toMs);
  return [from, Math.max(from, to)];
}

/** -1 for none; where two overlap, the one that began later is on top. */
export function regionOfColumns(index: RegionIndex, fromMs: number, toMs: number, columns: number): Int32Array {
  const owners = new Int32Array(columns).fill(-1);
  const perMs = columns / (toMs - fromMs);
  const [first, last] = regionsBetween(index, fromMs, toMs);
  for (let i = first; i < last; i += 1) {
    const region = index.regions[i];
    if (region === undefined) continue;
    const start = Math.max(0, Math.round((region.startMs - fromMs) * perMs));
    const end = Math.min(columns, Math.max(start + 1, Math.round((region.endMs - fromMs) * perMs)));
    owners.fill(i, start, end);
  }
  return owners;
}

function firstWhere(length: number, isTrue: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
