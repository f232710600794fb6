import type { FailureLayer, FailureOutcome, FailureRetry, FailureScope } from '../../result/failure.ts';
import type { FailureAction } from './actions.ts';

/** What must change before a blocked job may continue. */
export type BlockedBy = 'offline' | 'key' | 'credits' | 'permission' | 'disk' | 'service' | 'model';

/** One row of the error table, with the columns that code depends on. */
export interface FailureRule {
  readonly outcome: FailureOutcome;
  readonly layer: FailureLayer;
  /** What may happen without the user: `same_key` repeats the identical request (a plain read is repeated too). */
  readonly retry: FailureRetry;
  readonly scope: FailureScope;
  readonly actions: readonly FailureAction[];
  /** How often the same request may be retried automatically; absent: as long as the retry budget lasts. */
  readonly maxTries?: number;
  /** What stops more than one item, where `retry` and `scope` do not say it. */
  readonly blocks?: BlockedBy;
  /** The values in the detailed text of the kind; when one is not known, the plain text is shown. */
  readonly params?: readonly FailureParamName[];
}

const outcomes = { N: 'not_sent', R: 'refused', U: 'unknown', A: 'accepted' } as const;
const retries = { same: 'same_key', look: 'look_first', user: 'wait_user', never: 'never' } as const;

/** A row in one line, with the letters of the table: outcome N, R, U, A; who decides on a repeat; what stops. */
export function rule(
  outcome: keyof typeof outcomes,
  retry: keyof typeof retries,
  scope: FailureScope,
  layer: FailureLayer,
  actions: readonly FailureAction[],
  more: Pick<FailureRule, 'maxTries' | 'blocks' | 'params'> = {},
): FailureRule {
  return { outcome: outcomes[outcome], layer, retry: retries[retry], scope, actions, ...more };
}

/** How a value of `Failure.params` is formatted. */
export type FailureParamKind = 'text' | 'bytes' | 'wait-ms' | 'date-ms';

/** Every value that the text of a kind may contain, with its unit. */
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
