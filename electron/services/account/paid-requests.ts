import { randomUUID } from 'node:crypto';
import { decideRetry } from '../../../shared/domain/failures/decide-retry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { sleep, systemClientClock, type ClientClock } from '../../service/transport.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Ledger, OpenPaidRequest } from './ledger.ts';

export interface PaidContext {
  readonly client: ServiceClient;
  readonly ledger: Ledger;
  /** Identifies address and key, so that the same request for another account is a different one. */
  accountId(this: void): string;
  readonly clock?: ClientClock;
}

export interface PaidRequest {
  readonly open: OpenPaidRequest;
  /** True when the request was just created, so no earlier attempt is unaccounted for. */
  readonly isNew: boolean;
}

/** How long the service is assumed to remember a key; after that a repeat might be charged again. */
const rememberedMs = 20 * 3_600_000;
const pendingPauseMs = 2000;

/** On disk before anything is sent; the same content keeps its key until the user has the result. */
export function openPaidRequest(
  { ledger, accountId, clock = systemClientClock }: PaidContext,
  content: readonly string[],
  sendsAgain: boolean,
  newId: string = randomUUID(),
): Result<PaidRequest> {
  const fingerprint = ledger.fingerprint([accountId(), ...content]);
  const opened = ledger.openRequest(fingerprint, newId, sendsAgain);
  if (!opened.ok) return err({ ...opened.error, outcome: 'not_sent' });
  const open = opened.value;
  const isNew = open.actionId === newId;
  if (!isNew && open.remoteId === null && clock.now() - open.createdAtMs > rememberedMs) {
    return err(makeFailure('job-not-found', { code: 'old_request', outcome: 'not_sent' }));
  }
  return ok({ open, isNew });
}

/** A refused repeat proves nothing about the first attempt, so that request stays open. */
export function closeIfRefused({ ledger }: PaidContext, { open, isNew }: PaidRequest, failure: Failure): void {
  if (isNew && (failure.outcome === 'refused' || failure.outcome === 'not_sent')) ledger.closeRequest(open.fingerprint);
}

/** Accepted but not finished: repeated until `waitMs` are over. */
export interface Pending {
  readonly pending: Failure;
}

/** Sends the same request under the same key until it is answered or `waitMs` are over. */
export async function sendUntilTaken<T extends object>(
  context: PaidContext,
  request: PaidRequest,
  send: () => Promise<Result<T | Pending>>,
  { signal, waitMs = Infinity }: { readonly signal: AbortSignal; readonly waitMs?: number },
): Promise<Result<T>> {
  const { clock = systemClientClock } = context;
  const beganAtMs = clock.monotonic();
  let { isNew } = request;
  for (let attempt = 1; ; attempt++) {
    const sent = await send();
    const elapsedMs = clock.monotonic() - beganAtMs;
    let pauseMs = pendingPauseMs;
    let last: Failure;
    if (sent.ok) {
      if (!('pending' in sent.value)) return ok(sent.value);
      isNew = false;
      last = makeFailure('stopped', { code: 'interrupted' });
      if (elapsedMs > waitMs) return err(sent.value.pending);
    } else {
      last = sent.error;
      const isRepeatable = last.code !== 'cancelled';
      const decision = decideRetry({
        failure: last,
        attempt,
        elapsedMs,
        patience: 'interactive',
        isRepeatable,
        random: Math.random,
      });
      if (!decision.retry) {
        closeIfRefused(context, { ...request, isNew }, last);
        return err(last);
      }
      if (last.outcome === 'unknown' || last.outcome === 'accepted') isNew = false;
      pauseMs = decision.delayMs;
    }
    if (!(await sleep(clock, pauseMs, signal))) return err(last);
  }
}
