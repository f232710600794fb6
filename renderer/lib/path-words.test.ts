import { expect, test } from 'vitest';
import { pathWords, readPathWords } from './path-words.ts';

test.each(['50%', '100% natija.mp3', 'a/b?c#d', 'a%2Fb', 'boʻyoq', '%'])(
  '%j comes back from a path as it was',
  (words) => {
    // The router decodes every path in this way.
    expect(readPathWords(decodeURI(`/library/search/${pathWords(words)}`).split('/')[3] ?? '')).toBe(words);
  },
);

test('a path that was typed by hand is never an error', () => expect(readPathWords('50% natija')).toBe('50% natija'));
