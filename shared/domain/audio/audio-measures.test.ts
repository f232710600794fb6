import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { reachLoudness } from './limiter.ts';
import { createLoudnessMeter, gainBetween } from './loudness.ts';
import { changeTempo } from './stretch-audio.ts';

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
    forAllIn(20, fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 60 }), (cuts) => {
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
    });
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

  it('of silence and of nothing is not a number but null', () => {
    const meter = createLoudnessMeter(16_000, 1);
    expect(meter.read()).toEqual({ integratedLufs: null, noiseFloorDb: null, truePeakDb: null });
    meter.add([new Float32Array(32_000)]);
    expect(meter.read()).toMatchObject({ integratedLufs: null, truePeakDb: null });
  });

  it('a gain between two loudnesses never exceeds 20 dB', () => {
    expect(gainBetween(-29, -23)).toBeCloseTo(1.995, 3);
    expect(gainBetween(-80, -16)).toBeCloseTo(10, 6);
  });
});

const rate = 24_000;
const tone = (hertz: number, length: number) =>
  Float32Array.from({ length }, (_, sample) => 0.5 * Math.sin((2 * Math.PI * hertz * sample) / rate));
const crossings = (samples: Float32Array): number =>
  samples.reduce((count, sample, at) => count + (at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0 ? 1 : 0), 0);

it('a sentence is heard faster or slower at its own pitch, without a click', () => {
  for (const hertz of [110, 240]) {
    for (const tempo of [0.5, 0.95, 1.05, 1.3, 2]) {
      const spoken = tone(hertz, rate);
      const heard = changeTempo(spoken, tempo);
      const seconds = heard.length / rate;
      expect(Math.abs(seconds - 1 / tempo)).toBeLessThan(0.02);
      expect(Math.abs(crossings(heard) / (2 * seconds) - hertz)).toBeLessThan(0.03 * hertz);
      const steps = heard.slice(1).map((sample, at) => Math.abs(sample - (heard[at] ?? 0)));
      expect(Math.max(...steps)).toBeLessThan(1.5 * 0.5 * ((2 * Math.PI * hertz) / rate));
    }
  }
});
