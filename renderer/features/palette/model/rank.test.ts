import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../../tests/support/for-all.ts';
import { matchTitle, rank } from './rank.ts';

const items = [
  { title: 'Add files…', otherTitles: ['Fayl qoʻshish…', 'Добавить файлы…'] },
  { title: 'Export…', otherTitles: ['Eksport qilish…', 'Экспортировать…', 'srt', 'subtitr'] },
  { title: 'Next segment', otherTitles: ['Keyingi boʻlak', 'Следующий фрагмент'] },
  { title: 'Settings', otherTitles: ['Sozlamalar', 'Настройки'] },
  { title: 'Zoom in on the waveform', otherTitles: ['Ovoz toʻlqinini yaqinlashtirish', 'Приблизить звуковую волну'] },
];
const first = (query: string) => rank(items, query)[0]?.item.title;

describe('the palette finds', () => {
  it.each([
    ['exp', 'Export…'],
    ["qo'sh", 'Add files…'],
    ['waveform zoom', 'Zoom in on the waveform'],
    ['stngs', 'Settings'],
  ])('%s', (query, title) => {
    expect(first(query)).toBe(title);
  });

  it('no title that contains the letters by chance', () => {
    expect(matchTitle('Sounds of the museum', 'theme')).toBeNull();
    expect(matchTitle('Find a transcript', 'fat')).not.toBeNull();
  });
});

describe('marks', () => {
  const marked = (title: string, query: string) =>
    (matchTitle(title, query) ?? []).map(([from, to]) => title.slice(from, to));

  const letters = fc.constantFrom(' ', ...'a o h s e ʻ ʼ ь ъ ш щ я е \u0301 -'.split(' '));
  const words = fc.string({ unit: fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 1 })), maxLength: 20 });

  it('lie inside the title, in order and apart', () => {
    forAll(words, fc.string({ unit: letters, maxLength: 5 }), (title, query) => {
      const ends = matchTitle(title, query)?.flat() ?? [];
      expect(ends).toEqual([...new Set(ends)].toSorted((left, right) => left - right));
      expect(ends.every((end) => end >= 0 && end <= title.length)).toBe(true);
    });
  });

  it('cover a title whose letters are the query, to its last letter', () => {
    const word = fc.string({ unit: fc.constantFrom(...'a o h s ь ъ ш щ я е б oʻ gʻ aʼ'.split(' ')), maxLength: 12 });
    forAll(word, (rest) => {
      const title = `a${rest}`;
      expect(marked(title, title)).toEqual([title]);
    });
  });
});
