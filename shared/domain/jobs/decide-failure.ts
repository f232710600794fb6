import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import { failureRows, isKnownRow } from '../failures/rows.ts';
import type { BlockedBy } from './job-state.ts';

/**
 * Which jobs wait after a failure: only this one, all, or all when the next answer repeats it. One of several machines
 * behind an address may be in trouble, which is no reason to hold back jobs that the others would accept.
 */
export type Holds = 'item' | 'all-if-repeated' | 'all';

/** What a failure means for the queue, whatever the job was doing. */
export type FailurePlan =
  /** Goes on by itself after a while. */
  | { readonly plan: 'wait'; readonly holds: Holds; readonly isThrottled: boolean }
  | { readonly plan: 'block'; readonly by: BlockedBy }
  | { readonly plan: 'look' }
  | { readonly plan: 'ask' }
  | { readonly plan: 'fail' };

/** Rows that stop more than one item, and what unblocks them. Rows not listed here follow `retry` and `scope`. */
const blockedBy: Readonly<Record<string, BlockedBy>> = {
  'E-001': 'offline',
  'E-005': 'service',
  'E-006': 'service',
  'E-008': 'service',
  'E-009': 'service',
  'E-016': 'service',
  'E-032': 'key',
  'E-034': 'credits',
  'E-035': 'credits',
  'E-036': 'credits',
  'E-037': 'permission',
  'E-038': 'permission',
  'E-039': 'service',
  'E-043': 'service',
  'E-059': 'service',
  'E-068': 'key',
  'E-175': 'disk',
  'E-180': 'disk',
  'E-181': 'disk',
  'E-185': 'disk',
  'E-235': 'key',
  'E-250': 'model',
};

/** A single one of these is no proof that others would get the same: a 429 without a time, and the service's 5xx. */
const believedTwice = new Set(['E-053', 'E-057', 'E-058']);

/** Decides once for every failure; `tries` counts the failures in a row before this one. */
export function planFor(failure: Failure, tries: number): FailurePlan {
  const by = blockedBy[failure.row];
  if (by !== undefined) return { plan: 'block', by };
  const maxTries = isKnownRow(failure.row) ? failureRows[failure.row].maxTries : undefined;
  const isServerTrouble = failure.status !== undefined && failure.status >= 500;
  // The service's own trouble never makes the queue give up: everybody only waits (E-018).
  if (maxTries !== undefined && !isServerTrouble) {
    if (tries < maxTries) return { plan: 'wait', holds: 'item', isThrottled: false };
    return failure.scope === 'item' ? { plan: 'ask' } : { plan: 'block', by: 'service' };
  }
  const isThrottled = failure.status === 429 || failure.status === 503;
  switch (failure.retry) {
    case 'same_key':
      if (believedTwice.has(failure.row)) return { plan: 'wait', holds: 'all-if-repeated', isThrottled };
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

/** Whether a block of this kind stops free reads too, or only what costs. */
export const stopsReads = (by: BlockedBy): boolean => by !== 'credits' && by !== 'permission';

/** A model may be missing for one language only, so it holds nobody else back. */
export const stopsOthers = (by: BlockedBy): boolean => by !== 'model';
