import { expect, it } from 'vitest';
import { excerptOf, readSearch } from './search-query.ts';

it('an excerpt shows the hit that it is made for, also where no space is near', () => {
  const long = `shogird${'a'.repeat(200)}`;
  const { text, ranges } = excerptOf(`bu ${long} va yana`, readSearch('shogird'));
  expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual([expect.stringMatching(/^shogird/u)]);
});
