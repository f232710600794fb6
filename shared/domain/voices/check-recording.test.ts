import { describe, expect, it } from 'vitest';
import { cutRecording } from '../../../tests/support/cut-recording.ts';
import { checkRecording, isUsable } from './check-recording.ts';

const rate = 16_000;
const samplesOf = (wav: Buffer): Float32Array =>
  Float32Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + at * 2) / 32_768);
const cut = async (from: number, to: number) => samplesOf(await cutRecording(from, to));
/** The master alone, and the guest alone: 8 s from one place of the interview and the rest from another. */
const alone = async (...spans: readonly (readonly [number, number])[]): Promise<Float32Array> => {
  const parts = await Promise.all(spans.map(([from, to]) => cut(from, to)));
  return Float32Array.from(parts.flatMap((part) => [...part]));
};
const master = () => alone([9.4, 17.6], [21.5, 29.5]);
const gained = (samples: Float32Array, gain: number) =>
  samples.map((sample) => Math.max(-1, Math.min(1, sample * gain)));

describe('a recording of a voice before it is sent', () => {
  it('is good when one person speaks clearly for 10 to 30 seconds', async () => {
    const check = checkRecording(await master(), rate);
    expect(check).toMatchObject({ durationMs: 16_200, length: 'good', level: 'good', clipping: 'none' });
    expect(check).toMatchObject({ noise: 'low', speakers: 'one' });
    expect(isUsable(check)).toBe(true);
  });

  it('is too short, too long or silent, and then can’t be sent', async () => {
    const short = checkRecording(await cut(11, 20), rate);
    const long = checkRecording(await cut(0, 40), rate);
    const silent = checkRecording(new Float32Array(12 * rate), rate);
    expect([short.length, long.length, silent.level]).toEqual(['short', 'long', 'silent']);
    expect([short, long, silent].map(isUsable)).toEqual([false, false, false]);
    expect(silent.speakers).toBe('unknown');
  });

  it('is distinguished from one that is quiet, overdriven or noisy', async () => {
    const voice = await master();
    expect(checkRecording(gained(voice, 0.03), rate).level).toBe('quiet');
    const overdriven = checkRecording(gained(voice, 40), rate);
    expect([overdriven.level, overdriven.clipping]).toEqual(['loud', 'much']);
    let seed = 7;
    const noisy = voice.map((sample) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return sample * 0.5 + (seed / 2_147_483_647 - 0.5) * 0.12;
    });
    expect(checkRecording(noisy, rate).noise).toBe('much');
  });

  it('warns if it may contain two people', async () => {
    expect(checkRecording(await cut(4, 16), rate).speakers).toBe('several');
    for (const one of [await master(), await alone([0, 9], [18.2, 20.9])])
      expect(checkRecording(one, rate).speakers).toBe('one');
  });
});
