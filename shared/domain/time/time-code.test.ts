import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { clock, readTimeCode, timeCode } from './time-code.ts';

test('a time code shows hours only if there are any', () => {
  expect(timeCode(145_480)).toBe('02:25.480');
  expect(timeCode(0)).toBe('00:00.000');
  expect(timeCode(3_745_007)).toBe('1:02:25.007');
  expect(clock(2_832_999)).toBe('47:12');
});

test('an invalid time reads as the start', () => {
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, -5]) expect(timeCode(odd)).toBe('00:00.000');
});

test('a time is read as it is written, with and without hours, and nothing else is accepted', () => {
  forAll(fc.integer({ min: 0, max: 99 * 3_600_000 }), (ms) => {
    expect(readTimeCode(timeCode(ms))).toBe(ms);
  });
  expect(readTimeCode(' 2:05,5 ')).toBe(125_500);
  expect(readTimeCode('75')).toBe(75_000);
  for (const odd of ['', '2:75', 'soon', '1:2:3:4', '-1', '1.2345']) expect(readTimeCode(odd)).toBeNull();
});
