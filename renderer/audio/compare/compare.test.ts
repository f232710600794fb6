import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sourceOf } from '../../../tests/support/byte-source-of.ts';
import { decodeMp3WithPadding } from '../../../shared/decoding/decode-mp3.ts';
import {
  levelRatio,
  matchGain,
  mixGains,
  peakGain,
  type CompareMeasures,
  type ResultMeasures,
} from './compare-measures.ts';
import { inPieces } from './in-pieces.ts';
import { createSpectrogramBuilder, type Spectrogram } from './spectrogram.ts';

const result = (integratedLufs: number, voiceGain: number): ResultMeasures => ({
  loudness: { integratedLufs, noiseFloorDb: -70, truePeakDb: -3 },
  offsetMs: 0,
  correlation: 0.9,
  voiceGain,
});

const measures = (original: number, isolated: number, voiceGain = 1): CompareMeasures => ({
  original: { integratedLufs: original, noiseFloorDb: -30, truePeakDb: -3 },
  isolated: result(isolated, voiceGain),
  variant: null,
});

describe('playback of two recordings', () => {
  it('matches their loudness and never amplifies one', () => {
    const loudness = fc.double({ min: -40, max: -21, noNaN: true });
    fc.assert(
      fc.property(loudness, loudness, (original, isolated) => {
        const known = measures(original, isolated);
        const [one, other] = [matchGain('original', known), matchGain('isolated', known)];
        expect(Math.max(one, other)).toBe(1);
        const heard = [original + 20 * Math.log10(one), isolated + 20 * Math.log10(other)] as const;
        expect(Math.abs(heard[0] - heard[1])).toBeLessThan(0.5);
      }),
    );
  });

  it('matches three to the loudness of the quietest', () => {
    const known = { ...measures(-20, -26), variant: result(-23, 1) };
    expect(mixGains({ tag: 'isolated' }, known, true)).toEqual([0, 1, 0]);
    const [, , gain] = mixGains({ tag: 'variant' }, known, true);
    expect(20 * Math.log10(gain)).toBeCloseTo(-3);
    expect(20 * Math.log10(matchGain('original', known))).toBeCloseTo(-6);
  });

  it('removes the voice from the original, however loud the service made it', () => {
    const [original, isolated] = mixGains({ tag: 'removed' }, measures(-20, -26, 0.5), true);
    const [voice, noise] = [0.4, 0.1];
    expect(original * (voice + noise) + isolated * voice * 0.5).toBeCloseTo(noise);
  });

  it('blends from one to the other at the level of the isolated voice', () => {
    const known = measures(-20, -26, 0.5);
    expect(mixGains({ tag: 'blend', share: 1 }, known, true)).toEqual([0, 1, 0]);
    expect(mixGains({ tag: 'blend', share: 0 }, known, true)).toEqual([0.5, 0, 0]);
  });

  it('what is saved stays a decibel below full scale, and is not lowered where it would anyway', () => {
    const known = measures(-20, -26, 1);
    expect(peakGain([0.2, 0.8, 0], known)).toBe(1);
    expect(20 * Math.log10(peakGain([0.6, 1.4, 0], known) * 2 * 10 ** (-3 / 20))).toBeCloseTo(-1);
    expect(peakGain([1, 0, 0], null)).toBe(1);
  });

  it('finds the level of a voice in noise', () => {
    const voice = Float32Array.from({ length: 4000 }, (_, at) => Math.sin(at / 7));
    const noisy = voice.map((value, at) => value + 0.3 * Math.sin(at * 1.7));
    expect(
      levelRatio(
        noisy,
        voice.map((value) => value * 0.5),
      ),
    ).toBeCloseTo(0.5, 1);
  });
});

describe('pieces of a stream', () => {
  it('have the same lengths whatever the blocks were, and keep every sample', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 1, max: 50 }),
        async (lengths, frames, pieceFrames) => {
          let next = 1;
          const all: number[] = [];
          async function* blocks() {
            for (const length of lengths) {
              const block = Float32Array.from({ length }, () => next++);
              all.push(...block);
              yield [block];
            }
          }
          const got: number[][] = [];
          for await (const [piece] of inPieces(blocks(), frames, pieceFrames)) got.push([...(piece ?? [])]);
          const wanted = Array.from({ length: frames }, (_, at) => all[at] ?? 0);
          expect(got.flat()).toEqual(wanted);
          expect(got.slice(0, -1).every((piece) => piece.length === pieceFrames)).toBe(true);
        },
      ),
    );
  });
});

describe('a spectrogram', () => {
  const rate = 16_000;
  const tone = (hz: number, seconds: number) =>
    Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / rate));
  /** The loudest frequency of a column. */
  const loudest = ({ levels, bins, highestHz }: Spectrogram, column: number) => {
    const own = levels.subarray(column * bins, (column + 1) * bins);
    return (own.indexOf(Math.max(...own)) * highestHz) / bins;
  };

  it('shows a tone at its frequency and time, however the samples were cut and however long it is', () => {
    for (const seconds of [2, 60]) {
      const [low, high] = [tone(500, seconds), tone(3000, seconds)];
      const builder = createSpectrogramBuilder(low.length + high.length, rate);
      for (const part of [low, high])
        for (let at = 0; at < part.length; at += 777) builder.add(part.subarray(at, at + 777));
      const drawn = builder.finish();
      expect(loudest(drawn, Math.floor(drawn.columns * 0.2))).toBeCloseTo(500, -2);
      expect(loudest(drawn, Math.floor(drawn.columns * 0.8))).toBeCloseTo(3000, -2);
    }
  });

  it('is black where there is silence', () => {
    const builder = createSpectrogramBuilder(rate, rate);
    builder.add(new Float32Array(rate));
    expect(builder.finish().levels.every((level) => level === 0)).toBe(true);
  });
});

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

describe('the measurement of an MP3', () => {
  // The browser's decoder is ffmpeg's; `skip_manual` keeps the encoder's padding, as WebCodecs does.
  it.skipIf(!hasFfmpeg).each(['noisy/street-uz.mp3', 'samples/interview-uz.mp3'])(
    'has the samples that are played, exactly: %s',
    async (name) => {
      const path = fileURLToPath(new URL(`../../../assets/${name}`, import.meta.url));
      const { stdout } = spawnSync(
        'ffmpeg',
        ['-v', 'error', '-flags2', '+skip_manual', '-i', path, '-map', '0:a', '-ac', '1', '-f', 'f32le', '-'],
        { maxBuffer: 1 << 30 },
      );
      const played = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
      let at = 0;
      let furthest = 0;
      for await (const { channels, frames } of decodeMp3WithPadding(sourceOf(Uint8Array.from(readFileSync(path))))) {
        for (let index = 0; index < frames; index += 1, at += 1)
          furthest = Math.max(furthest, Math.abs((channels[0]?.[index] ?? 0) - (played[at] ?? 1)));
      }
      expect(at).toBe(played.length);
      expect(furthest).toBeLessThan(1e-4);
    },
  );
});
