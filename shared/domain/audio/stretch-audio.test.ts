import { expect, it } from 'vitest';
import { changeTempo, stretchAudio } from './stretch-audio.ts';

const rate = 24_000;
const tone = (hertz: number, length: number) =>
  Float32Array.from({ length }, (_, sample) => 0.5 * Math.sin((2 * Math.PI * hertz * sample) / rate));
const crossings = (samples: Float32Array): number =>
  samples.reduce((count, sample, at) => count + (at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0 ? 1 : 0), 0);

it('the first 20 ms last as long as requested, start and end as they were, and keep their pitch', () => {
  for (const hertz of [110, 180, 240]) {
    const first = tone(hertz, 480);
    const stretched = stretchAudio(first, 1560);
    expect(stretched.length).toBeGreaterThanOrEqual(1560);
    expect(stretched.length).toBeLessThan(1560 + 120);
    expect(stretched.slice(0, 120)).toEqual(first.slice(0, 120));
    expect(stretched.slice(-120)).toEqual(first.slice(-120));
    const seconds = stretched.length / rate;
    expect(Math.abs(crossings(stretched) - 2 * hertz * seconds)).toBeLessThanOrEqual(3);
    const steps = stretched.slice(1).map((sample, at) => Math.abs(sample - (stretched[at] ?? 0)));
    // No click: no step larger than the tone's own, apart from the overlap.
    expect(Math.max(...steps)).toBeLessThan(1.5 * 0.5 * ((2 * Math.PI * hertz) / rate));
  }
});

it('audio that is long enough, or too short to overlap, stays unchanged', () => {
  const long = tone(200, 2000);
  expect(stretchAudio(long, 1560)).toBe(long);
  const short = tone(200, 300);
  expect(stretchAudio(short, 1560)).toBe(short);
});

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
