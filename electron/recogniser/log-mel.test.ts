import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../tests/support/for-all.ts';
import { bins, framesOf, logMel } from './log-mel.ts';

/** The definition, without a shortcut: a Hann window of 320, its power spectrum, 64 HTK triangles, the logarithm. */
function byDefinition(samples: Float32Array, frame: number): number[] {
  const mel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
  const hertz = (at: number) => 700 * (10 ** ((mel(8000) * at) / 65 / 2595) - 1);
  const power = Array.from({ length: 161 }, (_, line) => {
    let [real, imaginary] = [0, 0];
    for (let at = 0; at < 320; at += 1) {
      const value = (samples[frame * 160 + at] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / 320));
      real += value * Math.cos((2 * Math.PI * line * at) / 320);
      imaginary -= value * Math.sin((2 * Math.PI * line * at) / 320);
    }
    return real ** 2 + imaginary ** 2;
  });
  return Array.from({ length: bins }, (_, bin) => {
    const [low, mid, high] = [hertz(bin), hertz(bin + 1), hertz(bin + 2)];
    const sum = power.reduce((all, value, line) => {
      const at = line * 50;
      return all + value * Math.max(0, Math.min((at - low) / (mid - low), (high - at) / (high - mid)));
    }, 0);
    return Math.log(Math.min(Math.max(sum, 1e-9), 1e9));
  });
}

it('features are those of the definition, whatever the audio is', () => {
  const audio = fc.float32Array({ minLength: 320, maxLength: 1200, min: -1, max: 1, noNaN: true });
  forAllIn(40, audio, (samples) => {
    const energies = logMel(samples);
    const frames = framesOf(samples.length);
    const last = frames - 1;
    const wanted = byDefinition(samples, last);
    for (const [bin, value] of wanted.entries()) expect(energies[bin * frames + last]).toBeCloseTo(value, 3);
  });
});
