import { addAmounts, type PaidReport, type PaidState } from './paid-action.ts';

/** What of a paid action the sum of a day needs. */
export interface PaidFact {
  readonly state: PaidState;
  readonly report: Pick<PaidReport, 'credits'> | null;
}

/** What this app used in a day, as far as the service told. */
export interface UsedCredits {
  /** The exact sum of what was told, as decimal text. */
  readonly credits: string;
  /** Actions that were or may have been charged. */
  readonly actionCount: number;
  /** Those among them of which the service has not told what they cost. */
  readonly unreportedCount: number;
}

/**
 * Adds up what was told; what was refused or never sent cost nothing. Other apps with the same account are not in it:
 * the service gives no balance.
 */
export function sumUsed(actions: readonly PaidFact[]): UsedCredits {
  const charged = actions.filter(({ state }) => state !== 'refused' && state !== 'not-sent');
  const told = charged.flatMap(({ report }) => (report === null || report.credits === null ? [] : [report.credits]));
  return { credits: addAmounts(told), actionCount: charged.length, unreportedCount: charged.length - told.length };
}

/** The day that a moment is in, where this computer is: from its midnight to the next, Unix milliseconds. */
export function dayOf(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const next = new Date(midnight);
  // Where clocks are put forward at midnight a day begins at one, and the next one at midnight all the same.
  next.setDate(next.getDate() + 1);
  next.setHours(0, 0, 0, 0);
  return { fromMs: midnight.getTime(), toMs: next.getTime() };
}
