import { expect, test } from 'vitest';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { pastedOver, wordsInText } from './block-selection.ts';

const words = ['bir', 'ikki', 'uch'].map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
const segment: Segment = { id: 's1', speakerId: null, startMs: 0, endMs: 1400, text: 'bir ikki uch', words };

function after(of: Segment, from: number, to: number, copied: string): string {
  const pasted = pastedOver({ segment: of, from, to }, copied, (pasted) => pasted.replace("'", 'ʻ'));
  return of.text.slice(0, pasted.from) + pasted.inserted + of.text.slice(pasted.to);
}

test('a segment that is pasted over a part of another stands between its words with one space, spelt as when it is typed', () => {
  expect(after(segment, 0, 12, 'salom')).toBe('salom');
  expect(after(segment, 3, 12, 'salom')).toBe('bir salom');
  expect(after(segment, 4, 12, ' salom ')).toBe('bir salom');
  expect(after(segment, 0, 9, "o'n")).toBe('oʻn uch');
});

test('a copy that is pasted over itself changes nothing, also where it is masked', () => {
  const [first, ...others] = words;
  const redacted: Segment = { ...segment, words: [{ ...first!, mark: 'redacted' }, ...others] };
  expect(after(redacted, 0, 12, '█████ ikki uch')).toBe(segment.text);
  expect(after(redacted, 0, 9, '█████ ikki ')).toBe(segment.text);
});

test('the words of a selection are those with a selected letter, and at a caret the word behind it', () => {
  expect(wordsInText(segment, 3, 8)).toEqual([1, 2]);
  expect(wordsInText(segment, 2, 5)).toEqual([0, 2]);
  expect(wordsInText(segment, 4, 4)).toEqual([1, 2]);
  expect(wordsInText(segment, 12, 12)).toEqual([0, 0]);
});
