/** Limits of a live stream, milliseconds and bytes (reliability E-124, E-146). */
export interface LiveLimits {
  /** From the first packet to the answer of the upgrade. */
  readonly upgradeMs: number;
  readonly pingEveryMs: number;
  /** Nothing at all heard for this long, pings included. */
  readonly silenceMs: number;
  /** What waits to be sent beyond this means that nobody takes it any more. */
  readonly maxUnsentBytes: number;
  readonly maxFrameBytes: number;
  /** Of the answer to a refused upgrade. */
  readonly maxErrorBytes: number;
  /** How long the other side may take to answer our close. */
  readonly closeMs: number;
}

export const defaultLiveLimits: LiveLimits = {
  upgradeMs: 10_000,
  pingEveryMs: 5000,
  silenceMs: 15_000,
  maxUnsentBytes: 1024 * 1024,
  maxFrameBytes: 4 * 1024 * 1024,
  maxErrorBytes: 64 * 1024,
  closeMs: 3000,
};
