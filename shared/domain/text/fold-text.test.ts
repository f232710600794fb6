import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './fold-text.ts';

describe('folded text', () => {
  it.each([
    ['boʻyoq', 'бўёқ'],
    ["o'zbek", 'Oʻzbek'],
    ['o‘zbek', 'ozbek'],
    ['maʼno', 'маъно'],
    ['eksport', 'Экспорт'],
    ['Café', 'cafe'],
    ['yer yuzi', 'ер юзи'],
    ['Oʻrinboyev', 'Ўринбоев'],
    ['obyekt', 'объект'],
    ['matritsa', 'матрица'],
    ['konsert', 'концерт'],
    // As some disks store file names: letters and combining marks separately.
    ['Майский ўқитувчи ёзди', 'Майский ўқитувчи ёзди'.normalize('NFD')],
  ])('%s and %s are the same', (one, other) => {
    expect(foldText(one).text).toBe(foldText(other).text);
  });

  it('maps each of its characters to its origin', () => {
    const { text, from, to } = foldText('Шоʻх');
    expect(text).toBe('shox');
    expect(from).toEqual([0, 0, 1, 3]);
    expect(to).toEqual([1, 1, 2, 4]);
    expect(foldText('май'.normalize('NFD'))).toEqual({ text: 'may', from: [0, 1, 2], to: [1, 2, 4] });
    expect(foldText('yer')).toEqual({ text: 'er', from: [0, 2], to: [2, 3] });
  });

  it('maps each character once, never backwards and never outside', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (original) => {
        const { text, from, to } = foldText(original);
        expect(from).toHaveLength(text.length);
        expect(to).toHaveLength(text.length);
        expect(to.every((end, index) => end > (from[index] ?? end) && end <= original.length)).toBe(true);
        expect(from.every((place, index) => place >= (from[index - 1] ?? 0) && place < original.length)).toBe(true);
      }),
    );
  });
});
