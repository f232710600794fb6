import { expect, it } from 'vitest';
import { findMatches, readSearch } from './search-query.ts';

it.each([
  ['Наша очередь.', 'очередь', ['очередь']],
  ['Он открыл объект', 'объ открыл', ['открыл', 'объ']],
  ["Yo'lda boʻlak yoʻ", "bo'lak yo'", ["Yo'", 'boʻlak', 'yoʻ']],
])('in %s matches of %s end with the signs and apostrophes of their last letters', (text, query, matches) => {
  expect(findMatches(text, readSearch(query)).map(([from, to]) => text.slice(from, to))).toEqual(matches);
});
