import { expect, it } from 'vitest';
import { findMatches, readSearch } from './search-query.ts';

it.each([
  ['Наша очередь.', 'очередь', ['очередь']],
  ['Он открыл объект', 'объ открыл', ['открыл', 'объ']],
  ["Yo'lda boʻlak yoʻ", "bo'lak yo'", ["Yo'", 'boʻlak', 'yoʻ']],
])('in %s matches of %s end with the signs and apostrophes of their last letters', (text, query, matches) => {
  expect(findMatches(text, readSearch(query)).map(([from, to]) => text.slice(from, to))).toEqual(matches);
});

it.each([
  ['Записи всех лекций лежат здесь', 'лекция', ['лекций']],
  ['О старом зелёном доме', 'старого зеленый', ['старом', 'зелёном']],
  ['Музей открыт для героев', 'музея героя', ['Музей', 'героев']],
  ['Shogirdim ustaxonasidamiz dedi', 'shogirdlarimiz ustaxonamiz', ['Shogirdim', 'ustaxonasidamiz']],
  ['Шогирдим устахонасида', 'shogirdlar ustaxonaga', ['Шогирдим', 'устахонасида']],
  ['Дом стоит, дама стояла', 'дома', []],
])('in %s all forms of %s are found', (text, query, matches) => {
  expect(findMatches(text, readSearch(query)).map(([from, to]) => text.slice(from, to))).toEqual(matches);
});

it('in quotes a word is found as it is written', () => {
  expect(findMatches('Записи лекций', readSearch('"лекция"'))).toEqual([]);
});
