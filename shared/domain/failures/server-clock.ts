import { parseHttpDate } from './retry-after.ts';

/**
 * The difference between the server's clock and ours, from the last nine answers. Plain data; replaced with each
 * answer.
 */
export interface ServerClock {
  /** Server minus local, milliseconds, newest last. */
  readonly offsetsMs: readonly number[];
}

const keptAnswers = 9;

export const unknownServerClock: ServerClock = { offsetsMs: [] };

/**
 * Learns from the `Date` of an answer; `sentAtMs` and `receivedAtMs` are local Unix milliseconds. Invalid dates change
 * nothing.
 */
export function observeServerDate(
  clock: ServerClock,
  dateHeader: string | undefined,
  sentAtMs: number,
  receivedAtMs: number,
): ServerClock {
  const date = parseHttpDate(dateHeader ?? '');
  const middle = (sentAtMs + receivedAtMs) / 2;
  if (date === null || !Number.isFinite(middle)) return clock;
  return { offsetsMs: [...clock.offsetsMs, date - middle].slice(-keptAnswers) };
}

/** Our best guess of the server's time, Unix milliseconds: local time plus the median offset. */
export function estimateServerTime(clock: ServerClock, localNowMs: number): number {
  const sorted = clock.offsetsMs.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
  return localNowMs + median;
}
