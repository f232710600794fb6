import { expect, it, vi } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err } from '../../../shared/result/result.ts';
import { DictationDialer } from './dictation-connection.ts';
import type { LiveContext } from '../http/live-socket.ts';

it('the next try is made at once when there is a reason to, however long the wait was to be', async () => {
  const ended = new AbortController();
  const allowProbe = vi.fn();
  const ticket = vi.fn(async () =>
    err(makeFailure('service-unreachable', { code: 'service_trouble', retryAfterMs: 30_000 })),
  );
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (ms: number, callback: () => void) => {
      if (ms === 0) queueMicrotask(callback);
      return () => undefined;
    },
  };
  const dialer = new DictationDialer({ clock, allowProbe } as unknown as LiveContext, { ticket }, ended.signal);
  const waits = vi.fn();
  const dialed = dialer.dial(() => ({}) as never, waits);
  await expect.poll(() => waits.mock.calls.length).toBe(1);
  dialer.tryNow();
  await expect.poll(() => waits.mock.calls.length).toBe(2);
  expect([ticket.mock.calls.length, allowProbe.mock.calls.length]).toEqual([2, 1]);
  ended.abort();
  expect(await dialed).toMatchObject({ ok: false, error: { code: 'cancelled' } });
});
