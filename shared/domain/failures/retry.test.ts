import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, decideRetry, type RetryQuestion } from './decide-retry.ts';
import { makeFailure } from './make-failure.ts';
import { retryAfterMs } from './retry-after.ts';
import { failureRows } from './rows.ts';
import type { FailureKind } from '../../result/failure-kinds.ts';
import { estimateServerTime, observeServerDate, unknownServerClock } from './server-clock.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const runs = { numRuns: isLong ? 100_000 : 2000 };
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const rows = Object.keys(failureRows) as FailureKind[];

const ask = (row: FailureKind, more: Partial<RetryQuestion> = {}): RetryQuestion => ({
  failure: makeFailure(row),
  attempt: 1,
  elapsedMs: 0,
  patience: 'interactive',
  isRepeatable: true,
  random: () => 0.5,
  ...more,
});

test('P-13: a wait is never earlier than requested nor shorter than the backoff, and at most a quarter or five seconds later', () => {
  const [anyWait, anyAttempt] = [fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 1, max: 1000 })];
  fc.assert(
    fc.property(anyWait, anyAttempt, unit, (asked, attempt, random) => {
      const failure = makeFailure('rate-limited-until', { status: 429, retryAfterMs: asked });
      const pace = { attempt, patience: 'background', random: () => random } as const;
      const decision = decideRetry(ask('rate-limited-until', { failure, ...pace }));
      expect(decision.retry).toBe(true);
      if (!decision.retry) return;
      const backoff = backoffMs({ ...pace, isThrottle: true });
      expect(decision.delayMs).toBeGreaterThanOrEqual(Math.max(asked, backoff));
      expect(decision.delayMs).toBeLessThanOrEqual(Math.max(backoff, Math.ceil(asked + Math.min(asked * 0.25, 5000))));
    }),
    runs,
  );
});

test('P-13: backoff stays between 250 ms and its cap, and its mean grows with attempts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.boolean(), unit, (attempt, isThrottle, random) => {
      for (const [patience, cap] of [['interactive', 8000] as const, ['background', 60_000] as const]) {
        const pace = { patience, isThrottle, random: () => random };
        const wait = backoffMs({ ...pace, attempt });
        expect(wait).toBeGreaterThanOrEqual(250);
        expect(wait).toBeLessThanOrEqual(cap);
        expect(backoffMs({ ...pace, attempt: attempt + 1 })).toBeGreaterThanOrEqual(wait);
      }
    }),
    runs,
  );
});

// The service names the time; on a live stream the phrase is sent again, over a connection with another ticket.
const mayComeBack = [
  'rate-limited-until',
  'rate-limited',
  'product-unavailable',
  'live-ticket-expired',
  'live-failed',
  'phrase-restarted',
  'phrase-busy',
  'phrase-too-long',
  'live-refused',
];

test('a refusal is repeated only if the service asked to come back', () => {
  for (const row of rows.filter((id) => failureRows[id].outcome === 'refused')) {
    const decision = decideRetry(ask(row, { patience: 'background' }));
    expect([row, decision.retry]).toEqual([row, mayComeBack.includes(row)]);
  }
});

test('nothing is repeated without a key, and after a lost network the repeat waits for the network', () => {
  for (const row of rows)
    expect([row, decideRetry(ask(row, { isRepeatable: false }))]).toEqual([row, { retry: false }]);
  expect(decideRetry(ask('offline')).retry).toBe(false);
});

test('in the foreground the user waits thirty seconds and four attempts at most', () => {
  expect(decideRetry(ask('connection-slow', { attempt: 3 })).retry).toBe(true);
  expect(decideRetry(ask('connection-slow', { attempt: 4 })).retry).toBe(false);
  expect(decideRetry(ask('connection-slow', { elapsedMs: 29_990 })).retry).toBe(false);
  const longWait = makeFailure('rate-limited-until', { status: 429, retryAfterMs: 60_000 });
  expect(decideRetry(ask('rate-limited-until', { failure: longWait })).retry).toBe(false);
});

test('kinds with a limit of their own keep it in the background too', () => {
  expect(decideRetry(ask('answer-too-large', { attempt: 2, patience: 'background' })).retry).toBe(true);
  expect(decideRetry(ask('answer-too-large', { attempt: 3, patience: 'background' })).retry).toBe(false);
});

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const httpDate = (ms: number): string => new Date(ms).toUTCString();

test.each([
  ['120', undefined, 120_000],
  ['7.5', undefined, 7500],
  ['0', undefined, 0],
  ['-3', undefined, 0],
  ['1000000000', undefined, 86_400_000],
  ['soon', undefined, null],
  ['', undefined, null],
  [httpDate(now + 30_000), undefined, 30_000],
  [httpDate(now - 30_000), undefined, 0],
  [httpDate(now + 30_000), httpDate(now - 7_200_000), 7_230_000],
  [httpDate(now - 7_170_000), httpDate(now - 7_200_000), 30_000],
] as const)('Retry-After %j with Date %j is %j ms', (header, date, expected) => {
  expect(retryAfterMs(header, date, now)).toBe(expected);
});

test('F-34: the median of nine answers holds even if some report a wrong time', () => {
  let clock = unknownServerClock;
  const local = now - 90_000;
  for (const error of [0, 7_200_000, 0, -7_200_000, 0, 7_200_000, 0, 0, 0, -7_200_000, 0]) {
    clock = observeServerDate(clock, httpDate(now + error), local - 100, local + 100);
  }
  expect(clock.offsetsMs).toHaveLength(9);
  expect(estimateServerTime(clock, local)).toBe(now);
  expect(observeServerDate(clock, 'yesterday', 0, 0)).toBe(clock);
  expect(estimateServerTime(unknownServerClock, 5)).toBe(5);
});
