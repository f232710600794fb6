import { expect, it } from 'vitest';
import { typedApostrophe, withUzbekApostrophes } from './uzbek-letters.ts';

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
