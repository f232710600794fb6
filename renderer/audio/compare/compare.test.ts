import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { matchGain, mixGains, type CompareMeasures, type ResultMeasures } from './compare-measures.ts';
import { inPieces } from './in-pieces.ts';
import { openMix } from './mix.ts';

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
    forAll(loudness, loudness, (original, isolated) => {
      const known = measures(original, isolated);
      const [one, other] = [matchGain('original', known), matchGain('isolated', known)];
      expect(Math.max(one, other)).toBe(1);
      const heard = [original + 20 * Math.log10(one), isolated + 20 * Math.log10(other)] as const;
      expect(Math.abs(heard[0] - heard[1])).toBeLessThan(0.5);
    });
  });

  it('removes the voice from the original, however loud the service made it', () => {
    const [original, isolated] = mixGains({ tag: 'removed' }, measures(-20, -26, 0.5), true);
    const [voice, noise] = [0.4, 0.1];
    expect(original * (voice + noise) + isolated * voice * 0.5).toBeCloseTo(noise);
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

describe('a mix', () => {
  afterEach(() => vi.unstubAllGlobals());

  const rate = 8;
  /** Answers as main does, and tells what is read. */
  const serve = (tracks: Readonly<Record<string, readonly number[]>>) => {
    const read: string[] = [];
    vi.stubGlobal('fetch', async (address: string) => {
      const { hostname, searchParams } = new URL(address);
      const samples = tracks[hostname] ?? [];
      if (searchParams.has('rate')) read.push(hostname);
      return new Response(Float32Array.from(samples.slice(Number(searchParams.get('from')) * rate)), {
        headers: {
          'sample-rate': String(rate),
          'channel-count': '1',
          'duration-ms': String((samples.length * 1000) / rate),
        },
      });
    });
    return read;
  };
  const mixed = async (gains: readonly [number, number], offsetMs: number) => {
    const { read } = await openMix({ original: 'media://original', isolated: 'media://isolated', gains, offsetMs });
    const got: number[] = [];
    for await (const [plane] of read()) got.push(...(plane ?? []));
    return got;
  };
  const original = Array.from({ length: 20 }, (_, at) => at + 1);
  const isolated = Array.from({ length: 18 }, (_, at) => 100 * (at + 1));

  it('is as long as the original and adds the result, by their gains, from its offset on', async () => {
    const read = serve({ original, isolated });
    const [early, late] = [await mixed([1, -0.5], 250), await mixed([1, -0.5], -250)];
    expect(early).toEqual(original.map((value, at) => value - 0.5 * (isolated[at + 2] ?? 0)));
    expect(late).toEqual(original.map((value, at) => value - 0.5 * (isolated[at - 2] ?? 0)));
    expect(read).toEqual(['original', 'isolated', 'original', 'isolated']);
  });

  it('does not read a track that has no share in it', async () => {
    const read = serve({ original, isolated });
    expect(await mixed([0, 1], 0)).toEqual([...isolated, 0, 0]);
    expect(read).toEqual(['isolated']);
  });
});
