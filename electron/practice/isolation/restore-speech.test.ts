import { expect, it } from 'vitest';
import { SpeechRestorer } from './restore-speech.ts';

const rate = 16_000;
const tone = (loudness: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, at) => loudness * Math.sin((2 * Math.PI * 220 * at) / rate));
const levelOf = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

it('evens out soft and loud speech, leaves silence silent, and never clips', () => {
  const restorer = new SpeechRestorer(rate);
  const soft = restorer.push(tone(0.03, 3)).subarray(2 * rate);
  const loud = restorer.push(tone(0.9, 3)).subarray(2 * rate);
  expect(levelOf(loud) / levelOf(soft)).toBeLessThan(1.3);
  expect(levelOf(tone(0.9, 1)) / levelOf(tone(0.03, 1))).toBeGreaterThan(25);
  restorer.push(new Float32Array(3 * rate));
  expect(levelOf(restorer.push(tone(0.001, 2)))).toBeLessThan(0.002);
  const shout = new SpeechRestorer(rate).push(tone(5, 1));
  expect(shout.every((value) => Math.abs(value) <= 1)).toBe(true);
});

it('gives the same result however the audio is cut into blocks', () => {
  const audio = tone(0.3, 1);
  const whole = new SpeechRestorer(rate).push(audio);
  const restorer = new SpeechRestorer(rate);
  const parts = [audio.subarray(0, 77), audio.subarray(77)].flatMap((part) => [...restorer.push(part)]);
  expect(Float32Array.from(parts)).toEqual(whole);
});
