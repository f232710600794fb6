import { expect, it } from 'vitest';
import { correctionOfTyped, spellUzbek, typedApostrophe, withUzbekApostrophes } from './uzbek-letters.ts';

it('knows what letter an apostrophe of a keyboard belongs to, as everywhere else in Uzbek', () => {
  for (const typed of ["'", '’', '‘', '`'])
    for (const [before, mark] of [
      ['to', 'ʻ'],
      ['O', 'ʻ'],
      ['og', 'ʻ'],
      ['G', 'ʻ'],
      ['san', 'ʼ'],
      ['Isʼhoqma', 'ʼ'],
    ] as const) {
      expect(typedApostrophe(before, typed)).toBe(mark);
      expect(withUzbekApostrophes(before + typed).at(-1)).toBe(mark);
    }
});

it('leaves an apostrophe that belongs to no Latin letter, and everything else', () => {
  for (const before of ['', 'u ', '5', '(', 'toʻ', 'то']) expect(typedApostrophe(before, "'")).toBeNull();
  for (const typed of ['a', '"', "''", '']) expect(typedApostrophe('to', typed)).toBeNull();
});

/** A text as it is after typing it letter by letter. */
function typed(text: string, start = ''): string {
  let now = start;
  for (const letter of text) {
    now += letter;
    const correction = correctionOfTyped(now, now.length - 1);
    if (correction !== null) now = now.slice(0, correction.at) + correction.mark + now.slice(correction.at + 1);
  }
  return now;
}

it.each([
  ["U 'salom' dedi, keyin 'ha' dedi.", "U 'salom' dedi, keyin 'ha' dedi."],
  ["'Salom!' dedi, ma'no", "'Salom!' dedi, maʼno"],
  ["U 'qachon kelding' dedi, 'video' va 'blog'", "U 'qachon kelding' dedi, 'video' va 'blog'"],
  ["'o'zbek', 'ma'no' va 'to'g'ri'", "'oʻzbek', 'maʼno' va 'toʻgʻri'"],
  ["'tog'' va 'bog''ni", "'togʻ' va 'bogʻ'ni"],
  ['‘sanʼat’ va ‘sog’lom’', '‘sanʼat’ va ‘sogʻlom’'],
  ["tog' va bog', ma'", 'togʻ va bogʻ, maʼ'],
])('a typed quote that closes a quotation is no letter: %s', (text, expected) => {
  expect(typed(text)).toBe(expected);
});

it.each([
  ["O'zbekiston so'zi, ma`no, bog‘", 'Oʻzbekiston soʻzi, maʼno, bogʻ'],
  ["U 'salom' dedi, ‘kelding’ va 'qachon kelding' dedi", "U 'salom' dedi, ‘kelding’ va 'qachon kelding' dedi"],
  ["'katta tog' va bog' bor' dedi", "'katta togʻ va bogʻ bor' dedi"],
  ["salom' va 'ha, 5' o'tdi", "salom' va 'ha, 5' oʻtdi"],
  ['«toʼgʼri»', '«toʻgʻri»'],
])('a whole text is spelt with the letters of Uzbek, and its quotes stay: %s', (text, expected) => {
  expect(spellUzbek(text)).toBe(expected);
  expect(spellUzbek(expected)).toBe(expected);
});

it('only a part of a text is spelt, in the light of the rest', () => {
  expect(spellUzbek("to'g'ri 'kelding'", 3)).toBe("to'gʻri 'kelding'");
  expect(spellUzbek("to'g'ri", 0, 3)).toBe("toʻg'ri");
});
