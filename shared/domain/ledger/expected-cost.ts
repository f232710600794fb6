import { estimateByHistory } from './paid-action.ts';

/** What recordings cost before, as far as the service told: credits as decimal text; null where it told nothing. */
export interface CreditRate {
  /** Recordings that it is judged by. */
  readonly sampleCount: number;
  readonly creditsPerHour: string | null;
  /** For recordings that don't tell their length before they are heard; a gigabyte is 10^9 bytes. */
  readonly creditsPerGigabyte: string | null;
}

/** Nothing is known. */
export const noRate: CreditRate = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };

const hourMs = 3_600_000;
const gigabyte = 1_000_000_000;

/** One recording that was transcribed and charged. */
export interface ChargedRecording {
  /** Decimal text. */
  readonly credits: string;
  readonly durationMs: number | null;
  readonly sizeBytes: number | null;
}

/** Learns the rate from what the service charged; both measures are sums over sums, so long recordings weigh more. */
export function learnRate(charged: readonly ChargedRecording[]): CreditRate {
  const by = (unit: number, of: (one: ChargedRecording) => number | null): string | null =>
    estimateByHistory(
      unit,
      charged.map((one) => ({ count: of(one) ?? 0, credits: one.credits })),
    );
  return {
    sampleCount: charged.length,
    creditsPerHour: by(hourMs, ({ durationMs }) => durationMs),
    creditsPerGigabyte: by(gigabyte, ({ sizeBytes }) => sizeBytes),
  };
}

/** What these recordings will probably cost, in credits; null when that can't be said of one of them. */
export function expectedCredits(
  recordings: readonly { readonly durationMs: number | null; readonly sizeBytes: number }[],
  { creditsPerHour, creditsPerGigabyte }: CreditRate,
): number | null {
  let sum = 0;
  for (const { durationMs, sizeBytes } of recordings) {
    if (durationMs !== null && creditsPerHour !== null) sum += (durationMs / hourMs) * Number(creditsPerHour);
    else if (creditsPerGigabyte !== null) sum += (sizeBytes / gigabyte) * Number(creditsPerGigabyte);
    else return null;
  }
  return sum;
}
