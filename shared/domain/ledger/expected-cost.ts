import { estimateByHistory } from './paid-action.ts';

/** As far as the service reported it, credits as decimal text; null where it reported nothing. */
export interface CreditRate {
  readonly sampleCount: number;
  readonly creditsPerHour: string | null;
  /** For recordings whose length is not known in advance; a gigabyte is 10^9 bytes. */
  readonly creditsPerGigabyte: string | null;
  /** Each recording is charged as if it ended with a step of this many milliseconds; exactly by its length without. */
  readonly stepMs?: number | undefined;
}

/** Speech is metered by minutes: a short recording costs as much as a minute. */
export const minuteMs = 60_000;
export const chargedMs = (durationMs: number, stepMs = 1): number => Math.ceil(durationMs / stepMs) * stepMs;
export const startedMinutesMs = (durationMs: number): number => chargedMs(durationMs, minuteMs);

export const noRate: CreditRate = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };

const hourMs = 3_600_000;
const gigabyte = 1_000_000_000;

export interface ChargedRecording {
  readonly credits: string;
  readonly durationMs: number | null;
  readonly sizeBytes: number | null;
}

export function learnRate(charged: readonly ChargedRecording[], stepMs?: number): CreditRate {
  const by = (unit: number, of: (one: ChargedRecording) => number | null): string | null =>
    estimateByHistory(
      unit,
      charged.map((one) => ({ count: of(one) ?? 0, credits: one.credits })),
    );
  return {
    sampleCount: charged.length,
    creditsPerHour: by(hourMs, ({ durationMs }) => durationMs && chargedMs(durationMs, stepMs)),
    creditsPerGigabyte: by(gigabyte, ({ sizeBytes }) => sizeBytes),
    ...(stepMs !== undefined && { stepMs }),
  };
}

export function expectedCredits(
  recordings: readonly { readonly durationMs: number | null; readonly sizeBytes: number }[],
  { creditsPerHour, creditsPerGigabyte, stepMs }: CreditRate,
): number | null {
  let sum = 0;
  for (const { durationMs, sizeBytes } of recordings) {
    if (durationMs !== null && creditsPerHour !== null)
      sum += (chargedMs(durationMs, stepMs) / hourMs) * Number(creditsPerHour);
    else if (creditsPerGigabyte !== null) sum += (sizeBytes / gigabyte) * Number(creditsPerGigabyte);
    else return null;
  }
  return sum;
}
