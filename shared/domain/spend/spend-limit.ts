/**
 * What one request would send to be charged. Prices are not told beforehand, so it is measured by what they depend on:
 * how many requests, how much sound, how many characters.
 */
export interface SpendEstimate {
  readonly requests: number;
  /** Length of the sound to send, milliseconds; what is not known is estimated from the size of the files. */
  readonly audioMs: number;
  readonly characters: number;
  /** Some of `audioMs` was judged by size, not read from a header. */
  readonly isRough: boolean;
}

/** What was let through at one time. */
export interface SpentEntry {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly requests: number;
  readonly audioMs: number;
}

/** Minutes of work in an hour above which a person is asked first; 0: asked each time; null: never asked. */
export type SpendLimitMinutes = number | null;

/** The choices that the settings offer, in minutes; null is "never ask". */
export const spendLimits: readonly SpendLimitMinutes[] = [0, 60, 600, 1_440, null];
export const defaultSpendLimit: SpendLimitMinutes = 600;

/** Of recordings to isolate: what is longer together rests until a person has seen what it is about to cost. */
export const restsAboveMs = 10 * 60_000;

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** What a request without sound counts for: a text to speak or a question is about as much work as this much speech. */
const requestMs = 30_000;
const charactersPerMinute = 900;
/** 16 kB of a usual recording are a second; only for files whose header does not tell. */
const bytesPerSecond = 16_000;
const mostEntries = 200;

/** The length of a recording that does not tell its own. */
export const lengthBySize = (sizeBytes: number): number => Math.ceil(sizeBytes / bytesPerSecond) * 1000;

/** One measure for all products: minutes of sound, and what the rest is like. */
export function weightMs({ requests, audioMs, characters }: Omit<SpendEstimate, 'isRough'>): number {
  if (audioMs > 0) return audioMs;
  return characters > 0 ? (characters / charactersPerMinute) * minuteMs : requests * requestMs;
}

/** Sums of what several requests would send. */
export const addEstimates = (estimates: readonly SpendEstimate[]): SpendEstimate =>
  estimates.reduce<SpendEstimate>(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      audioMs: sum.audioMs + one.audioMs,
      characters: sum.characters + one.characters,
      isRough: sum.isRough || one.isRough,
    }),
    { requests: 0, audioMs: 0, characters: 0, isRough: false },
  );

/** What counts still: the last hour. A clock that was set back does not make an entry count for ever. */
export const spentInHour = (entries: readonly SpentEntry[], nowMs: number): readonly SpentEntry[] =>
  entries.filter(({ atMs }) => atMs > nowMs - hourMs && atMs <= nowMs + minuteMs);

/** The entries with one more, and without those that no longer count; entries of the same minute are one. */
export function withSpent(entries: readonly SpentEntry[], spent: SpendEstimate, nowMs: number): readonly SpentEntry[] {
  const recent = spentInHour(entries, nowMs);
  const last = recent.at(-1);
  const added = { requests: spent.requests, audioMs: weightMs(spent) };
  const isSameMinute = last !== undefined && nowMs - last.atMs < minuteMs && nowMs >= last.atMs;
  const next = isSameMinute
    ? [
        ...recent.slice(0, -1),
        { atMs: last.atMs, requests: last.requests + added.requests, audioMs: last.audioMs + added.audioMs },
      ]
    : [...recent, { atMs: nowMs, ...added }];
  return next.slice(-mostEntries);
}

export type SpendJudgement =
  | { readonly tag: 'within' }
  | {
      readonly tag: 'ask';
      readonly estimate: SpendEstimate;
      /** What was let through in the last hour, milliseconds of work. */
      readonly spentMs: number;
      /** Milliseconds; 0: each time is asked. */
      readonly limitMs: number;
    };

/** Whether a request may go on without a question. What is free never asks. */
export function judgeSpend(
  limit: SpendLimitMinutes,
  entries: readonly SpentEntry[],
  estimate: SpendEstimate,
  nowMs: number,
): SpendJudgement {
  if (limit === null || estimate.requests === 0) return { tag: 'within' };
  const spentMs = spentInHour(entries, nowMs).reduce((sum, { audioMs }) => sum + audioMs, 0);
  const limitMs = limit * minuteMs;
  if (limit > 0 && spentMs + weightMs(estimate) <= limitMs) return { tag: 'within' };
  return { tag: 'ask', estimate, spentMs, limitMs };
}
