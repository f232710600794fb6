import { expect, it } from 'vitest';
import { findSpeakers } from './find-speakers.ts';
import type { RawWord } from './read-segments.ts';

/** The same numbers on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const turn = (startMs: number, endMs: number, speaker: string): RawWord => ({
  text: '',
  span: { start: { value: startMs, unit: 'ms' }, end: { value: endMs, unit: 'ms' } },
  speaker,
});

it('the speaker who overlaps a time the longest is found, as by checking every turn; of equals the first', () => {
  const next = numbers(7);
  for (let world = 0; world < 200; world += 1) {
    const spans = Array.from({ length: 1 + Math.floor(next() * 30) }, (_, at) => {
      const startMs = Math.floor(next() * 60);
      return { startMs, endMs: startMs + Math.floor(next() * 25), speaker: `S${at}` };
    });
    const found = findSpeakers(
      spans.map(({ startMs, endMs, speaker }) => turn(startMs, endMs, speaker)),
      1,
    );
    for (let from = 0; from < 90; from += 7) {
      for (const to of [from, from + 1, from + 20]) {
        let best: string | undefined;
        let longest = 0;
        for (const { startMs, endMs, speaker } of spans) {
          const overlap = Math.min(endMs, to) - Math.max(startMs, from);
          if (overlap > longest) [best, longest] = [speaker, overlap];
        }
        expect(found(from, to)).toBe(best);
      }
    }
  }
});

it('two hundred thousand turns are searched for as many times within seconds', () => {
  const count = 200_000;
  const turns = Array.from({ length: count }, (_, at) => turn(at * 1000, at * 1000 + 900, `S${at % 3}`));
  const found = findSpeakers(turns, 1);
  for (let at = 0; at < count; at += 1) expect(found(at * 1000, at * 1000 + 900) === `S${at % 3}`).toBe(true);
});
