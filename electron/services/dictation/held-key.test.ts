import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readHeldKey } from './held-key.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Presses at these moments, in milliseconds; returns what was read, and when. */
function read(...moments: readonly number[]): readonly string[] {
  const done: string[] = [];
  const say = (what: string) => () => void done.push(`${what} ${Date.now() - begunMs}`);
  const begunMs = Date.now();
  const onPress = readHeldKey({ press: say('press'), release: say('release') }, () => Date.now());
  for (const moment of moments) setTimeout(onPress, moment);
  vi.advanceTimersByTime(60_000);
  return done;
}
/** As X11 repeats a held key: after its delay, then at its rate. */
const held = (fromMs: number, toMs: number, delayMs = 660, everyMs = 40): readonly number[] => [
  fromMs,
  ...Array.from({ length: Math.ceil((toMs - fromMs - delayMs) / everyMs) }, (_, at) => fromMs + delayMs + at * everyMs),
];

/** The timers wait one turn more, which is a millisecond of the fake clock. */
test('a key that is held is one press, and its release is where the repeats end, however fast they are', () => {
  for (const [delay, every] of [
    [500, 30],
    [1900, 120],
  ] as const) {
    const moments = held(0, 3000, delay, every);
    expect(read(...moments)).toEqual(['press 0', `release ${(moments.at(-1) ?? 0) + 251}`]);
  }
});

test('taps are presses, however soon one follows the other, and have no release', () => {
  expect(read(0, 5000, 5400, 5650)).toEqual(['press 0', 'press 5000', 'press 5551', 'press 5801']);
  expect(read(0)).toEqual(['press 0']);
});

test('repeats that a busy computer reports late do not end it, and it can be held again at once', () => {
  expect(read(...held(0, 1000), 1200, 1240, ...held(1600, 3000))).toEqual([
    'press 0',
    'release 1491',
    'press 1751',
    'release 3231',
  ]);
});
