/** How far the work on a recording is. */
export interface Heard {
  /** 0 to 1 of its audio. */
  readonly share: number;
  /** The newest words. */
  readonly latestText: string;
}

/** The same, as a row shows it. */
export interface HeardView extends Heard {
  /** Milliseconds until the whole recording is heard; null: its length is not known. */
  readonly leftMs: number | null;
  /** The estimate is what computers usually need, because this one has not been measured yet. */
  readonly isUsual: boolean;
}

/** How much of a recording was heard at a moment, in milliseconds of a clock that only grows. */
export interface HeardAt {
  readonly share: number;
  readonly atMs: number;
}

/** Time of work per time of audio: ten minutes an hour. */
const usualFactor = 1 / 6;
/** Less audio than this, in milliseconds, measures nothing. */
const leastHeardMs = 60_000;

/** The time that this computer needs per time of audio; null while too little was heard. */
export function measureFactor(from: HeardAt, to: HeardAt, durationMs: number | null): number | null {
  const heardMs = (to.share - from.share) * (durationMs ?? 0);
  return heardMs >= leastHeardMs ? (to.atMs - from.atMs) / heardMs : null;
}

/** `factor`: what was measured last on this computer; null: nothing yet. */
export function heardView(heard: Heard, durationMs: number | null, factor: number | null): HeardView {
  const leftMs = durationMs === null ? null : (1 - heard.share) * durationMs * (factor ?? usualFactor);
  return { ...heard, leftMs, isUsual: factor === null };
}
