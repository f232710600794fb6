import type { FailureLayer, FailureOutcome, FailureRetry, FailureScope } from '../../result/failure.ts';
import type { FailureAction } from './actions.ts';
import type { FailureParamName } from './params.ts';

/** One row of the error table as far as code decides by it. */
export interface FailureRule {
  readonly outcome: FailureOutcome;
  readonly layer: FailureLayer;
  /** What may follow without a person: `same_key` repeats the very same request (a plain read is repeated too). */
  readonly retry: FailureRetry;
  readonly scope: FailureScope;
  readonly actions: readonly FailureAction[];
  /** How often the same request may be repeated by itself; absent: as long as the retry budget lasts. */
  readonly maxTries?: number;
  /** What the full words of the row mention; when one is not known, the plain words are shown. */
  readonly params?: readonly FailureParamName[];
}

const outcomes = { N: 'not_sent', R: 'refused', U: 'unknown', A: 'accepted' } as const;
const retries = { same: 'same_key', look: 'look_first', user: 'wait_user', never: 'never' } as const;

/** A row in one line, in the letters of the table: outcome N, R, U, A; who decides on a repeat; what stops. */
export function rule(
  outcome: keyof typeof outcomes,
  retry: keyof typeof retries,
  scope: FailureScope,
  layer: FailureLayer,
  actions: readonly FailureAction[],
  more: Pick<FailureRule, 'maxTries' | 'params'> = {},
): FailureRule {
  return { outcome: outcomes[outcome], layer, retry: retries[retry], scope, actions, ...more };
}
