import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addAmounts, estimateByHistory, estimateQuestion, nextPaidState, type PaidState } from './paid-action.ts';

const outcomes = ['accepted', 'refused', 'not-sent', 'unknown'] as const;
const states: readonly PaidState[] = ['open', ...outcomes];

test('an accepted action stays accepted, and one that may have been charged is never called free again', () => {
  const steps = fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(steps, (ends) => {
      let state: PaidState = 'open';
      for (const [index, end] of ends.entries()) state = nextPaidState(state, end, index + 1);
      const seen = new Set(ends);
      if (seen.has('accepted')) expect(state).toBe('accepted');
      else if (seen.has('unknown')) expect(state).toBe('unknown');
      else expect(state).toBe(ends.at(-1));
    }),
  );
});

test('an action that a killed process left open is not settled when its repeat is refused', () => {
  expect(nextPaidState('open', 'refused', 2)).toBe('unknown');
  expect(nextPaidState('open', 'accepted', 2)).toBe('accepted');
  expect(nextPaidState('open', 'refused', 1)).toBe('refused');
  for (const state of states) expect(nextPaidState(state, 'accepted', 3)).toBe('accepted');
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
