import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { countUses, mergePronunciations, pronunciationsToCsv, type ListedWord } from './pronunciation-list.ts';

const word = (written: string, spoken: string, more: Partial<ListedWord> = {}): ListedWord => ({
  language: 'uz',
  written,
  spoken,
  matchCase: false,
  ...more,
});

it('a list saved by a spreadsheet with semicolons is read', () => {
  expect(mergePronunciations([], 'language;written;spoken\nru;ООО;о о о\nxx;a;b', 'uz')).toMatchObject({
    words: [{ language: 'ru', written: 'ООО', spoken: 'о о о' }],
    skipped: [{ line: 3, because: 'columns' }],
  });
});

it('whatever a list contains, an export and an import keep it, also what applies to one text only', () => {
  const field = fc.string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('a', 'ʻ', 'Ю', '"', ',', ';', '\n', ' ', '5'),
  });
  const written = field.filter((one) => one === one.trim() && !/^(?:written|spoken)$/u.test(one));
  const entry = fc.record({
    language: fc.constantFrom('uz' as const, 'ru' as const, 'en' as const, null),
    written,
    spoken: written,
    matchCase: fc.boolean(),
  });
  const list = fc.uniqueArray(entry, { selector: (one) => `${one.written.toLowerCase()} ${String(one.language)}` });
  forAll(list, (words) => {
    const report = mergePronunciations([], pronunciationsToCsv(words), 'ru');
    expect(report).toEqual({ words, added: words.length, changed: 0, same: 0, skipped: [], repeated: [] });
  });
});

it('an entry counts where its language is read, and is told where another one is', () => {
  const texts = { en: 'IIV and IIV.', uz: 'IIV.' };
  expect(countUses(texts, word('IIV', 'ichki ishlar'))).toEqual({ here: 1, elsewhere: 2, readAs: 'en' });
  expect(countUses(texts, word('IIV', 'ichki ishlar', { language: null }))).toMatchObject({ here: 3, elsewhere: 0 });
  expect(countUses(texts, word('IIV', 'i i v', { language: 'ru' }))).toEqual({ here: 0, elsewhere: 3, readAs: 'uz' });
});
