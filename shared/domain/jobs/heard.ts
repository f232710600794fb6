export interface Heard {
  readonly share: number;
  readonly latestText: string;
}

export interface HeardView extends Heard {
  readonly leftMs: number | null;
  /** The estimate is what computers usually need, because this one has not been measured yet. */
  readonly isUsual: boolean;
}

/** How much of a recording was heard at a moment, in milliseconds of a clock that only grows. */
export interface HeardAt {
  readonly share: number;
  readonly atMs: number;
}

const usualFactor = 1 / 6;
const leastHeardMs = 60_000;

export function measureFactor(from: HeardAt, to: HeardAt, durationMs: number | null): number | null {
  const heardMs = (to.share - from.share) * (durationMs ?? 0);
  return heardMs >= leastHeardMs ? (to.atMs - from.atMs) / heardMs : null;
}

export function heardView(heard: Heard, durationMs: number | null, factor: number | null): HeardView {
  const leftMs = durationMs === null ? null : (1 - heard.share) * durationMs * (factor ?? usualFactor);
  return { ...heard, leftMs, isUsual: factor === null };
}
