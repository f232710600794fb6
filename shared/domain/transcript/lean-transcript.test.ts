import { expect, it } from 'vitest';
import { toTranscript } from './from-received.ts';
import { toLean, toWhole } from './lean-transcript.ts';

const received = {
  text: '',
  segments: [
    { text: 'Bir ikki, uch toʻrt.', startMs: 0, endMs: 2000, words: [] },
    { text: 'besh olti', startMs: 2000, endMs: 3000, words: [{ text: 'olti', startMs: 2600, endMs: 2900 }] },
    { text: 'yetti', startMs: 3000, endMs: 3000, words: [] },
  ],
};
const whole = toTranscript(received, { language: 'uz' });

it('words with computed times are left out and restored unchanged', () => {
  const lean = toLean(whole);
  expect(lean.segments.map(({ words }) => words?.length)).toEqual([undefined, 2, undefined]);
  expect(toWhole(JSON.parse(JSON.stringify(lean)))).toEqual(whole);
});

it('words that would not be restored exactly are stored', () => {
  const [first, ...others] = whole.segments;
  if (first === undefined) throw new Error('no segment');
  const moved = first.words.map((word) => ({ ...word, startMs: word.startMs + 1 }));
  const marked = first.words.map((word) => ({ ...word, mark: 'cut' as const }));
  for (const words of [moved, marked, first.words.slice(1)]) {
    const changed = { ...whole, segments: [{ ...first, words }, ...others] };
    expect(toLean(changed).segments[0]?.words).toEqual(words);
    expect(toWhole(toLean(changed))).toEqual(changed);
  }
});
