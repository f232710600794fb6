import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll, forAllIn } from '../../../tests/support/for-all.ts';
import {
  packPeaks,
  unpackPeaks,
  createPeakBuilder,
  type PeakChunk,
} from '../../../shared/domain/audio/peak-builder.ts';
import { createPeakPyramid } from './peak-pyramid.ts';

const samples = fc.float32Array({ min: -1, max: 1, noNaN: true, minLength: 1, maxLength: 6000 });
const rate = fc.constantFrom(8000, 11_025, 16_000, 22_050, 44_100, 48_000);

const build = (channels: readonly Float32Array[], sampleRate: number, cuts: readonly number[] = []): PeakChunk => {
  const builder = createPeakBuilder();
  const length = channels[0]?.length ?? 0;
  const edges = [0, ...cuts.filter((cut) => cut < length).toSorted((a, b) => a - b), length];
  for (let i = 1; i < edges.length; i += 1) {
    const from = edges[i - 1] ?? 0;
    const to = edges[i] ?? 0;
    builder.add(
      channels.map((channel) => channel.subarray(from, to)),
      to - from,
      sampleRate,
    );
  }
  builder.finish();
  return builder.take();
};

const chunk = fc.integer({ min: 0, max: 3000 }).chain((length) =>
  fc.record({
    min: fc.int8Array({ minLength: length, maxLength: length, min: -127, max: 0 }),
    max: fc.int8Array({ minLength: length, maxLength: length, min: 0, max: 127 }),
    rms: fc.uint8Array({ minLength: length, maxLength: length }),
  }),
) as fc.Arbitrary<PeakChunk>;

test('there is one bucket per 10 ms, however the rate divides and the samples are cut into blocks', () => {
  forAll(samples, rate, fc.array(fc.nat(6000), { maxLength: 8 }), (channel, sampleRate, cuts) => {
    const whole = build([channel], sampleRate);
    expect(whole.min.length).toBe(Math.floor(((channel.length - 1) * 100) / sampleRate) + 1);
    expect(build([channel], sampleRate, cuts)).toEqual(whole);
  });
});

test('16-bit integers of several channels give the peaks that they give as fractions', () => {
  const shorts = fc.int16Array({ minLength: 1, maxLength: 3000 });
  forAll(shorts, shorts, rate, fc.nat(3000), (left, right, sampleRate, cut) => {
    const frames = Math.min(left.length, right.length);
    const byTurns = Int16Array.from({ length: 2 * frames }, (_, at) => (at % 2 === 0 ? left : right)[at >> 1] ?? 0);
    const builder = createPeakBuilder();
    const middle = Math.min(cut, frames);
    builder.addShorts(byTurns.subarray(0, 2 * middle), middle, sampleRate);
    builder.addShorts(byTurns.subarray(2 * middle), frames - middle, sampleRate);
    builder.finish();
    const fractions = [left, right].map((values) => Float32Array.from(values.subarray(0, frames), (v) => v / 32_768));
    expect(builder.take()).toEqual(build(fractions, sampleRate));
  });
});

test('a bucket holds the extremes of all its channels, and is never louder than they are', () => {
  forAllIn(40, samples, rate, (left, sampleRate) => {
    const right = left.map((value) => -value / 2);
    const { min, max, rms } = build([left, right], sampleRate);
    for (let bucket = 0; bucket < min.length; bucket += 1) {
      const from = Math.ceil((bucket * sampleRate) / 100);
      const inside = left.subarray(from, Math.ceil(((bucket + 1) * sampleRate) / 100));
      const both = [...inside, ...inside.map((value) => -value / 2)];
      expect(Math.abs((min[bucket] ?? 0) / 127 - Math.min(...both))).toBeLessThan(0.01);
      expect(Math.abs((max[bucket] ?? 0) / 127 - Math.max(...both))).toBeLessThan(0.01);
      expect((rms[bucket] ?? 0) / 255).toBeLessThanOrEqual(Math.max(...both.map(Math.abs)) + 0.01);
    }
  });
});

test('packed peaks read back as they were, and with a changed byte, cut or grown they are refused', () => {
  forAll(chunk, fc.nat(), fc.integer({ min: 1, max: 255 }), (peaks, where, change) => {
    const good = packPeaks(peaks);
    expect(unpackPeaks(good)).toEqual({ ok: true, value: peaks });
    const bad = good.slice();
    bad[where % bad.length] = (bad[where % bad.length] ?? 0) ^ change;
    expect(unpackPeaks(bad).ok).toBe(false);
    expect(unpackPeaks(good.slice(0, where % good.length)).ok).toBe(false);
    const grown = new Uint8Array(good.length + 1);
    grown.set(good);
    expect(unpackPeaks(grown).ok).toBe(false);
  });
});

test('at every zoom a column covers its time, and columns never exceed the real peaks', () => {
  forAll(
    chunk,
    fc.nat(20_000),
    fc.integer({ min: 10, max: 40_000 }),
    fc.integer({ min: 1, max: 300 }),
    (peaks, from, span, width) => {
      const pyramid = createPeakPyramid();
      pyramid.append(peaks);
      const columns = pyramid.columns(from, from + span, width);
      const exactLow = Array.from(peaks.min.subarray(Math.ceil(from / 10), Math.floor((from + span) / 10)));
      const exactHigh = Array.from(peaks.max.subarray(Math.ceil(from / 10), Math.floor((from + span) / 10)));
      const low = Math.round(Math.min(0, ...columns.min) * 127);
      const high = Math.round(Math.max(0, ...columns.max) * 127);
      expect(low).toBeLessThanOrEqual(Math.min(0, ...exactLow));
      expect(high).toBeGreaterThanOrEqual(Math.max(0, ...exactHigh));
      expect(low).toBeGreaterThanOrEqual(Math.min(0, ...peaks.min));
      expect(high).toBeLessThanOrEqual(Math.max(0, ...peaks.max));
    },
  );
});
