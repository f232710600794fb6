import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clock, lengthClock, readTimeCode, rulerMarks, rulerStep, timeCode, timeParts } from './time-code.ts';

test('a time code shows hours only if there are any', () => {
  expect(timeCode(145_480)).toBe('02:25.480');
  expect(timeCode(0)).toBe('00:00.000');
  expect(timeCode(3_745_007)).toBe('1:02:25.007');
  expect(clock(2_832_999)).toBe('47:12');
});

test('a length is rounded to the nearest second and has no leading zero', () => {
  expect(lengthClock(521_400)).toBe('8:41');
  expect(lengthClock(521_600)).toBe('8:42');
  expect(lengthClock(6_900)).toBe('0:07');
  expect(lengthClock(3_600_000)).toBe('1:00:00');
});

test('an invalid time reads as the start', () => {
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, -5]) expect(timeCode(odd)).toBe('00:00.000');
});

test('a time is read as it is written, with and without hours, and nothing else is accepted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 * 3_600_000 }), (ms) => {
      expect(readTimeCode(timeCode(ms))).toBe(ms);
    }),
  );
  expect(readTimeCode(' 2:05,5 ')).toBe(125_500);
  expect(readTimeCode('75')).toBe(75_000);
  for (const odd of ['', '2:75', 'soon', '1:2:3:4', '-1', '1.2345']) expect(readTimeCode(odd)).toBeNull();
});

test('the parts of any time add up to it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 3_600_000 }), (ms) => {
      const { hours, minutes, seconds, milliseconds } = timeParts(ms);
      expect(((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds).toBe(ms);
    }),
  );
});

test('a ruler never has more marks than requested, and all of them lie inside', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40_000_000 }),
      fc.integer({ min: 1000, max: 200_000_000 }),
      fc.integer({ min: 1, max: 20 }),
      (from, visible, most) => {
        const step = rulerStep(visible, most);
        const marks = rulerMarks(from, from + visible, step);
        expect(marks.length).toBeLessThanOrEqual(most + 1);
        for (const mark of marks) expect(mark >= from && mark <= from + visible && mark % step === 0).toBe(true);
      },
    ),
  );
});
