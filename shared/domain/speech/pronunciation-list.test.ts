import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countUses, mergePronunciations, pronunciationsToCsv, type ListedWord } from './pronunciation-list.ts';

const word = (written: string, spoken: string, more: Partial<ListedWord> = {}): ListedWord => ({
  language: 'uz',
  written,
  spoken,
  matchCase: false,
  ...more,
});

it('an exported list is read back unchanged, whatever it contains', () => {
  const words = [
    word('MChJ', 'masʼuliyati cheklangan jamiyat', { matchCase: true }),
    word('Wi-Fi, 5G', 'vay "fay"', { language: null }),
    word('ул.', 'улица', { language: 'ru' }),
  ];
  expect(mergePronunciations([], pronunciationsToCsv(words), 'en')).toMatchObject({
    words,
    added: 3,
    skipped: [],
    repeated: [],
  });
});

it('an import adds, changes and keeps entries; an entry without a reading is reported with its line', () => {
  const report = mergePronunciations(
    [word('adras', 'adras'), word('XIX', 'oʻn toʻqqizinchi')],
    'adras,adrás\r\nXIX,oʻn toʻqqizinchi\nQR-kod,kyu-ar kod\nUNESCO,\n',
    'uz',
  );
  expect(report).toMatchObject({ added: 1, changed: 1, same: 1, skipped: [{ line: 4, because: 'reading' }] });
  expect(report.words.map(({ spoken }) => spoken)).toEqual(['adrás', 'oʻn toʻqqizinchi', 'kyu-ar kod']);
});

it('a list saved by a spreadsheet with semicolons is read', () => {
  expect(mergePronunciations([], 'language;written;spoken\nru;ООО;о о о\nxx;a;b', 'uz')).toMatchObject({
    words: [{ language: 'ru', written: 'ООО', spoken: 'о о о' }],
    skipped: [{ line: 3, because: 'columns' }],
  });
});

it.each(['слово;чтение;язык', 'Soʻz;Oʻqilishi;Til', "so'z;o'qilishi;til", 'Word;Read as;Language'])(
  'the heading “%s” is no entry, and the language may come last',
  (heading) => {
    const expected = { words: [word('ООО', 'о о о', { language: 'ru' })], added: 1, skipped: [] };
    expect(mergePronunciations([], `${heading}\nООО;о о о;ru\n`, 'uz')).toMatchObject(expected);
    expect(mergePronunciations([], 'ООО,о о о,RU\n', 'uz')).toMatchObject(expected);
  },
);

it.each(['слово,ru,uz', 'word;RU;UZ', 'Soʻz,ru,uz'])(
  'under the heading “%s” each language has its reading',
  (heading) => {
    const comma = heading.includes(';') ? ';' : ',';
    const rows = ['ООО,о о о,mas uliyati', 'QR,,kyu-ar', 'AI,,'].map((row) => row.replaceAll(',', comma));
    expect(mergePronunciations([], [heading, ...rows].join('\n'), 'en')).toMatchObject({
      words: [
        word('ООО', 'о о о', { language: 'ru' }),
        word('ООО', 'mas uliyati', { language: 'uz' }),
        word('QR', 'kyu-ar', { language: 'uz' }),
      ],
      skipped: [{ line: 4, because: 'reading' }],
    });
  },
);

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
  fc.assert(
    fc.property(list, (words) => {
      const report = mergePronunciations([], pronunciationsToCsv(words), 'ru');
      expect(report).toEqual({ words, added: words.length, changed: 0, same: 0, skipped: [], repeated: [] });
    }),
  );
});

it('a third column is told as such, a word that is there twice with its lines, and the sums agree with the lines', () => {
  const csv = 'IIV;ichki ishlar\nAI;ey ay;\nSmith;smis;extra\n\nIIV;dubl\nVim;vim\n;\nAT;\n';
  const report = mergePronunciations([word('Vim', 'vim')], csv, 'uz');
  expect(report).toMatchObject({
    added: 2,
    changed: 0,
    same: 1,
    skipped: [
      { line: 3, because: 'columns' },
      { line: 8, because: 'reading' },
    ],
    repeated: [{ written: 'IIV', lines: [1, 5] }],
  });
  expect(report.words.map(({ spoken }) => spoken)).toEqual(['vim', 'dubl', 'ey ay']);
});

it('a language and a word without a reading are no word and its reading', () => {
  const report = mergePronunciations([], 'uz,IIV,ichki ishlar\nen,Ovoz,\nAI,ey ay,\n', 'uz');
  expect(report.skipped).toEqual([{ line: 2, because: 'reading' }]);
  expect(report.words.map(({ written }) => written)).toEqual(['IIV', 'AI']);
});

it('a word inside an address is not read and not counted', () => {
  const texts = { ru: 'Ovoz: https://ovoz.uz и info@ovoz.uz.' };
  expect(countUses(texts, word('Ovoz', 'овоз', { language: 'ru' }))).toMatchObject({ here: 1 });
});

it('an entry counts where its language is read, and is told where another one is', () => {
  const texts = { en: 'IIV and IIV.', uz: 'IIV.' };
  expect(countUses(texts, word('IIV', 'ichki ishlar'))).toEqual({ here: 1, elsewhere: 2, readAs: 'en' });
  expect(countUses(texts, word('IIV', 'ichki ishlar', { language: null }))).toMatchObject({ here: 3, elsewhere: 0 });
  expect(countUses(texts, word('IIV', 'i i v', { language: 'ru' }))).toEqual({ here: 0, elsewhere: 3, readAs: 'uz' });
});
