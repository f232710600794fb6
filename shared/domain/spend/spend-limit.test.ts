import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import {
  addEstimates,
  estimateAudio,
  judgeSpend,
  lengthBySize,
  spentInHour,
  weightMs,
  withSpent,
} from './spend-limit.ts';

const minute = 60_000;
const hour = 60 * minute;
const audio = (minutes: number) => ({ requests: 1, audioMs: minutes * minute, characters: 0, isRough: false });

it('asks only above the limit of an hour, every time when the limit is zero, never without one', () => {
  const spent = withSpent([], audio(50), 1000 * hour);
  const now = 1000 * hour + 5 * minute;
  expect(judgeSpend(60, spent, audio(10), now)).toEqual({ tag: 'within' });
  expect(judgeSpend(60, spent, audio(11), now)).toEqual({
    tag: 'ask',
    estimate: audio(11),
    spentMs: 50 * minute,
    limitMs: hour,
  });
  expect(judgeSpend(0, [], audio(1), now).tag).toBe('ask');
  expect(judgeSpend(null, spent, audio(1e6), now)).toEqual({ tag: 'within' });
  expect(judgeSpend(0, spent, { ...audio(0), requests: 0 }, now)).toEqual({ tag: 'within' });
});

it('an hour later it no longer counts, and a clock that was set back leaves nothing counting for ever', () => {
  const spent = withSpent([], audio(50), 10 * hour);
  expect(spentInHour(spent, 11 * hour - 1)).toHaveLength(1);
  expect(spentInHour(spent, 11 * hour)).toEqual([]);
  expect(spentInHour(spent, 5 * hour)).toEqual([]);
});

it('speech counts by the started minutes of each recording, as it is charged, and isolation by its length', () => {
  const clips = [1000, 1000, 61_000];
  expect(weightMs(estimateAudio('transcribe', clips))).toBe(4 * minute);
  expect(weightMs(estimateAudio('isolate', clips))).toBe(63_000);
});

it('work without audio counts by its characters, or by its number', () => {
  expect(weightMs({ requests: 2, audioMs: 0, characters: 9_000 })).toBe(10 * minute);
  expect(weightMs({ requests: 2, audioMs: 0, characters: 0 })).toBe(minute);
  expect(lengthBySize(16_000 * 60)).toBe(minute);
  expect(addEstimates([audio(1), { ...audio(2), isRough: true }])).toEqual({
    requests: 2,
    audioMs: 3 * minute,
    characters: 0,
    isRough: true,
  });
});

it('nothing allowed within the hour is forgotten, and the list stays short', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * minute }), fc.integer({ min: 1, max: 90 })), {
    maxLength: 300,
  });
  forAll(steps, (requests) => {
    let now = 1000 * hour;
    let entries: ReturnType<typeof withSpent> = [];
    const all: { readonly atMs: number; readonly ms: number }[] = [];
    for (const [pause, minutes] of requests) {
      now += pause;
      entries = withSpent(entries, audio(minutes), now);
      all.push({ atMs: now, ms: minutes * minute });
    }
    expect(entries.length).toBeLessThanOrEqual(62);
    const counted = spentInHour(entries, now).reduce((sum, { audioMs }) => sum + audioMs, 0);
    const within = (ms: number) => all.filter(({ atMs }) => atMs > now - ms).reduce((sum, one) => sum + one.ms, 0);
    // Entries within a minute are merged, so the hour is exact to a minute.
    expect(counted).toBeGreaterThanOrEqual(within(hour - minute));
    expect(counted).toBeLessThanOrEqual(within(hour + minute));
  });
});
