import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { sendUntilTaken, type PaidContext, type PaidRequest } from './paid-requests.ts';

it('a refusal closes a new request, and never one that the service had accepted before', async () => {
  const refused = err(makeFailure('credits-exhausted', { status: 402, outcome: 'refused' }));
  const pending = ok({ pending: makeFailure('still-processing', { outcome: 'accepted' }) });
  const closedAfter = async (answers: readonly (typeof refused | typeof pending)[]) => {
    const closed: string[] = [];
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      after: (_ms: number, run: () => void) => (queueMicrotask(run), () => undefined),
    };
    const context = { ledger: { closeRequest: (fingerprint: string) => closed.push(fingerprint) }, clock };
    const request = { open: { fingerprint: 'f' }, isNew: true } as PaidRequest;
    const left = [...answers];
    const send = async () => left.shift() ?? refused;
    const { signal } = new AbortController();
    const sent = await sendUntilTaken(context as unknown as PaidContext, request, send, { signal });
    expect(sent).toMatchObject({ ok: false, error: { kind: 'credits-exhausted' } });
    return closed;
  };
  expect(await closedAfter([refused])).toEqual(['f']);
  expect(await closedAfter([pending, refused])).toEqual([]);
});
