import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { correctionOf, mergeCsv, replaceSaid, toCsv, withoutChange, type Replacement } from './replacements.ts';
import { joinPhrases, literalWords, spokenCommands, writeSpoken } from './spoken-commands.ts';

const rule = (say: string, write: string, more: Partial<Replacement> = {}): Replacement => ({
  language: null,
  say,
  write,
  kind: 'word',
  isCaseSensitive: false,
  ...more,
});
const spoken = (text: string, language: SpeechLanguage): string =>
  writeSpoken(text, { language, replacements: [], hasCommands: true }).text;

describe('replacements', () => {
  test('match whole words, parts or patterns, in one language or all, and any apostrophe is the same', () => {
    const rules = [
      rule('em che je', 'MChJ', { language: 'uz' }),
      rule("o'zbek", 'Oʻzbek'),
      rule('stir', 'STIR', { isCaseSensitive: true }),
      rule(String.raw`(\d+) foiz`, '$1%', { kind: 'pattern' }),
      rule('kilo', 'kg', { kind: 'part' }),
    ];
    expect(replaceSaid('Em  che je oʻzbek stir Stir 10 foiz kilolar, yostir', 'uz', rules)).toEqual({
      text: 'MChJ Oʻzbek STIR Stir 10% kglar, yostir',
      used: ['$1%', 'MChJ', 'Oʻzbek', 'STIR', 'kg'],
    });
    expect(replaceSaid('em che je', 'ru', rules).text).toBe('em che je');
  });

  test('keep the endings that Uzbek adds to a word, and no other language does', () => {
    const rules = [rule('Rishton', 'Риштон'), rule('em che je', 'MChJ', { language: 'uz' }), rule('ol', 'X')];
    expect(
      replaceSaid('Rishtonda, rishtonliklar, Rishtonlarimizdanmi Rishtonning em che jega olim', 'uz', rules).text,
    ).toBe('Риштонda, rishtonliklar, Риштонlarimizdanmi Риштонning MChJga olim');
    expect(replaceSaid('Rishtonda Rishton', 'en', rules).text).toBe('Rishtonda Риштон');
    expect(replaceSaid('Rishtonda', 'uz', [rule('Rishton', 'a', { kind: 'part' })]).text).toBe('ada');
  });

  test('do not apply to the output of another, and an invalid pattern changes nothing', () => {
    expect(replaceSaid('a b', 'en', [rule('a', 'b'), rule('b', 'a')]).text).toBe('b a');
    const odd = [rule('(', 'x', { kind: 'pattern' }), rule('a*', 'x', { kind: 'pattern' }), rule('', 'y')];
    expect(replaceSaid('(aa)', 'en', odd)).toEqual({ text: '(aa)', used: [] });
  });

  test('are exported as CSV and read back the same; an imported file is merged with a report', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'ʻ', ',', '"', ' ', 'ж', ';', '\n'),
      minLength: 1,
      maxLength: 8,
    });
    const some = fc.record({
      language: fc.constantFrom(null, ...speechLanguages),
      say: text.map((say) => `s${say}e`),
      write: text,
      kind: fc.constantFrom('word' as const, 'part' as const),
      isCaseSensitive: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(some, { selector: (one) => `${one.language} ${one.say}` }), (rules) => {
        expect(mergeCsv([], toCsv(rules)).replacements).toEqual(rules);
        expect(mergeCsv(rules, toCsv(rules))).toMatchObject({
          added: 0,
          changed: 0,
          same: rules.length,
          unreadable: [],
        });
      }),
    );
    const report = mergeCsv(
      [rule('stir', 'STIR'), rule('uz', 'UZ')],
      'stir,СТИР\r\n,new,New\r\nxx,bad,Bad\r\n,uz,UZ,word,no\r\n',
    );
    expect(report).toMatchObject({ added: 1, changed: 1, same: 1, unreadable: [3] });
  });

  test.each(['say,write', 'Язык,Говорится,Пишется', 'aytiladi,yoziladi', "Til,So'z,Yozilishi"])(
    'the heading “%s” of a list is no replacement',
    (heading) => {
      const row = heading.split(',').length === 2 ? 'stir,СТИР' : 'uz,stir,СТИР';
      expect(mergeCsv([], `${heading}\n${row}\n`)).toMatchObject({ added: 1, unreadable: [] });
      expect(mergeCsv([], 'say,tell\n')).toMatchObject({ added: 1 });
    },
  );

  test('undo of one change of the list keeps what was added, changed or removed since', () => {
    const [stir, stirInCyrillic, uz, kg] = [
      rule('stir', 'STIR'),
      rule('stir', 'СТИР'),
      rule('uz', 'UZ'),
      rule('k', 'kg'),
    ];
    const added = { before: [stir], after: [stir, uz] };
    const changed = { before: [stir, uz], after: [uz, stirInCyrillic] };
    expect(withoutChange(structuredClone(added.after), added)).toEqual([stir]);
    expect(withoutChange(structuredClone(changed.after), changed)).toEqual(changed.before);
    expect(withoutChange([stir, uz, kg], added)).toEqual([stir, kg]);
    expect(withoutChange([uz, kg], added)).toEqual([kg]);
    expect(withoutChange([stirInCyrillic, uz], added)).toEqual([stirInCyrillic]);
    expect(withoutChange([rule('stir', 'INN'), kg], changed)).toEqual([rule('stir', 'INN'), kg]);
  });
});

describe('spoken punctuation and commands', () => {
  test.each<[SpeechLanguage, string, string]>([
    ['uz', 'Salom, nuqta. yangi qator. ertaga keling, undov belgisi.', 'Salom.\nErtaga keling!'],
    ['uz', 'Ikki nuqta bir vergul ikki', ': bir, ikki'],
    ['uz', "So'roq belgisi", '?'],
    ['uz', 'Нуқта янги қатор Эртага', '.\nЭртага'],
    [
      'ru',
      'Добрый день запятая Анна. Новая строка. это моя точка зрения точка',
      'Добрый день, Анна.\nЭто моя точка зрения.',
    ],
    ['ru', 'Открыть кавычки Звезда закрыть кавычки тире газета', '«Звезда» — газета'],
    ['ru', 'Первое точка с запятой второе', 'Первое; второе'],
    [
      'en',
      'Dear Sam, comma. New line. thank you period. the period of time',
      'Dear Sam,\nThank you. The period of time',
    ],
    ['en', 'Is it so question mark yes exclamation point', 'Is it so? Yes!'],
    ['en', 'See open bracket page two close bracket', 'See (page two)'],
  ])('%s: %s', (language, said, written) => {
    expect(spoken(said, language)).toBe(written);
  });

  test('a capital behind a spoken full stop does not depend on the language of the computer', () => {
    // oxlint-disable-next-line typescript/unbound-method -- called with a receiver
    const inLanguage = String.prototype.toLocaleUpperCase;
    const turkish = vi.spyOn(String.prototype, 'toLocaleUpperCase').mockImplementation(function turkish(this: string) {
      return inLanguage.call(this, 'tr');
    });
    onTestFinished(() => turkish.mockRestore());
    expect(spoken('we left period it works', 'en')).toBe('we left. It works');
  });

  test('are written as words after the escape word, in each language, each of them', () => {
    for (const language of speechLanguages) {
      const [literal = ''] = literalWords[language];
      for (const { say } of spokenCommands[language])
        for (const words of say) expect(spoken(`${literal} ${words}`, language), words).toBe(words);
    }
    expect(spoken('Aynan shu kun', 'uz')).toBe('Aynan shu kun');
  });

  test('remove the last words: of this phrase, or the phrase before', () => {
    const write = (text: string) => writeSpoken(text, { language: 'en', replacements: [], hasCommands: true });
    expect(write('Hello there. Scratch that. Good morning')).toMatchObject({
      text: 'Good morning',
      scratchesPrevious: false,
    });
    expect(write('Scratch that.')).toMatchObject({ text: '', scratchesPrevious: true });
  });

  test('are ignored when they are switched off, and text without any is never changed', () => {
    expect(writeSpoken('salom nuqta', { language: 'uz', replacements: [], hasCommands: false }).text).toBe(
      'salom nuqta',
    );
    const words = fc.array(fc.constantFrom('salom', 'hello,', 'мир.', '—', 'oʻn', '12', '«Да»'), { minLength: 1 });
    fc.assert(
      fc.property(words, (some) => {
        expect(spoken(some.join(' '), 'uz')).toBe(some.join(' '));
      }),
    );
  });
});

test('phrases are joined by a space between words only', () => {
  const phrases = ['Salom', ', dunyo.', '\nYangi', 'qator (', 'ikki)'];
  expect(phrases.reduce(joinPhrases, '')).toBe('Salom, dunyo.\nYangi qator (ikki)');
});

test('correcting a few words in one place suggests a replacement; other corrections do not', () => {
  expect(correctionOf('Men Nargisa bilan, keldim.', 'Men Nargiza bilan, keldim.')).toEqual({
    say: 'Nargisa',
    write: 'Nargiza',
  });
  expect(correctionOf('em che je keldi.', 'MChJ keldi.')).toEqual({ say: 'em che je', write: 'MChJ' });
  expect(correctionOf('Bir ikki uch.', 'Bir ikki.')).toBeNull();
  expect(correctionOf('a b c d e f', 'g h i j k l')).toBeNull();
  expect(correctionOf('Bir', 'Bir')).toBeNull();
});
