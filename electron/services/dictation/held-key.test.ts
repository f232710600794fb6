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
test.each([
  ['a default X server', 660, 40],
  ['GNOME', 500, 30],
  ['a slow keyboard', 1900, 120],
] as const)('a key that is held is one press, and its release is where the repeats end: %s', (_name, delay, every) => {
  const moments = held(0, 3000, delay, every);
  expect(read(...moments)).toEqual(['press 0', `release ${(moments.at(-1) ?? 0) + 251}`]);
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

test('repeats that queued up while the computer was busy are read before a second press counts', () => {
  const done: string[] = [];
  const onPress = readHeldKey({ press: () => void done.push('press'), release: () => void done.push('release') });
  onPress();
  vi.advanceTimersByTime(660);
  onPress();
  // The timer is run first, then what was queued.
  vi.advanceTimersByTime(150);
  for (let left = 3; left > 0; left -= 1) onPress();
  vi.advanceTimersByTime(60_000);
  expect(done).toEqual(['press', 'release']);
});

test('repeats that queued up are read before a key counts as released', () => {
  const done: string[] = [];
  const onPress = readHeldKey({ press: () => void done.push('press'), release: () => void done.push('release') });
  for (const moment of [0, 660, 700]) setTimeout(onPress, moment);
  // The timer of the release is run first, then what was queued.
  vi.advanceTimersByTime(700 + 250);
  onPress();
  vi.advanceTimersByTime(100);
  expect(done).toEqual(['press']);
});
