import { expect, test } from 'vitest';
import { spellUzbek } from '../../../../shared/domain/text/uzbek-letters.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { pastedOver } from './block-selection.ts';

const words = ['bir', 'ikki', 'uch'].map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400 }));
const segment: Segment = { id: 's1', speakerId: null, startMs: 0, endMs: 1400, text: 'bir ikki uch', words };

function after(of: Segment, from: number, to: number, copied: string, spell = (pasted: string) => pasted): string {
  const pasted = pastedOver({ segment: of, from, to }, copied, spell);
  return of.text.slice(0, pasted.from) + pasted.inserted + of.text.slice(pasted.to);
}

test('a segment that is pasted over a part of another stands between its words with one space', () => {
  expect(after(segment, 0, 12, 'salom')).toBe('salom');
  expect(after(segment, 3, 12, 'salom')).toBe('bir salom');
  expect(after(segment, 4, 12, ' salom ')).toBe('bir salom');
  expect(after(segment, 0, 9, 'salom')).toBe('salom uch');
  expect(after(segment, 0, 8, 'salom')).toBe('salom uch');
});

test('a copy that is pasted over itself changes nothing, also where it is masked', () => {
  const [first, ...others] = words;
  const redacted: Segment = { ...segment, words: [{ ...first!, mark: 'redacted' }, ...others] };
  expect(after(redacted, 0, 12, '█████ ikki uch')).toBe(segment.text);
  expect(after(redacted, 0, 9, '█████ ikki ')).toBe(segment.text);
});

test('a segment that is pasted over a part of another is spelt as when it is typed, but a copy of the part is not', () => {
  const straight: Segment = { ...segment, text: "o'n ikki uch" };
  expect(after(straight, 0, 12, "to'rt", spellUzbek)).toBe('toʻrt');
  expect(after(straight, 0, 8, "o'n ikki", spellUzbek)).toBe(straight.text);
});
