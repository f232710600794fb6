import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOffset } from './find-offset.ts';
import { reachLoudness } from './limiter.ts';
import { createLoudnessMeter, gainBetween } from './loudness.ts';

const fixtures = fileURLToPath(new URL('../../../tests/fixtures/audio/', import.meta.url));
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** A sine of `frequency` at `level` (0 to 1). */
const sine = (frequency: number, level: number, seconds: number, sampleRate: number) =>
  Float32Array.from(
    { length: seconds * sampleRate },
    (_, at) => level * Math.sin((2 * Math.PI * frequency * at) / sampleRate),
  );

describe('loudness', () => {
  it.each([48_000, 44_100, 24_000, 16_000])(
    'of a stereo tone of 997 Hz at -23 dBFS is -23 LUFS at %i Hz',
    (sampleRate) => {
      const tone = sine(997, 10 ** (-23 / 20), 5, sampleRate);
      const meter = createLoudnessMeter(sampleRate, 2);
      meter.add([tone, tone]);
      expect(meter.read().integratedLufs).toBeCloseTo(-23, 1);
      expect(meter.read().truePeakDb).toBeCloseTo(-23, 1);
    },
  );

  it('does not depend on how the samples were cut, and pauses do not count', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 60 }), (cuts) => {
        const speech = Float32Array.from([...sine(300, 0.2, 2, 8000), ...new Float32Array(16_000)]);
        const [whole, pieces] = [createLoudnessMeter(8000, 1), createLoudnessMeter(8000, 1)];
        whole.add([speech]);
        let at = 0;
        for (const cut of cuts) {
          pieces.add([speech.subarray(at, at + cut)]);
          at += cut;
        }
        pieces.add([speech.subarray(at)]);
        expect(pieces.read().integratedLufs).toBeCloseTo(whole.read().integratedLufs ?? 0, 6);
      }),
      { numRuns: 20 },
    );
  });

  it.each([-14, -16, -23])(
    'a target of %i LUFS is reached, however high single peaks are, below -1 dBTP',
    async (target) => {
      const speech = sine(300, 0.12, 3, 24_000);
      // A syllable that is eight times as loud, every half second.
      for (let at = 6000; at < speech.length; at += 12_000)
        for (let peak = at; peak < at + 300; peak += 1) speech[peak] = (speech[peak] ?? 0) * 8;
      await reachLoudness(speech, 24_000, { lufs: target, peakDb: -1 }, () => Promise.resolve());
      const meter = createLoudnessMeter(24_000, 1);
      meter.add([speech]);
      const { integratedLufs, truePeakDb } = meter.read();
      expect(Math.abs((integratedLufs ?? 0) - target)).toBeLessThan(0.2);
      expect(truePeakDb).toBeLessThan(-1);
    },
  );

  it('the peak is that of the wave, also where every sample stands beside it', () => {
    const between = Float32Array.from(
      { length: 4800 },
      (_, at) => 0.5 * Math.min(1, at / 480) * Math.sin(Math.PI / 4 + (at * Math.PI) / 2),
    );
    const meter = createLoudnessMeter(48_000, 1);
    for (let at = 0; at < between.length; at += 100) meter.add([between.subarray(at, at + 100)]);
    expect(Math.max(...between)).toBeCloseTo(0.354, 3);
    expect(meter.read().truePeakDb).toBeCloseTo(20 * Math.log10(0.5), 1);
  });

  it('of silence and of nothing is not a number but null', () => {
    const meter = createLoudnessMeter(16_000, 1);
    expect(meter.read()).toEqual({ integratedLufs: null, noiseFloorDb: null, truePeakDb: null });
    meter.add([new Float32Array(32_000)]);
    expect(meter.read()).toMatchObject({ integratedLufs: null, truePeakDb: null });
  });

  it.skipIf(!hasFfmpeg)('agrees with ffmpeg ebur128 within 0.1 LU on every recording of the fixtures', () => {
    const everyOne = readdirSync(fixtures).filter((name) => /\.(mp3|wav|m4a|ogg|flac)$/.test(name));
    const files = process.env['OVOZ_LONG'] === undefined ? everyOne.filter((_, at) => at % 2 === 0) : everyOne;
    const compared = files.flatMap((name) => {
      const decoded = spawnSync(
        'ffmpeg',
        ['-v', 'error', '-i', join(fixtures, name), '-ac', '1', '-ar', '48000', '-f', 'f32le', '-'],
        { maxBuffer: 1 << 30 },
      );
      if (decoded.status !== 0 || decoded.stdout.length < 48_000 * 4) return [];
      const samples = new Float32Array(
        decoded.stdout.buffer.slice(decoded.stdout.byteOffset, decoded.stdout.byteOffset + decoded.stdout.length),
      );
      const report = spawnSync(
        'ffmpeg',
        ['-nostats', '-f', 'f32le', '-ar', '48000', '-ac', '1', '-i', '-', '-af', 'ebur128', '-f', 'null', '-'],
        { input: decoded.stdout, encoding: 'utf8' },
      ).stderr;
      const theirs = Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(report)?.[1]);
      const meter = createLoudnessMeter(48_000, 1);
      meter.add([samples]);
      const ours = meter.read().integratedLufs;
      return ours === null || theirs <= -70 ? [] : [{ name, difference: Math.abs(ours - theirs) }];
    });
    expect(compared.length).toBeGreaterThan(3);
    expect(compared.filter(({ difference }) => difference > 0.1)).toEqual([]);
  });

  const speech = fileURLToPath(new URL('../../../assets/samples/interview-uz.mp3', import.meta.url));
  const noisy = fileURLToPath(new URL('../../../assets/noisy/street-uz.mp3', import.meta.url));
  /** Ten recordings that differ in rate, channels, level, pauses and noise: input, filter, samples per second, channels. */
  const made: readonly (readonly [string, string, number, 1 | 2])[] = [
    [speech, 'anull', 48_000, 1],
    [speech, 'volume=-18dB', 44_100, 1],
    [speech, 'volume=9dB', 24_000, 1],
    [speech, 'anull', 16_000, 1],
    [speech, 'pan=stereo|c0=c0|c1=0.4*c0', 48_000, 2],
    [speech, 'adelay=12s:all=1,apad=pad_dur=20', 44_100, 1],
    [noisy, 'anull', 48_000, 1],
    [noisy, 'volume=-30dB', 32_000, 1],
    [noisy, 'pan=stereo|c0=c0|c1=-1*c0,highpass=f=300', 44_100, 2],
    [noisy, 'acompressor=ratio=8:threshold=-30dB,volume=6dB', 22_050, 1],
  ];

  it.skipIf(!hasFfmpeg)(
    'agrees with ffmpeg ebur128 within 0.1 LU and 0.3 dBTP on ten generated recordings',
    { tags: ['long'] },
    () => {
      const differences = made.map(([input, filter, sampleRate, channelCount]) => {
        const shape = ['-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channelCount)];
        const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', input, '-af', filter, ...shape, '-'], {
          maxBuffer: 1 << 30,
        });
        const report = spawnSync(
          'ffmpeg',
          ['-nostats', ...shape, '-i', '-', '-af', 'ebur128=peak=true', '-f', 'null', '-'],
          {
            input: stdout,
            encoding: 'utf8',
          },
        ).stderr;
        const theirs = Number(/Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/u.exec(report)?.[1]);
        const frames = stdout.length / 4 / channelCount;
        const samples = new Float32Array(Uint8Array.from(stdout).buffer);
        const channels = Array.from({ length: channelCount }, (_, channel) =>
          Float32Array.from({ length: frames }, (__, at) => samples[at * channelCount + channel] ?? 0),
        );
        const meter = createLoudnessMeter(sampleRate, channelCount);
        meter.add(channels);
        const theirPeak = Number(/True peak:\s+Peak:\s+(-?[\d.]+) dBFS/u.exec(report)?.[1]);
        const { integratedLufs, truePeakDb } = meter.read();
        return [Math.abs((integratedLufs ?? 0) - theirs), Math.abs((truePeakDb ?? 99) - theirPeak)] as const;
      });
      expect(differences).toHaveLength(10);
      // ffmpeg prints one decimal.
      expect(Math.max(...differences.map(([loudness]) => loudness))).toBeLessThanOrEqual(0.1);
      expect(Math.max(...differences.map(([, peak]) => peak))).toBeLessThanOrEqual(0.3);
    },
  );

  it('a gain between two loudnesses never exceeds 20 dB', () => {
    expect(gainBetween(-29, -23)).toBeCloseTo(1.995, 3);
    expect(gainBetween(-80, -16)).toBeCloseTo(10, 6);
  });
});

describe('the offset of two recordings of the same audio', () => {
  it('is found to the sample, despite noise and another level', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2000, max: 2000 }), fc.integer(), (shift, seed) => {
        let state = seed >>> 0 || 1;
        const random = () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return state / 2 ** 31 - 1;
        };
        const source = Float32Array.from(
          { length: 24_000 },
          (_, at) => random() * (Math.sin(at / 900) > 0.2 ? 1 : 0.05),
        );
        const first = source.slice(4000, 20_000);
        const second = source.slice(4000 - shift, 20_000 - shift).map((sample) => 0.4 * sample + 0.02 * random());
        const found = findOffset(first, second, 2400);
        expect(found.samples).toBe(shift);
        expect(found.correlation).toBeGreaterThan(0.8);
      }),
      { numRuns: 5 },
    );
  });
});
