import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { applyChange } from './change.ts';
import { cutSilences, cutSpans, findSilences, usualSilence } from './edit-marks.ts';
import type { Transcript, Word } from './transcript.ts';

const word = (startMs: number, endMs: number, more: Partial<Word> = {}): Word => ({
  text: 'a',
  startMs,
  endMs,
  ...more,
});
const transcript = (words: readonly Word[], durationMs: number): Transcript => ({
  language: 'uz',
  durationMs,
  speakers: [],
  segments: [
    { id: 's', speakerId: null, startMs: 0, endMs: durationMs, text: words.map(({ text }) => text).join(' '), words },
  ],
});
/** Ten seconds: loud, except from 2 to 4 s, from 6 to 6.5 s, and from 9 s to the end. */
const loudness = Uint8Array.from({ length: 1000 }, (_, at) =>
  (at >= 200 && at < 400) || (at >= 600 && at < 650) || at >= 900 ? 2 : 200,
);

it('long silences are cut, leaving a margin at their ends, and none at those of the recording', () => {
  expect(findSilences(transcript([], 10_000), loudness, 10, usualSilence)).toEqual([
    { startMs: 2150, endMs: 3850 },
    { startMs: 9150, endMs: 10_000 },
  ]);
  expect(findSilences(transcript([], 10_000), loudness, 10, { ...usualSilence, leastMs: 500, keepMs: 0 })).toHaveLength(
    3,
  );
});

it('silences lie within the recording, do not overlap, and contain no word with an exact time', () => {
  const rule = fc.record({ belowDb: fc.integer({ min: -40, max: -6 }), leastMs: fc.nat(900), keepMs: fc.nat(200) });
  const runs = fc.array(fc.tuple(fc.boolean(), fc.nat(150)), { maxLength: 8 });
  const gap = fc.tuple(fc.nat(60), fc.nat(30));
  forAll(runs, rule, fc.array(gap, { maxLength: 6 }), (run, one, gaps) => {
    const levels = run.flatMap(([isLoud, length]) => Array.from({ length }, () => (isLoud ? 200 : 1)));
    let at = 0;
    const words = gaps.map(([before, length]) => {
      const startMs = at + before * 10;
      at = startMs + length * 10;
      return word(startMs, at);
    });
    const first = transcript(words, Math.max(at, levels.length * 10));
    const found = findSilences(first, levels, 10, one);
    for (const { startMs, endMs } of found) {
      expect(startMs).toBeGreaterThanOrEqual(0);
      expect(endMs).toBeLessThanOrEqual(first.durationMs);
      expect(words.some((said) => said.endMs > said.startMs && said.startMs < endMs && said.endMs > startMs)).toBe(
        false,
      );
    }
    if (found.length === 0) return;
    const change = cutSilences(first, found);
    const applied = change.ok ? applyChange(first, change.value) : change;
    if (!applied.ok) throw new Error(applied.error);
    expect(cutSpans(applied.value.transcript)).toEqual(found);
  });
});
