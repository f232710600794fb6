import { expect, it } from 'vitest';
import { expectedCredits, learnRate, minuteMs, noRate } from './expected-cost.ts';

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
