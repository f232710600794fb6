import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCuts } from './compare.ts';
import type { TimeSpan, Transcript } from './transcript.ts';

const uncut: Transcript = { language: 'uz', durationMs: 100, speakers: [], segments: [] };

describe('the cut silences of two transcripts', () => {
  const cutAt = (...spans: readonly (readonly [number, number])[]): Transcript => ({
    ...uncut,
    cuts: spans.map(([startMs, endMs]) => ({ startMs, endMs })),
  });

  it.each([
    ['none in either', uncut, uncut, 0, 0],
    ['two more', uncut, cutAt([1, 2], [4, 6]), 2, 0],
    ['one more of two', cutAt([1, 2]), cutAt([1, 2], [4, 6]), 1, 0],
    ['none any more', cutAt([1, 2], [4, 6]), uncut, 0, 2],
    ['another one', cutAt([1, 2]), cutAt([4, 6]), 1, 1],
    ['a longer one', cutAt([1, 2]), cutAt([1, 3]), 1, 0],
    ['one of two that met', cutAt([1, 6]), cutAt([1, 2], [4, 6]), 2, 0],
  ])('differ by %s', (_, before, after, cutCount, uncutCount) => {
    expect(compareCuts(before, after)).toEqual({ cutCount, uncutCount });
  });

  it('differ by at least one exactly when they are not the same', () => {
    const cuts = fc
      .uniqueArray(fc.nat(40), { maxLength: 12 })
      .map((times): readonly TimeSpan[] =>
        times
          .toSorted((a, b) => a - b)
          .flatMap((startMs, at, all) =>
            at % 2 === 0 && all[at + 1] !== undefined ? [{ startMs, endMs: all[at + 1] ?? 0 }] : [],
          ),
      );
    fc.assert(
      fc.property(cuts, cuts, (one, other) => {
        const { cutCount, uncutCount } = compareCuts({ ...uncut, cuts: one }, { ...uncut, cuts: other });
        expect(cutCount + uncutCount > 0).toBe(JSON.stringify(one) !== JSON.stringify(other));
      }),
    );
  });
});
