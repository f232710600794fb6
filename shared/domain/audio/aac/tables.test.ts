import { describe, expect, it } from 'vitest';
import { type Codebook, scaleFactorCodebook, spectralCodebooks } from './channel-stream.ts';
import { InverseMdct } from './filter-bank.ts';

/** The definition (ISO/IEC 14496-3, 4.6.11.3), term by term. */
function byDefinition(spectrum: Float64Array): Float64Array {
  const size = spectrum.length;
  const first = (size + 1) / 2;
  return Float64Array.from({ length: 2 * size }, (_, n) => {
    let sum = 0;
    for (let k = 0; k < size; k += 1) sum += (spectrum[k] ?? 0) * Math.cos((Math.PI / size) * (n + first) * (k + 0.5));
    return sum / size;
  });
}

describe('inverse transform of AAC', () => {
  it.each([4, 16, 128, 1024])('matches the definition for %i values', (size) => {
    const spectrum = Float64Array.from({ length: size }, (_, k) => Math.sin(k * k * 0.7) * 1000);
    const output = new Float64Array(2 * size);
    new InverseMdct(size).transform(spectrum, output);
    const expected = byDefinition(spectrum);
    const worst = output.reduce((most, value, n) => Math.max(most, Math.abs(value - (expected[n] ?? 0))), 0);
    expect(worst).toBeLessThan(1e-8);
  });
});

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
