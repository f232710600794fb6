import { expect, it, test } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { dayOf, sumUsed, usageByDay, usageCsv, usagePeriods, type DatedAction } from './usage-by-day.ts';
import { expectedCredits, learnRate, minuteMs, noRate } from './expected-cost.ts';
import fc from 'fast-check';
import { addAmounts, estimateByHistory, estimateQuestion, nextPaidState, type PaidState } from './paid-action.ts';

const noon = new Date(2026, 10, 22, 12).getTime();
const daysAgo = (days: number) => new Date(2026, 10, 22 - days, 23, 59).getTime();
const action = (
  days: number,
  product: string,
  credits: string | null,
  more: Partial<DatedAction> = {},
): DatedAction => ({
  beganAtMs: daysAgo(days),
  product,
  state: 'accepted',
  estimate: null,
  report: { credits, characters: null, durationMs: null, inputTokens: null, outputTokens: null },
  ...more,
});

it.each(usagePeriods)('%i days end today, each once, and hold what was used in them to the last digit', (period) => {
  const actions = [
    action(0, 'ask', '0.1'),
    action(0, 'ask', '0.2'),
    action(0, 'transcribe', '5'),
    action(period - 1, 'speak', null),
    action(period - 1, 'speak', '9', { state: 'refused' }),
    action(period, 'isolate', '100'),
  ];
  const usage = usageByDay(actions, period, noon);
  expect(new Set(usage.days.map(({ fromMs }) => fromMs)).size).toBe(period);
  expect(usage).toMatchObject({ credits: '5.3', actionCount: 4, unreportedCount: 1 });
  expect(usage.products.map(({ product, credits }) => [product, credits])).toEqual([
    ['transcribe', '5'],
    ['ask', '0.3'],
    ['speak', '0'],
  ]);
  expect(usage.days.at(-1)).toMatchObject({ credits: '5.3', actionCount: 3 });
  expect(usage.days[0]).toMatchObject({ credits: '0', actionCount: 1, unreportedCount: 1 });
});

it('goes to spreadsheets as a line for each product of a day', () => {
  const { days } = usageByDay([action(1, 'ask', '0.25'), action(1, 'ask', null)], 7, noon);
  expect(usageCsv({ days })).toBe('day,product,credits,requests,requests_without_cost\r\n2026-11-21,ask,0.25,2,1\r\n');
});

it('adds exactly what the service reported, counts what it did not report, and leaves out what cost nothing', () => {
  expect(
    sumUsed([
      { state: 'accepted', report: { credits: '0.1' } },
      { state: 'accepted', report: { credits: '0.2' } },
      { state: 'accepted', report: { credits: null } },
      { state: 'unknown', report: null },
      { state: 'open', report: null },
      { state: 'refused', report: null },
      { state: 'not-sent', report: { credits: '7' } },
    ]),
  ).toEqual({ credits: '0.3', actionCount: 5, unreportedCount: 3 });
});

it('a day lasts from one local midnight to the next, even when a clock is put forward', () => {
  const now = new Date(2026, 2, 29, 13, 5).getTime();
  const { fromMs, toMs } = dayOf(now);
  expect([new Date(fromMs).getHours(), new Date(toMs).getHours()]).toEqual([0, 0]);
  expect(new Date(toMs).getDate()).toBe(30);
  expect(fromMs <= now && now < toMs).toBe(true);
});

const hour = 3_600_000;

it('the cost of recordings is estimated from the length of those that were charged', () => {
  const rate = learnRate([
    { credits: '60', durationMs: hour, sizeBytes: 100_000_000 },
    { credits: '120', durationMs: 2 * hour, sizeBytes: 20_000_000 },
  ]);
  expect(rate).toEqual({ sampleCount: 2, creditsPerHour: '60', creditsPerGigabyte: '1500' });
  expect(expectedCredits([{ durationMs: hour / 2, sizeBytes: 1 }], rate)).toBe(30);
});

it('speech is charged by started minutes: a recording of seconds says what a minute costs', () => {
  const rate = learnRate(
    [
      { credits: '90', durationMs: 3_000, sizeBytes: 1 },
      { credits: '90', durationMs: 17_000, sizeBytes: 1 },
    ],
    minuteMs,
  );
  expect(expectedCredits([{ durationMs: 52_000, sizeBytes: 1 }], rate)).toBe(90);
  expect(expectedCredits([{ durationMs: 61_000, sizeBytes: 1 }], rate)).toBe(180);
});

it('a recording of unknown length is judged by its size', () => {
  const rate = learnRate([{ credits: '10', durationMs: null, sizeBytes: 10_000_000 }]);
  expect(rate.creditsPerHour).toBeNull();
  expect(expectedCredits([{ durationMs: null, sizeBytes: 5_000_000 }], rate)).toBe(5);
  expect(expectedCredits([{ durationMs: hour, sizeBytes: 5_000_000 }], rate)).toBe(5);
});

it('there is no estimate if the service never reported a cost', () => {
  expect(learnRate([])).toEqual(noRate);
  expect(expectedCredits([{ durationMs: hour, sizeBytes: 1 }], noRate)).toBeNull();
  expect(expectedCredits([], noRate)).toBe(0);
});

const outcomes = ['accepted', 'refused', 'not-sent', 'unknown'] as const;

test('an accepted action stays accepted, and one that may have been charged is never called free again', () => {
  const steps = fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 12 });
  forAll(steps, (ends) => {
    let state: PaidState = 'open';
    for (const [index, end] of ends.entries()) state = nextPaidState(state, end, index + 1);
    const seen = new Set(ends);
    if (seen.has('accepted')) expect(state).toBe('accepted');
    else if (seen.has('unknown')) expect(state).toBe('unknown');
    else expect(state).toBe(ends.at(-1));
  });
});

test('amounts are added exactly, even where floating point is not exact', () => {
  expect(addAmounts(['0.1', '0.2'])).toBe('0.3');
  expect(addAmounts(['999999999999999999', '1', '0.00000001', 'many'])).toBe('1000000000000000000.00000001');
  expect(addAmounts([])).toBe('0');
});

test('an estimate follows the cost of earlier work of the same kind, and is never below it', () => {
  const seen = [
    { count: 100, credits: '1' },
    { count: 300, credits: '3.5' },
    { count: 0, credits: '900' },
  ];
  expect(estimateByHistory(200, seen)).toBe('2.25');
  expect(estimateByHistory(1, seen)).toBe('0.012');
  expect(estimateByHistory(200, [])).toBeNull();
  expect(estimateByHistory(Number.NaN, seen)).toBeNull();
});

test('a question costs at most its bytes and its longest answer', () => {
  const prices = { inputPrice: '50', outputPrice: '200', creditsPerUsd: '1000' };
  expect(estimateQuestion(prices, 1_000_000, 1_000_000)).toBe('2500');
  expect(estimateQuestion(prices, 10, 100)).toBe('0.205');
  expect(estimateQuestion({ ...prices, outputPrice: null }, 10, 100)).toBeNull();
});
