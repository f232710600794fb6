import { expect, it } from 'vitest';
import { mergePronunciations, pronunciationsToCsv, type ListedWord } from './pronunciation-list.ts';

const word = (written: string, spoken: string, more: Partial<ListedWord> = {}): ListedWord => ({
  language: 'uz',
  written,
  spoken,
  matchCase: false,
  ...more,
});

it('what is written to a file comes back from it as it was, whatever stands in it', () => {
  const words = [
    word('MChJ', 'masʼuliyati cheklangan jamiyat', { matchCase: true }),
    word('Wi-Fi, 5G', 'vay "fay"', { language: null }),
    word('ул.', 'улица', { language: 'ru' }),
  ];
  expect(mergePronunciations([], pronunciationsToCsv(words), 'en')).toMatchObject({ words, added: 3, unreadable: [] });
});

it('a file adds, changes and leaves; what has no reading is told by its line', () => {
  const report = mergePronunciations(
    [word('adras', 'adras'), word('XIX', 'oʻn toʻqqizinchi')],
    'adras,adrás\r\nXIX,oʻn toʻqqizinchi\nQR-kod,kyu-ar kod\nUNESCO,\n',
    'uz',
  );
  expect(report).toMatchObject({ added: 1, changed: 1, same: 1, unreadable: [4] });
  expect(report.words.map(({ spoken }) => spoken)).toEqual(['adrás', 'oʻn toʻqqizinchi', 'kyu-ar kod']);
});

it('a list that a spreadsheet wrote with semicolons is read', () => {
  expect(mergePronunciations([], 'language;written;spoken\nru;ООО;о о о\nxx;a;b', 'uz')).toMatchObject({
    words: [{ language: 'ru', written: 'ООО', spoken: 'о о о' }],
    unreadable: [3],
  });
});
