import { expect, it } from 'vitest';
import { mergePronunciations, pronunciationsToCsv, type ListedWord } from './pronunciation-list.ts';

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
  expect(mergePronunciations([], pronunciationsToCsv(words), 'en')).toMatchObject({ words, added: 3, unreadable: [] });
});

it('an import adds, changes and keeps entries; an entry without a reading is reported with its line', () => {
  const report = mergePronunciations(
    [word('adras', 'adras'), word('XIX', 'oʻn toʻqqizinchi')],
    'adras,adrás\r\nXIX,oʻn toʻqqizinchi\nQR-kod,kyu-ar kod\nUNESCO,\n',
    'uz',
  );
  expect(report).toMatchObject({ added: 1, changed: 1, same: 1, unreadable: [4] });
  expect(report.words.map(({ spoken }) => spoken)).toEqual(['adrás', 'oʻn toʻqqizinchi', 'kyu-ar kod']);
});

it('a list saved by a spreadsheet with semicolons is read', () => {
  expect(mergePronunciations([], 'language;written;spoken\nru;ООО;о о о\nxx;a;b', 'uz')).toMatchObject({
    words: [{ language: 'ru', written: 'ООО', spoken: 'о о о' }],
    unreadable: [3],
  });
});
