import { describe, expect, it } from 'vitest';
import { scaleFactorCodebook, spectralCodebooks, type Codebook } from './codebooks.ts';

const books: readonly (readonly [string, Codebook, number])[] = [
  ...spectralCodebooks.map(
    (book, at) => [`${at + 1}`, book, [81, 81, 81, 81, 81, 81, 64, 64, 169, 169, 289][at] ?? 0] as const,
  ),
  ['of scale factors', scaleFactorCodebook, 121],
];

describe('codebooks of AAC', () => {
  it.each(books)('book %s has a code for each symbol, once, and no code is left over', (_name, book, size) => {
    const space = book.codesPerLength.reduce((sum, count, at) => sum + count * 2 ** -(at + 1), 0);
    expect(space).toBe(1);
    expect(book.codesPerLength.reduce((sum, count) => sum + count, 0)).toBe(size);
    expect(book.symbols.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, symbol) => symbol));
  });
});
