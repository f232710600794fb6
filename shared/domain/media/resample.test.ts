import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { resample, Resampler } from './resample.ts';

const tone = (hertz: number, rate: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / rate));
const largestDifference = (given: ArrayLike<number>, expected: ArrayLike<number>): number =>
  Array.from(given).reduce((most, value, at) => Math.max(most, Math.abs(value - (expected[at] ?? 0))), 0);
const middle = (samples: Float32Array): Float32Array => samples.subarray(500, -500);

it.each([
  [22_050, 24_000],
  [44_100, 48_000],
  [8000, 48_000],
])('a tone at %i is the same tone at %i', (from, to) => {
  const given = resample(tone(440, from, from), from, to);
  expect(given).toHaveLength(to);
  const expected = middle(tone(440, to, to));
  expect(largestDifference(middle(given), expected)).toBeLessThan(0.0005);
});

it('frequencies above the new limit are removed, and do not return as another tone', () => {
  const given = middle(resample(tone(15_000, 48_000, 48_000), 48_000, 16_000));
  expect(Math.max(...given.map(Math.abs))).toBeLessThan(0.002);
});

it('pieces of any length give the same as the whole', () => {
  const whole = tone(700, 22_050, 6000);
  const expected = resample(whole, 22_050, 24_000);
  forAllIn(20, fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 30 }), (lengths) => {
    const resampler = new Resampler(22_050, 24_000);
    const given: number[] = [];
    let at = 0;
    for (const length of [...lengths, whole.length]) {
      given.push(...resampler.push(whole.subarray(at, Math.min(whole.length, at + length))));
      at = Math.min(whole.length, at + length);
    }
    given.push(...resampler.flush());
    expect(given).toHaveLength(expected.length);
    expect(largestDifference(given, expected)).toBeLessThan(0.000005);
  });
});
