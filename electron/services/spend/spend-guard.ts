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

/** Something a page wants done that the service charges for. */
export interface SpendRequest {
  readonly windowId: number;
  /** A person asked for it: by a click or key press that was not used yet, or by giving files just now. */
  readonly isByPerson: boolean;
  readonly estimate: SpendEstimate;
}

export interface SpendGuardOptions {
  readonly settings: SettingsStore;
  readonly now: () => number;
  /** Asks the person by a dialog of the system, which no page can answer. */
  readonly confirm: (windowId: number, question: SpendQuestion) => Promise<boolean>;
  readonly log: Logger;
}

/**
 * The one gate for everything that costs credits (S-15): nothing without user activation, and nothing above the limit
 * of an hour without a yes. Practice costs nothing, but needs user activation all the same.
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
     * E-238: no user activation. False: the person said no, and nothing is to be done. One request at a time, so that a
     * hundred at once can't all be judged by the same hour.
     */
    admit: (request: SpendRequest): Promise<Result<boolean>> => inTurn(() => admit(request, true)),
    /** The same without a question: false where a person would have to be asked, and nothing is counted then. */
    admitWithin: (request: SpendRequest): Promise<Result<boolean>> => inTurn(() => admit(request, false)),
  };
}

export type SpendGuard = ReturnType<typeof createSpendGuard>;
