import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPeaks, unpackPeaks } from '../../../shared/domain/audio/packed-peaks.ts';
import { createPeakBuilder, joinPeaks, type PeakChunk } from '../../../shared/domain/audio/peak-builder.ts';
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

test('there is one bucket per 10 ms of audio, however the rate divides', () => {
  fc.assert(
    fc.property(samples, rate, (channel, sampleRate) => {
      const { min } = build([channel], sampleRate);
      expect(min.length).toBe(Math.floor(((channel.length - 1) * 100) / sampleRate) + 1);
    }),
  );
});

test('cutting the samples into blocks changes nothing', () => {
  fc.assert(
    fc.property(samples, rate, fc.array(fc.nat(6000), { maxLength: 8 }), (channel, sampleRate, cuts) => {
      expect(build([channel], sampleRate, cuts)).toEqual(build([channel], sampleRate));
    }),
  );
});

test('16-bit integers of several channels give the peaks that they give as fractions', () => {
  const shorts = fc.int16Array({ minLength: 1, maxLength: 3000 });
  fc.assert(
    fc.property(shorts, shorts, rate, fc.nat(3000), (left, right, sampleRate, cut) => {
      const frames = Math.min(left.length, right.length);
      const byTurns = Int16Array.from({ length: 2 * frames }, (_, at) => (at % 2 === 0 ? left : right)[at >> 1] ?? 0);
      const builder = createPeakBuilder();
      const middle = Math.min(cut, frames);
      builder.addShorts(byTurns.subarray(0, 2 * middle), middle, sampleRate);
      builder.addShorts(byTurns.subarray(2 * middle), frames - middle, sampleRate);
      builder.finish();
      const fractions = [left, right].map((values) => Float32Array.from(values.subarray(0, frames), (v) => v / 32_768));
      expect(builder.take()).toEqual(build(fractions, sampleRate));
    }),
  );
});

test('a bucket holds the extremes of all its channels, and is never louder than they are', () => {
  fc.assert(
    fc.property(samples, rate, (left, sampleRate) => {
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
    }),
    { numRuns: 40 },
  );
});

test('however loud samples are, of damaged sound too, they are clipped', () => {
  for (const loud of [1.5, 900, 2048, 3000, 4096, 1e30, Infinity]) {
    const { min, max } = build([Float32Array.of(0, loud, -loud, 0.1)], 8000);
    expect([loud, min[0], max[0]]).toEqual([loud, -127, 127]);
    expect(build([Float32Array.of(0.5, loud)], 8000)).toMatchObject({ min: { 0: 64 }, max: { 0: 127 } });
    expect(build([Float32Array.of(NaN, 0.5, loud)], 8000)).toMatchObject({ min: { 0: 0 }, max: { 0: 127 } });
  }
});

test('after a change of the sample rate the buckets continue without a gap', () => {
  const builder = createPeakBuilder();
  builder.add([new Float32Array(8000).fill(0.5)], 8000, 8000);
  builder.add([new Float32Array(44_100).fill(0.25)], 44_100, 44_100);
  builder.finish();
  const { max } = builder.take();
  expect(max.length).toBe(200);
  expect([max[99], max[100]]).toEqual([64, 32]);
});

test('packed peaks read back as they were', () => {
  fc.assert(
    fc.property(chunk, (peaks) => {
      const read = unpackPeaks(packPeaks(peaks));
      expect(read).toEqual({ ok: true, value: peaks });
    }),
  );
});

test('a packed file with a changed byte, cut or grown is refused', () => {
  fc.assert(
    fc.property(chunk, fc.nat(), fc.integer({ min: 1, max: 255 }), (peaks, where, change) => {
      const good = packPeaks(peaks);
      const bad = good.slice();
      bad[where % bad.length] = (bad[where % bad.length] ?? 0) ^ change;
      expect(unpackPeaks(bad).ok).toBe(false);
      expect(unpackPeaks(good.slice(0, where % good.length)).ok).toBe(false);
      const grown = new Uint8Array(good.length + 1);
      grown.set(good);
      expect(unpackPeaks(grown).ok).toBe(false);
    }),
  );
});

test('at every zoom a column covers its time, and columns never exceed the real peaks', () => {
  fc.assert(
    fc.property(
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
    ),
  );
});

test('where a bucket is wider than a column, neighbouring columns differ by less than a step from bucket to bucket', () => {
  const pyramid = createPeakPyramid();
  const loud = [0, 100, 20, 120];
  pyramid.append({
    min: Int8Array.from(loud, (value) => -value),
    max: Int8Array.from(loud),
    rms: Uint8Array.from(loud),
  });
  const { max, min } = pyramid.columns(0, 40, 40);
  const steps = max.slice(1).map((value, at) => Math.abs(value - (max[at] ?? 0)) * 127);
  expect(Math.max(...steps)).toBeLessThan(21);
  expect(Math.max(...max) * 127).toBeCloseTo(120);
  expect([...min].map(Math.abs)).toEqual([...max]);
});

test('a pyramid built piece by piece equals one built at once', () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 6 }), (pieces) => {
      const grown = createPeakPyramid(1000);
      for (const piece of pieces) grown.append(piece);
      const whole = createPeakPyramid();
      whole.append(grown.all());
      const end = grown.durationMs + 50;
      for (const width of [1, 7, 90]) expect(grown.columns(0, end, width)).toEqual(whole.columns(0, end, width));
      expect(grown.loudest).toBe(whole.loudest);
    }),
    { numRuns: 30 },
  );
});

test('a pyramid that is looked at while it grows loses nothing of it at any zoom', () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 2, maxLength: 6 }), (pieces) => {
      const looks = [1, 7, 90].map((width) => [0, 10 * joinPeaks(pieces).min.length + 50, width] as const);
      const grown = createPeakPyramid();
      for (const piece of pieces) {
        grown.append(piece);
        for (const look of looks) grown.columns(...look);
      }
      const whole = createPeakPyramid();
      whole.append(joinPeaks(pieces));
      for (const look of looks) expect(grown.columns(...look)).toEqual(whole.columns(...look));
    }),
    { numRuns: 30 },
  );
});

test('no columns are no picture', () => {
  const pyramid = createPeakPyramid();
  pyramid.append({ min: Int8Array.of(-9), max: Int8Array.of(9), rms: Uint8Array.of(9) });
  expect(pyramid.columns(0, 1000, 0).max).toHaveLength(0);
});
