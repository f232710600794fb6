import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { mayPassLater } from './ending.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { ServiceSession } from '../workspace/workspace.ts';
import type { OpenWish } from '../services/account/ledger.ts';

export interface Wishing {
  readonly wish: OpenWish;
  /** Opened by this run: no earlier attempt is unaccounted for. */
  readonly isNew: boolean;
}

/** The service is taken to remember a key this long (reliability 6); after it a repeat might be charged again. */
const rememberedMs = 20 * 3_600_000;

/**
 * The wish behind a command: the same words for the same account give the same idempotency key until the wish is
 * fulfilled, so that the same command after a crash is not charged twice. E-041 when an earlier one is too old for its
 * key to be safe and nothing is known of its work; `sendsAgain` makes a new one of it.
 */
export function openWish(
  { ledger, accountId }: ServiceSession,
  parts: readonly string[],
  { sendsAgain, nowMs }: { readonly sendsAgain: boolean; readonly nowMs: number },
): Result<Wishing, Failure> {
  const fingerprint = ledger.fingerprint([accountId(), ...parts]);
  if (sendsAgain) ledger.closeWish(fingerprint);
  const newId = randomUUID();
  const opened = ledger.openWish(fingerprint, newId);
  if (!opened.ok) return err({ ...opened.error, outcome: 'not_sent' });
  const wish = opened.value;
  const isNew = wish.actionId === newId;
  if (!isNew && wish.remoteId === null && nowMs - wish.createdAtMs > rememberedMs) {
    return err(makeFailure('E-041', { code: 'old_request', outcome: 'not_sent' }));
  }
  return ok({ wish, isNew });
}

/** After a failure: what was surely not taken is no wish any more. A refused repeat says nothing of the first attempt. */
export function noteFailure({ ledger }: ServiceSession, { wish, isNew }: Wishing, failure: Failure): void {
  if (isNew && (failure.outcome === 'refused' || failure.outcome === 'not_sent')) ledger.closeWish(wish.fingerprint);
}

/** What a person can do after a failure, as a key of the words; null when its own words say all. */
export function helpAfter(failure: Failure): 'cli.sendAgain' | 'cli.goOn' | 'cli.force' | `cli.ended.${string}` | null {
  if (failure.row === 'E-213') return 'cli.force';
  if (['E-011', 'E-041', 'E-042', 'E-070', 'E-106', 'E-160'].includes(failure.row)) return 'cli.sendAgain';
  const isOpen = failure.outcome === 'unknown' || failure.outcome === 'accepted';
  if (mayPassLater(failure)) return isOpen ? 'cli.ended.tryLater' : 'cli.ended.later';
  return isOpen ? 'cli.goOn' : null;
}
