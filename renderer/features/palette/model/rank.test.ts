import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../../shared/domain/commands/command-list.ts';
import { catalogues } from '../../../../shared/i18n/catalogues.ts';
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
    ['eksport', 'Export…'],
    ['экспорт', 'Export…'],
    ['srt', 'Export…'],
    ['субтитр', 'Export…'],
    ['файл', 'Add files…'],
    ["qo'sh", 'Add files…'],
    ['qoshish', 'Add files…'],
    ['бўлак', 'Next segment'],
    ["bo'lak", 'Next segment'],
    ['bo‘lak', 'Next segment'],
    ['waveform zoom', 'Zoom in on the waveform'],
    ['stngs', 'Settings'],
    ['настр', 'Settings'],
  ])('%s', (query, title) => {
    expect(first(query)).toBe(title);
  });

  it('no title that contains the letters by chance', () => {
    expect(matchTitle('Sounds of the museum', 'theme')).toBeNull();
    expect(matchTitle('Find a transcript', 'fat')).not.toBeNull();
  });

  it('nothing for words that do not occur, and nothing for spaces', () => {
    expect(rank(items, 'qwzx')).toEqual([]);
    expect(rank(items, '   ')).toEqual([]);
  });

  it('the exact title before titles that start with it', () => {
    const titles = ['Export many', 'Export…'].map((title) => ({ title, otherTitles: [] }));
    expect(rank(titles, 'export').map(({ item }) => item.title)).toEqual(['Export…', 'Export many']);
  });

  it('what is shown before what only another language or a synonym says', () => {
    const named = [
      { title: 'Add files…', otherTitles: ['import'] },
      { title: 'Interface language', otherTitles: ['English'] },
      { title: 'Interface language: English', otherTitles: [] },
      { title: 'Import transcripts…', otherTitles: [] },
    ];
    expect(rank(named, 'import').map(({ item }) => item.title)).toEqual(['Import transcripts…', 'Add files…']);
    expect(rank(named, 'english')[0]?.item.title).toBe('Interface language: English');
  });

  it('the name of a choice before titles that begin with it, and first the one in the letters that were typed', () => {
    const titles = [
      'Oʻzbekcha matnlar alifbosi',
      'Interfeys tili: Oʻzbekcha',
      'Interfeys tili: Ўзбекча',
      'Interfeys tili: Русский',
    ].map((title) => ({ title, otherTitles: [] }));
    const named = (query: string) => rank(titles, query).map(({ item }) => item.title);
    expect(named('Ўзбекча').slice(0, 2)).toEqual(['Interfeys tili: Ўзбекча', 'Interfeys tili: Oʻzbekcha']);
    expect(named('oʻzbekcha').slice(0, 2)).toEqual(['Interfeys tili: Oʻzbekcha', 'Interfeys tili: Ўзбекча']);
    expect(named("o'zbekcha")[2]).toBe('Oʻzbekcha matnlar alifbosi');
    expect(named('oʻzbek')[0]).toBe('Oʻzbekcha matnlar alifbosi');
    expect(named('russkiy')[0]).toBe('Interfeys tili: Русский');
  });

  it('the start of a title before the start of a word before the inside', () => {
    const titles = ['Reformat', 'New format', 'Format', 'Other'].map((title) => ({ title, otherTitles: [] }));
    expect(rank(titles, 'format').map(({ item }) => item.title)).toEqual(['Format', 'New format', 'Reformat']);
  });
});

describe('the commands for words are found in each language by their word in any', () => {
  const titleIn = (language: 'uz' | 'ru' | 'en', title: string): string =>
    String(
      title
        .split('.')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], catalogues[language]),
    );
  const languages = ['uz', 'ru', 'en'] as const;
  const offered = (shown: (typeof languages)[number]) =>
    commands.map(({ id, title }) => {
      const [first = '', ...others] = [shown, ...languages.filter((other) => other !== shown)].map((language) =>
        titleIn(language, title),
      );
      return { id, title: first, otherTitles: others };
    });

  it.each(languages)('%s', (shown) => {
    const items = offered(shown);
    const found = (query: string) => rank(items, query)[0]?.item.id;
    expect(['kesish', 'вырезать', 'cut'].map(found)).toEqual(Array(3).fill('words.cut'));
    expect(["bo'yab yopish", 'закрасить', 'redact'].map(found)).toEqual(Array(3).fill('words.redact'));
    expect(['bilan nusxa', 'с отметкой', 'copy with'].map(found)).toEqual(Array(3).fill('words.copyTimed'));
  });
});

describe('marks', () => {
  const marked = (title: string, query: string) =>
    (matchTitle(title, query) ?? []).map(([from, to]) => title.slice(from, to));

  it.each([
    ['Margʻilon boʻyoqlari', 'бўёқ', ['boʻyoq']],
    ['Oʻn yetti', 'етти', ['yetti']],
    ['Choʻzilgan boʻlak', "cho'zilgan bo'", ['Choʻzilgan boʻ']],
    ['Fayl qoʻshish', 'qo', ['qoʻ']],
    ['Громкость', 'громкость', ['Громкость']],
    ['Добавить файлы', 'файлы добавить', ['Добавить', 'файлы']],
    ['Открыть очередь', 'ochered', ['очередь']],
    ['Вид “Очередь”', 'очередь', ['Очередь']],
  ])('in %s for %s cover whole letters, silent ones too', (title, query, marks) => {
    expect(marked(title, query)).toEqual(marks);
  });

  it.each([
    ['Шире', 'shi'],
    ['Щит, щека', 'sht'],
    ['Add files', 'add a'],
    ['Открыть папку', 'о откр'],
  ])('in %s for %s overlap nowhere', (title, query) => {
    const ends = matchTitle(title, query)?.flat() ?? [];
    expect(ends).not.toEqual([]);
    expect(ends).toEqual([...new Set(ends)].toSorted((left, right) => left - right));
  });

  const letters = fc.constantFrom(' ', ...'a o h s e ʻ ʼ ь ъ ш щ я е \u0301 -'.split(' '));
  const words = fc.string({ unit: fc.oneof(letters, fc.string({ unit: 'grapheme', maxLength: 1 })), maxLength: 20 });

  it('lie inside the title, in order and apart', () => {
    fc.assert(
      fc.property(words, fc.string({ unit: letters, maxLength: 5 }), (title, query) => {
        const ends = matchTitle(title, query)?.flat() ?? [];
        expect(ends).toEqual([...new Set(ends)].toSorted((left, right) => left - right));
        expect(ends.every((end) => end >= 0 && end <= title.length)).toBe(true);
      }),
    );
  });

  it('cover a title whose letters are the query, to its last letter', () => {
    const word = fc.string({ unit: fc.constantFrom(...'a o h s ь ъ ш щ я е б oʻ gʻ aʼ'.split(' ')), maxLength: 12 });
    fc.assert(
      fc.property(word, (rest) => {
        const title = `a${rest}`;
        expect(marked(title, title)).toEqual([title]);
      }),
    );
  });
});

describe('among thousands of rows a query matches', () => {
  const rows = Array.from({ length: 3000 }, (_, at) => ({
    title: `${at % 2 === 0 ? 'Retry' : 'Cancel'}: Suhbat ${String(at)}.wav`,
    otherTitles: at % 2 === 0 ? ['Qayta urinish'] : ['Bekor qilish'],
  }));
  const titles = (query: string) => rank(rows, query).map(({ item }) => item.title);

  it('all rows with an action, for the word of the action alone, in any language', () => {
    expect(titles('cancel')).toHaveLength(1500);
    expect(titles('bekor')).toHaveLength(1500);
    expect(titles('retry')[0]).toBe('Retry: Suhbat 0.wav');
  });

  it('the one row identified by an action and a part of its name, or by its name alone', () => {
    expect(titles('cancel 2999')).toEqual(['Cancel: Suhbat 2999.wav']);
    expect(titles('2998 retry')).toEqual(['Retry: Suhbat 2998.wav']);
    expect(titles('cancel 2998')).toEqual([]);
    expect(titles('SUHBAT 2998')).toEqual(['Retry: Suhbat 2998.wav']);
  });
});
