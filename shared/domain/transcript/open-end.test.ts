import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChange } from './change.ts';
import { findViolations } from './find-violations.ts';
import { moveEdgeOf, type EdgeMove } from './open-end.ts';
import { toTranscript } from './from-received.ts';

const captions = toTranscript(
  {
    text: '',
    segments: ['Salom.', 'Keling.', 'Rahmat.'].map((text, at) => ({
      text,
      startMs: at * 2000,
      endMs: at * 2000 + 1500,
      words: [],
    })),
  },
  { language: 'uz', durationMs: 5500 },
);
const after = (move: EdgeMove, isOpenEnded = true) => {
  const change = moveEdgeOf(captions, move, isOpenEnded);
  const applied = change.ok ? applyChange(captions, change.value) : null;
  const transcript = applied?.ok === true ? applied.value.transcript : captions;
  return { durationMs: transcript.durationMs, ends: transcript.segments.map(({ endMs }) => endMs) };
};
const move = (segmentId: string, toMs: number, isRippling = false): EdgeMove => ({
  segmentId,
  edge: 'end',
  toMs,
  isRippling,
});

test('the last end of captions without a recording goes as far as is wanted; with one it stops there', () => {
  expect(after(move('s3', 9000))).toEqual({ durationMs: 9000, ends: [1500, 3500, 9000] });
  expect(after(move('s3', 9000), false)).toEqual({ durationMs: 5500, ends: [1500, 3500, 5500] });
});

test('an end before another caption stops there and makes nothing longer', () => {
  expect(after(move('s1', 9000))).toEqual({ durationMs: 5500, ends: [2000, 3500, 5500] });
});

test('what is shifted along is not stopped by the last end either', () => {
  expect(after(move('s1', 4500, true))).toEqual({ durationMs: 8500, ends: [4500, 6500, 8500] });
  expect(after(move('s1', 4500, true), false)).toEqual({ durationMs: 5500, ends: [2000, 3500, 5500] });
});

test('any move keeps the transcript whole, and undoing it gives back the same one', () => {
  const moves = fc.record({
    segmentId: fc.constantFrom('s1', 's2', 's3'),
    edge: fc.constantFrom('start' as const, 'end' as const),
    toMs: fc.integer({ min: -2000, max: 20_000 }),
    isRippling: fc.boolean(),
  });
  fc.assert(
    fc.property(moves, (made) => {
      const change = moveEdgeOf(captions, made, true);
      if (!change.ok) return;
      const applied = applyChange(captions, change.value);
      if (!applied.ok) throw new Error(applied.error);
      expect(findViolations(applied.value.transcript)).toEqual([]);
      const undone = applyChange(applied.value.transcript, applied.value.inverse);
      expect(undone.ok && undone.value.transcript).toEqual(captions);
    }),
  );
});
