import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import type { BlockedBy, FailureRule } from '../failures/row.ts';
import { failureRows, isFailureKind } from '../failures/rows.ts';

type FailurePlan =
  /** One of several machines behind an address may be in trouble while the others would accept jobs. */
  | { readonly plan: 'wait'; readonly holds: 'item' | 'all-if-repeated' | 'all'; readonly isThrottled: boolean }
  | { readonly plan: 'block'; readonly by: BlockedBy }
  | { readonly plan: 'look' }
  | { readonly plan: 'ask' }
  | { readonly plan: 'fail' };

/** A single one of these is no proof that others would get the same: a 429 without a time, and the service's 5xx. */
const believedTwice = new Set(['rate-limited', 'gateway-error', 'product-unavailable']);

/** Decides once for every failure; `tries` counts the failures in a row before this one. */
export function planFor(failure: Failure, tries: number): FailurePlan {
  const { blocks: by, maxTries }: Partial<FailureRule> = isFailureKind(failure.kind) ? failureRows[failure.kind] : {};
  if (by !== undefined) return { plan: 'block', by };
  const isServerTrouble = failure.status !== undefined && failure.status >= 500;
  // The service's own trouble never makes the queue give up: everybody only waits (service-troubled).
  if (maxTries !== undefined && !isServerTrouble) {
    if (tries < maxTries) return { plan: 'wait', holds: 'item', isThrottled: false };
    return failure.scope === 'item' ? { plan: 'ask' } : { plan: 'block', by: 'service' };
  }
  const isThrottled = failure.status === 429 || failure.status === 503;
  switch (failure.retry) {
    case 'same_key':
      if (believedTwice.has(failure.kind)) return { plan: 'wait', holds: 'all-if-repeated', isThrottled };
      return {
        plan: 'wait',
        holds:
          isThrottled || failure.scope !== 'item' || (maxTries !== undefined && tries >= maxTries) ? 'all' : 'item',
        isThrottled,
      };
    case 'look_first':
      return { plan: 'look' };
    case 'wait_user':
      if (isThrottled) return { plan: 'wait', holds: 'all', isThrottled };
      return failure.scope === 'item' ? { plan: 'ask' } : { plan: 'block', by: 'service' };
    case 'never':
      return failure.scope === 'item' ? { plan: 'fail' } : { plan: 'block', by: 'service' };
    default:
      return assertNever(failure.retry);
  }
}

export const stopsReads = (by: BlockedBy): boolean => by !== 'credits' && by !== 'permission';

/** A model may be missing for one language only, so it holds nobody else back. */
export const stopsOthers = (by: BlockedBy): boolean => by !== 'model';
