import type { FailureLayer, FailureOutcome, FailureRetry, FailureScope } from '../../result/failure.ts';
import type { FailureAction } from './actions.ts';

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

/** How a value of `Failure.params` is to be written for a person. */
export type FailureParamKind = 'text' | 'bytes' | 'wait-ms' | 'date-ms';

/** Every name that the words of a row may mention, with the unit its value carries. */
export const failureParamKinds = {
  name: 'text',
  size: 'bytes',
  need: 'bytes',
  free: 'bytes',
  wait: 'wait-ms',
  date: 'date-ms',
  permission: 'text',
  fields: 'text',
  word: 'text',
  suffix: 'text',
} as const satisfies Record<string, FailureParamKind>;

export type FailureParamName = keyof typeof failureParamKinds;
