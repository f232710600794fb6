import fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { speechLanguages, type SpeechLanguage } from '../languages.ts';
import { mergeCsv, replaceSaid, toCsv, withoutChange, type Replacement } from './replacement-list.ts';
import { joinPhrases, literalWords, spokenCommands, writeSpoken } from './spoken-commands.ts';
import { chooseLanguage } from './choose-language.ts';

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

  test('keep every chain of Uzbek endings and every Russian case, and change nothing inside other words', () => {
    const uzbek = [rule('Rishton', 'Rishtan'), rule("G'ijduvon", 'Gʻijduvan')];
    const chain = fc
      .tuple(
        fc.constantFrom('', 'lar', 'imiz', 'larimiz', 'ʼlar'),
        fc.constantFrom(
          '',
          'ning',
          'ni',
          'ga',
          'gacha',
          'dan',
          'da',
          'dagi',
          'dagilar',
          'dagilarning',
          'nikidan',
          'dek',
        ),
        fc.constantFrom('', 'mi', 'ku', 'dir'),
      )
      .map((parts) => parts.join(''));
    const russian = [rule('Ташкент', 'Тошкент'), rule('Бухара', 'Бухоро'), rule('Кремль', 'Кирмель')];
    const cases = fc.constantFrom(
      ...['', 'а', 'у', 'ом', 'е', 'ы', 'ов', 'ам', 'ами', 'ах'].map((end) => [`Ташкент${end}`, `Тошкент${end}`]),
      ...['ы', 'е', 'у', 'ой'].map((end) => [`Бухара`.slice(0, -1) + end, `Бухор${end}`]),
      ...['я', 'ю', 'ем', 'е'].map((end) => [`Кремл${end}`, `Кирмел${end}`]),
      ['Бухара', 'Бухоро'],
    );
    const beside = fc.constantFrom('', 'x', 'ox', 'ʻ', 'я', '7');
    forAll(chain, cases, beside, beside, (ending, [form = '', written = ''], before, after) => {
      const isAlone = before + after === '';
      for (const [said, meant] of [
        [`Rishton${ending}`, `Rishtan${ending}`],
        [`Gʻijduvon${ending}`, `Gʻijduvan${ending}`],
      ]) {
        const text = `bu ${before}${said ?? ''}${after === 'ʻ' ? 'ox' : after}, deb`;
        expect(replaceSaid(text, 'uz', uzbek).text).toBe(isAlone ? `bu ${meant ?? ''}, deb` : text);
      }
      const text = `в ${before}${form}${after}!`;
      expect(replaceSaid(text, 'ru', russian).text).toBe(isAlone ? `в ${written}!` : text);
    });
    const others = 'Ташкентский Бухарец Кремлёвский';
    expect(replaceSaid(others, 'ru', russian).text).toBe(others);
    // Letters of two alphabets would meet in one word.
    expect(replaceSaid('Ташкент, Ташкенте', 'ru', [rule('Ташкент', 'Tashkent')]).text).toBe('Tashkent, Ташкенте');
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
    forAll(fc.uniqueArray(some, { selector: (one) => `${one.language} ${one.say}` }), (rules) => {
      expect(mergeCsv([], toCsv(rules)).replacements).toEqual(rules);
      expect(mergeCsv(rules, toCsv(rules))).toMatchObject({ added: 0, changed: 0, unreadable: [] });
    });
    const list = 'stir,СТИР\r\n,new,New\r\nxx,bad,Bad\r\n,uz,UZ,word,no\r\n';
    const report = mergeCsv([rule('stir', 'STIR'), rule('uz', 'UZ')], list);
    expect(report).toMatchObject({ added: 1, changed: 1, same: 1, unreadable: [3] });
  });

  test('undo of one change of the list keeps what was added, changed or removed since', () => {
    const [stir, stirInCyrillic] = [rule('stir', 'STIR'), rule('stir', 'СТИР')];
    const [uz, kg] = [rule('uz', 'UZ'), rule('k', 'kg')];
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
    ['ru', 'Первое точка с запятой второе', 'Первое; второе'],
    ['en', 'Is it so question mark yes exclamation point', 'Is it so? Yes!'],
  ])('%s: %s', (language, said, written) => {
    expect(spoken(said, language)).toBe(written);
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
});

test('phrases are joined by a space, but not around line ends, inside of brackets and before punctuation', () => {
  const phrases = ['Bir', 'ikki', ', uch (', 'toʻrt', '). ', 'Besh\n', 'olti “', 'yetti', '”', ''];
  expect(phrases.reduce(joinPhrases, '')).toBe('Bir ikki, uch (toʻrt). Besh\nolti “yetti”');
});

const none = { rules: [], followsLayout: false, chosen: 'uz' } as const;

describe('the spoken language', () => {
  it('is the chosen one, unless the keyboard is followed and has a supported language', () => {
    expect(chooseLanguage(none, 'Telegram', 'ru')).toBe('uz');
    const follows = { ...none, followsLayout: true };
    expect(chooseLanguage(follows, 'Telegram', 'ru')).toBe('ru');
    expect(chooseLanguage(follows, null, 'us(dvorak)')).toBe('en');
    expect(chooseLanguage({ ...follows, chosen: 'ru' }, null, 'uz(latin)')).toBe('uz');
    expect(chooseLanguage(follows, null, null)).toBe('uz');
  });

  it('in a program with a rule is that of the rule, whatever the keyboard says; the first match counts', () => {
    const rules = [
      { program: 'telegram', language: 'uz' },
      { program: 'Visual Studio', language: 'en' },
      { program: 'Tele', language: 'ru' },
    ] as const;
    const choice = { rules, followsLayout: true, chosen: 'ru' } as const;
    expect(chooseLanguage(choice, 'TelegramDesktop', 'ru')).toBe('uz');
    expect(chooseLanguage(choice, 'main.ts - visual studio code', 'ru')).toBe('en');
    expect(chooseLanguage(choice, 'Firefox', 'uz')).toBe('uz');
  });
});
