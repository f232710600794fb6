import type { JobOptions } from '../jobs/job-state.ts';
import type { SpeechLanguage } from '../languages.ts';
import { chargedMs, minuteMs } from '../ledger/expected-cost.ts';

/** `speakers`: transcribe and tell the speakers apart. `listen`: a part of a recording again. */
export type AudioWork = 'transcribe' | 'speakers' | 'isolate' | 'listen';

export const workOf = (job: JobOptions): AudioWork =>
  job.kind === 'transcribe' && job.includeSpeakers ? 'speakers' : job.kind;

/** Speech is charged by the started minutes of each recording, isolation by its length. */
export const stepOf = (work: AudioWork | 'dictate'): number | undefined => (work === 'isolate' ? undefined : minuteMs);

/** A request is measured by what its price depends on, which is known only from earlier ones. */
export interface SpendEstimate {
  readonly requests: number;
  /** Length of the audio to send, milliseconds; unknown lengths are estimated from the file sizes. */
  readonly audioMs: number;
  /** Each is charged by itself, at the rate of what it is sent for. */
  readonly recordings?:
    | readonly {
        readonly work: AudioWork;
        readonly durationMs: number;
        /** That it will be understood in. */
        readonly language?: SpeechLanguage | undefined;
      }[]
    | undefined;
  readonly characters: number;
  /** They are what is charged, so the question names them. */
  readonly isByCharacters?: true;
  /** Of what has no audio, in credits as decimal text; null: not known. */
  readonly price?: { readonly usual: string | null; readonly most: string | null } | undefined;
  readonly isRough: boolean;
}

export interface SpentEntry {
  readonly atMs: number;
  readonly requests: number;
  readonly audioMs: number;
}

/** Minutes of work per hour above which the user is asked first; 0: asked each time; null: never asked. */
export type SpendLimitMinutes = number | null;

export const spendLimits: readonly SpendLimitMinutes[] = [0, 60, 600, 1_440, null];
export const defaultSpendLimit: SpendLimitMinutes = 60;

/** For recordings to isolate: longer ones in total are added as paused, until the user has seen the expected cost. */
export const restsAboveMs = 10 * 60_000;

const hourMs = 3_600_000;
/** What a request without audio counts as: a text to speak or a question is about as much work as this much speech. */
const requestMs = 30_000;
const charactersPerMinute = 900;
/** A second of a usual recording has 16 kB; only for files whose header does not contain the length. */
const bytesPerSecond = 16_000;
const mostEntries = 200;

export const lengthBySize = (sizeBytes: number): number => Math.ceil(sizeBytes / bytesPerSecond) * 1000;

export function weightMs({ requests, audioMs, recordings, characters }: Omit<SpendEstimate, 'isRough'>): number {
  if (audioMs > 0)
    return recordings?.reduce((sum, { work, durationMs }) => sum + chargedMs(durationMs, stepOf(work)), 0) ?? audioMs;
  return characters > 0 ? (characters / charactersPerMinute) * minuteMs : requests * requestMs;
}

export const estimateAudio = (
  work: AudioWork,
  lengthsMs: readonly number[],
  isRough = false,
  language?: SpeechLanguage,
): SpendEstimate => ({
  requests: lengthsMs.length,
  audioMs: lengthsMs.reduce((sum, ms) => sum + ms, 0),
  recordings: lengthsMs.map((durationMs) => ({ work, durationMs, ...(language && { language }) })),
  characters: 0,
  isRough,
});

export const addEstimates = (estimates: readonly SpendEstimate[]): SpendEstimate =>
  estimates.reduce<SpendEstimate>(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      audioMs: sum.audioMs + one.audioMs,
      characters: sum.characters + one.characters,
      ...(one.recordings && { recordings: [...(sum.recordings ?? []), ...one.recordings] }),
      isRough: sum.isRough || one.isRough,
    }),
    { requests: 0, audioMs: 0, characters: 0, isRough: false },
  );

/** The entries of the last hour. A clock that was set back does not make an entry count for ever. */
export const spentInHour = (entries: readonly SpentEntry[], nowMs: number): readonly SpentEntry[] =>
  entries.filter(({ atMs }) => atMs > nowMs - hourMs && atMs <= nowMs + minuteMs);

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
      readonly spentMs: number;
      /** Milliseconds; 0: each time is asked. */
      readonly limitMs: number;
      readonly isUnpriced?: true;
    };

export function judgeSpend(
  limit: SpendLimitMinutes,
  entries: readonly SpentEntry[],
  estimate: SpendEstimate,
  nowMs: number,
  isPriced = true,
): SpendJudgement {
  if (limit === null || estimate.requests === 0) return { tag: 'within' };
  const spentMs = spentInHour(entries, nowMs).reduce((sum, { audioMs }) => sum + audioMs, 0);
  const limitMs = limit * minuteMs;
  if (limit > 0 && !isPriced) return { tag: 'ask', estimate, spentMs, limitMs, isUnpriced: true };
  if (limit > 0 && spentMs + weightMs(estimate) <= limitMs) return { tag: 'within' };
  return { tag: 'ask', estimate, spentMs, limitMs };
}
