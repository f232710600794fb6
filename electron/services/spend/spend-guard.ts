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
export interface SpendWish {
  readonly windowId: number;
  /** A hand asked for it: its own gesture, or files that were just given. */
  readonly isByHand: boolean;
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
 * The one gate for everything that costs credits (S-15): nothing without a hand, and nothing above the limit of an
 * hour without a yes. Practice costs nothing, but needs the hand all the same.
 */
export function createSpendGuard({ settings, now, confirm, log }: SpendGuardOptions) {
  let last: Promise<unknown> = Promise.resolve();

  const admit = async ({ windowId, isByHand, estimate }: SpendWish, mayAsk: boolean): Promise<Result<boolean>> => {
    if (!isByHand) {
      log.write({ event: 'spend-refused', level: 'warn', row: 'E-238' });
      return err(makeFailure('E-238', { code: 'no_gesture' }));
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
     * E-238: no hand. False: the person said no, and nothing is to be done. One wish at a time, so that a hundred at
     * once can't all be judged by the same hour.
     */
    admit: (wish: SpendWish): Promise<Result<boolean>> => inTurn(() => admit(wish, true)),
    /** The same without a question: false where a person would have to be asked, and nothing is counted then. */
    admitWithin: (wish: SpendWish): Promise<Result<boolean>> => inTurn(() => admit(wish, false)),
  };
}

export type SpendGuard = ReturnType<typeof createSpendGuard>;
