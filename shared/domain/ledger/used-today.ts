import { addAmounts, type PaidReport, type PaidState } from './paid-action.ts';

/** The part of a paid action that the sum of a day needs. */
export interface PaidFact {
  readonly state: PaidState;
  readonly report: Pick<PaidReport, 'credits'> | null;
}

/** The usage of this app in a day, as far as the service reported it. */
export interface UsedCredits {
  /** The exact sum of the reported costs, as decimal text. */
  readonly credits: string;
  /** Actions that were or may have been charged. */
  readonly actionCount: number;
  /** Those among them without a reported cost. */
  readonly unreportedCount: number;
}

/**
 * Sums the reported costs; refused or unsent requests cost nothing. Other apps with the same account are not included,
 * because the service offers no balance.
 */
export function sumUsed(actions: readonly PaidFact[]): UsedCredits {
  const charged = actions.filter(({ state }) => state !== 'refused' && state !== 'not-sent');
  const reported = charged.flatMap(({ report }) =>
    report === null || report.credits === null ? [] : [report.credits],
  );
  return {
    credits: addAmounts(reported),
    actionCount: charged.length,
    unreportedCount: charged.length - reported.length,
  };
}

/** The local day of a moment: from midnight to midnight, Unix milliseconds. */
export function dayOf(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const next = new Date(midnight);
  // Where clocks are put forward at midnight, a day begins at one, but the next one at midnight again.
  next.setDate(next.getDate() + 1);
  next.setHours(0, 0, 0, 0);
  return { fromMs: midnight.getTime(), toMs: next.getTime() };
}
