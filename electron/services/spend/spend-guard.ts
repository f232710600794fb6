import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import {
  judgeSpend,
  withSpent,
  type SpendEstimate,
  type SpendJudgement,
} from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

export type SpendQuestion = Extract<SpendJudgement, { readonly tag: 'ask' }>;

/** An action of a page that the service charges for. */
export interface SpendRequest {
  readonly windowId: number;
  /** There was a click or key press that has not been used yet, or the user has just chosen files. */
  readonly isByPerson: boolean;
  readonly estimate: SpendEstimate;
}

export interface SpendGuardOptions {
  readonly settings: SettingsStore;
  readonly now: () => number;
  /** Asks the user in a system dialog, which no page can answer. */
  readonly confirm: (windowId: number, question: SpendQuestion) => Promise<boolean>;
  readonly log: Logger;
}

/**
 * The only gate for everything that costs credits (S-15): nothing without user activation, and nothing above the hourly
 * limit without consent. Practice costs nothing, but needs user activation too.
 */
export function createSpendGuard({ settings, now, confirm, log }: SpendGuardOptions) {
  let last: Promise<unknown> = Promise.resolve();

  const admit = async ({ windowId, isByPerson, estimate }: SpendRequest, mayAsk: boolean): Promise<Result<boolean>> => {
    if (!isByPerson) {
      log.write({ event: 'spend-refused', level: 'warn', row: 'E-238' });
      return err(makeFailure('E-238', { code: 'no_user_activation' }));
    }
    const { mode, spendLimitMinutes, spentLately } = settings.get();
    if (mode !== 'service') return ok(true);
    const judged = judgeSpend(spendLimitMinutes, spentLately, estimate, now());
    if (judged.tag === 'ask' && !mayAsk) return ok(false);
    if (judged.tag === 'ask' && !(await confirm(windowId, judged))) {
      log.write({ event: 'spend-declined' });
      return ok(false);
    }
    settings.update({ spentLately: withSpent(settings.get().spentLately, estimate, now()) });
    return ok(true);
  };

  const inTurn = (ask: () => Promise<Result<boolean>>): Promise<Result<boolean>> => {
    const admitted = last.then(ask);
    last = admitted.catch(() => undefined);
    return admitted;
  };

  return {
    /**
     * E-238: no user activation. False: the user declined. One request at a time, so that a hundred at once can't all
     * be judged by the same hour.
     */
    admit: (request: SpendRequest): Promise<Result<boolean>> => inTurn(() => admit(request, true)),
    /** The same without asking: false where the user would have to be asked, and nothing is counted then. */
    admitWithin: (request: SpendRequest): Promise<Result<boolean>> => inTurn(() => admit(request, false)),
  };
}

/**
 * Counts a request at a moment when the user can't be asked: a model writes during dictation, as the user chose earlier.
 * False above the hourly limit, and nothing is counted then.
 */
export function admitUnasked(settings: SettingsStore, estimate: SpendEstimate, nowMs: number): boolean {
  const { mode, spendLimitMinutes, spentLately } = settings.get();
  if (mode !== 'service') return true;
  if (judgeSpend(spendLimitMinutes, spentLately, estimate, nowMs).tag === 'ask') return false;
  settings.update({ spentLately: withSpent(spentLately, estimate, nowMs) });
  return true;
}

export type SpendGuard = ReturnType<typeof createSpendGuard>;
