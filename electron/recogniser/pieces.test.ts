import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../tests/support/for-all.ts';
import { rate } from './log-mel.ts';
import { piecesOf, audioOfPieces } from './recogniser-worker.ts';

/** Stretches of speech as `findSpeech` gives them: in order, disjoint, at most 15 s. */
const recordings = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 30_000 }), length: fc.integer({ min: 200, max: 15_000 }) }), {
    maxLength: 30,
  })
  .map((parts) => {
    let at = 0;
    const speech = parts.map(({ gap, length }) => {
      const startMs = at + gap;
      at = startMs + length;
      return { startMs, endMs: at };
    });
    return { speech, durationMs: at + 500 };
  });

it('pieces are in order, disjoint, at most 25 s, and contain all speech', () => {
  forAll(recordings, ({ speech, durationMs }) => {
    const pieces = piecesOf(speech, durationMs);
    let free = 0;
    for (const { startMs, endMs } of pieces) {
      expect(startMs).toBeGreaterThanOrEqual(free);
      expect(endMs - startMs).toBeLessThanOrEqual(25_000);
      free = endMs;
    }
    expect(free).toBeLessThanOrEqual(durationMs);
    for (const span of speech)
      expect(pieces.some(({ startMs, endMs }) => startMs <= span.startMs && endMs >= span.endMs)).toBe(true);
  });
});

it('the audio of a piece is that of its place, however the file is cut into blocks', async () => {
  const total = rate * 3;
  const whole = Float32Array.from({ length: total }, (_, at) => at / total);
  const blocks = async function* (sizes: readonly number[]) {
    let at = 0;
    for (let turn = 0; at < total; turn += 1) {
      const next = Math.min(total, at + (sizes[turn % sizes.length] ?? 1));
      yield { channels: [whole.subarray(at, next)], sampleRate: rate };
      at = next;
    }
  };
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.array(fc.integer({ min: 100, max: 20_000 }), { minLength: 1 }), async (at, sizes) => {
      const sorted = at.toSorted((a, b) => a - b);
      const pieces = sorted
        .slice(0, -1)
        .map((startMs, one) => ({ startMs, endMs: sorted[one + 1] ?? startMs, speech: [] }));
      const found: Float32Array[] = [];
      for await (const audio of audioOfPieces(blocks(sizes), pieces)) found.push(audio);
      expect(found).toEqual(pieces.map(({ startMs, endMs }) => whole.slice(startMs * 16, endMs * 16)));
    }),
    { numRuns: 60 },
  );
});
