import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { Secret } from '../secret/secret.ts';
import { credentialHeaders, withoutKey, type Connection } from './connection.ts';
import type { ClientClock } from './transport.ts';
import { OriginState, RetryBudget, RateLimiter, requestUrgencies } from './pace.ts';

/** A clock that moves only when the test moves it, and fires the timers on the way. */
function manualClock() {
  let at = 0;
  const waiting: { readonly dueMs: number; readonly wake: () => void }[] = [];
  const clock: ClientClock = {
    now: () => at,
    monotonic: () => at,
    after: (ms, callback) => {
      const entry = { dueMs: at + ms, wake: callback };
      waiting.push(entry);
      return () => void waiting.splice(waiting.indexOf(entry) >>> 0, 1);
    },
  };
  const advance = async (ms: number): Promise<void> => {
    at += ms;
    for (const entry of waiting.filter(({ dueMs }) => dueMs <= at)) {
      waiting.splice(waiting.indexOf(entry), 1);
      entry.wake();
    }
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, advance };
}

test('user actions go before new work, work before downloads, and all of them before monitoring it', async () => {
  const { clock, advance } = manualClock();
  const limiter = new RateLimiter(clock);
  for (let at = 0; at < 10; at += 1) await limiter.take(undefined, 'poll');
  const served: string[] = [];
  for (const urgency of ['poll', 'poll', 'download', 'create', 'user', 'create', 'user'] as const) {
    void limiter.take(undefined, urgency).then(() => served.push(urgency));
  }
  for (let ms = 0; ms < 200; ms += 10) await advance(10);
  expect(served).toEqual(['user', 'user', 'create', 'create', 'download', 'poll', 'poll']);
});

test('whatever is requested and cancelled, no second has more than sixty turns and ten of the burst', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          gapMs: fc.nat(30),
          urgency: fc.constantFrom(...requestUrgencies),
          isGivenUp: fc.boolean(),
        }),
        { minLength: 1, maxLength: 120 },
      ),
      async (requests) => {
        const { clock, advance } = manualClock();
        const limiter = new RateLimiter(clock);
        const turnsAt: number[] = [];
        let owed = 0;
        for (const { gapMs, urgency, isGivenUp } of requests) {
          const controller = new AbortController();
          owed += 1;
          void limiter.take(controller.signal, urgency).then((isMine) => {
            owed -= 1;
            if (isMine) turnsAt.push(clock.monotonic());
          });
          if (isGivenUp) controller.abort();
          for (let ms = 0; ms < gapMs; ms += 1) await advance(1);
        }
        for (let ms = 0; ms < 3000; ms += 10) await advance(10);
        expect(owed).toBe(0);
        for (const from of turnsAt) {
          expect(turnsAt.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(71);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('after a 429 the rate is halved for a minute and comes back by 5% every ten seconds', async () => {
  const { clock, advance } = manualClock();
  const limiter = new RateLimiter(clock);
  expect(limiter.rate).toBe(60);
  limiter.slowDown();
  expect(limiter.rate).toBe(30);
  await advance(59_000);
  expect(limiter.rate).toBe(30);
  await advance(1000);
  expect(limiter.rate).toBe(33);
  await advance(10_000);
  expect(limiter.rate).toBe(36);
  await advance(600_000);
  expect(limiter.rate).toBe(60);
});

test('a 429 without a wait slows the rate down only when the next answer repeats it; one with a wait does so at once', () => {
  const { clock } = manualClock();
  const untimed = makeFailure('rate-limited', { status: 429 });
  const state = new OriginState(clock);
  for (const failure of [untimed, null, untimed, makeFailure('gateway-error', { status: 503 }), untimed, null])
    state.observeThrottle(failure);
  expect(state.limiter.rate).toBe(60);
  state.observeThrottle(untimed);
  state.observeThrottle(untimed);
  expect(state.limiter.rate).toBe(30);
  const other = new OriginState(clock);
  other.observeThrottle(makeFailure('rate-limited-until', { status: 429, retryAfterMs: 5_000 }));
  expect(other.limiter.rate).toBe(30);
});

test('service-troubled: twenty failures close the service until a probe is due, later each time, and a success opens it', async () => {
  const { clock, advance } = manualClock();
  const budget = new RetryBudget(clock);
  for (let at = 0; at < 19; at += 1) budget.record('trouble');
  expect(budget.admit().waitMs).toBe(0);
  budget.record('trouble');
  expect(budget.admit().waitMs).toBe(15_000);
  await advance(15_000);
  expect(budget.admit().waitMs).toBe(0);
  budget.record('trouble');
  expect(budget.admit().waitMs).toBe(30_000);
  await advance(30_000);
  expect(budget.admit().waitMs).toBe(0);
  expect(budget.admit().waitMs).toBe(60_000);
  await advance(60_000);
  expect(budget.admit().waitMs).toBe(0);
  budget.record('success');
  expect(budget.admit().waitMs).toBe(0);
  budget.record('neutral');
  expect(budget.admit().waitMs).toBe(0);
});

test('a service that six connections in a row did not reach counts as down; local errors do not count', async () => {
  const { clock, advance } = manualClock();
  const budget = new RetryBudget(clock);
  for (let at = 0; at < 5; at += 1) budget.record('unreachable');
  for (let at = 0; at < 50; at += 1) budget.record('neutral');
  expect(budget.admit().waitMs).toBe(0);
  // An attempt that reached the service, whatever the answer, resets the series of failures.
  budget.record('trouble');
  for (let at = 0; at < 5; at += 1) budget.record('unreachable');
  expect(budget.admit().waitMs).toBe(0);
  budget.record('unreachable');
  expect(budget.admit().waitMs).toBe(15_000);
  await advance(1000);
  // The service may work again: one probe is sent at once, and the next one waits.
  budget.allowProbe();
  expect(budget.admit()).toEqual({ waitMs: 0, isProbe: true });
  budget.record('unreachable');
  expect(budget.admit().waitMs).toBeGreaterThanOrEqual(15_000);
});

test('timeouts cost twice as much, and a second gives one token back', async () => {
  const { clock, advance } = manualClock();
  const budget = new RetryBudget(clock);
  for (let at = 0; at < 9; at += 1) budget.record('timeout');
  await advance(5000);
  budget.record('timeout');
  expect(budget.admit().waitMs).toBe(0);
  budget.record('trouble');
  expect(budget.admit().waitMs).toBeGreaterThan(0);
});

const key = 'sk_test_CANARY_0123456789';
const connection: Connection = { kind: 'service', baseUrl: 'https://api.example/prefix', key: new Secret(key) };

test.each([
  ['https://api.example/v1/stt', true],
  ['https://api.example:8443/v1/stt', false],
  ['http://api.example/v1/stt', false],
  ['https://api.example.evil/v1/stt', false],
  ['https://storage.example/file', false],
])('S-32: the key goes to %s: %s', (address, isGiven) => {
  const headers = credentialHeaders(connection, new URL(address), 'api-key');
  expect(headers).toEqual(isGiven ? { authorization: `Bearer ${key}` } : {});
});

test('S-32: a developer key is never given to another class of route', () => {
  for (const credential of ['access-token', 'legacy-key', 'none'] as const) {
    expect(credentialHeaders(connection, new URL('https://api.example/v1/x'), credential)).toEqual({});
  }
});

test('a key that an answer repeats is removed from the text', () => {
  expect(withoutKey(`a ${key} b ${key}`, connection)).toBe('a [secret] b [secret]');
  expect(withoutKey('nothing', { ...connection, key: new Secret('') })).toBe('nothing');
});
