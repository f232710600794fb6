import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { foldText } from './fold-text.ts';
import { findMatches, readSearch } from '../search/search-query.ts';

describe('folded text', () => {
  it.each([
    ['boʻyoq', 'бўёқ'],
    ['Oʻrinboyev', 'Ўринбоев'],
    // As some disks store file names: letters and combining marks separately.
    ['Майский ўқитувчи ёзди', 'Майский ўқитувчи ёзди'.normalize('NFD')],
  ])('%s and %s are the same', (one, other) => {
    expect(foldText(one).text).toBe(foldText(other).text);
  });

  it('maps each character once, never backwards and never outside', () => {
    forAll(fc.string({ unit: 'grapheme' }), (original) => {
      const { text, from, to } = foldText(original);
      expect(from).toHaveLength(text.length);
      expect(to).toHaveLength(text.length);
      expect(to.every((end, index) => end > (from[index] ?? end) && end <= original.length)).toBe(true);
      expect(from.every((place, index) => place >= (from[index - 1] ?? 0) && place < original.length)).toBe(true);
    });
  });
});

it.each([
  ['Наша очередь.', 'очередь', ['очередь']],
  ["Yo'lda boʻlak yoʻ", "bo'lak yo'", ["Yo'", 'boʻlak', 'yoʻ']],
])('in %s matches of %s end with the signs and apostrophes of their last letters', (text, query, matches) => {
  expect(findMatches(text, readSearch(query)).map(([from, to]) => text.slice(from, to))).toEqual(matches);
});

it.each([
  ['Записи всех лекций лежат здесь', 'лекция', ['лекций']],
  ['Shogirdim ustaxonasidamiz dedi', 'shogirdlarimiz ustaxonamiz', ['Shogirdim', 'ustaxonasidamiz']],
  ['Дом стоит, дама стояла', 'дома', []],
])('in %s all forms of %s are found', (text, query, matches) => {
  expect(findMatches(text, readSearch(query)).map(([from, to]) => text.slice(from, to))).toEqual(matches);
});

it('in quotes a word is found as it is written', () => {
  expect(findMatches('Записи лекций', readSearch('"лекция"'))).toEqual([]);
});
