import { expect, it, vi } from 'vitest';
import { Take } from '../../../shared/domain/dictation/take.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err } from '../../../shared/result/result.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import { PhraseSender } from './phrase-sender.ts';

it('the next try is made at once when there is a reason to, however long the wait was to be', async () => {
  const allowProbe = vi.fn();
  const open = vi.fn(async () =>
    err(makeFailure('service-unreachable', { code: 'service_trouble', retryAfterMs: 30_000 })),
  );
  const clock = { now: () => 0, monotonic: () => 0, after: () => () => undefined };
  const live: LiveDictation = { clock, allowProbe, open, log: { write: vi.fn() }, ledger: undefined, isFree: false };
  const waits = vi.fn();
  const nothing = () => undefined;
  const parts = { read: () => new Uint8Array(), onText: nothing, onFailed: nothing, onOwed: nothing };
  const sender = new PhraseSender(
    { ...parts, live, triesAgain: true, sendsOpen: true, onState: ({ failure }) => failure && waits() },
    new Take(),
  );
  sender.open();
  await expect.poll(() => waits.mock.calls.length).toBe(1);
  sender.tryNow();
  await expect.poll(() => waits.mock.calls.length).toBe(2);
  expect([open.mock.calls.length, allowProbe.mock.calls.length]).toEqual([2, 1]);
  sender.close();
});
