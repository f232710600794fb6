import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { toUzbekCyrillic, toUzbekLatin } from './transliterate-uzbek.ts';
import { correctionOfTyped, spellUzbek, typedApostrophe, withUzbekApostrophes } from './uzbek-letters.ts';

it('knows what letter an apostrophe of a keyboard belongs to, as everywhere else in Uzbek', () => {
  for (const typed of ["'", '’', '‘', '`'])
    for (const [before, mark] of [
      ['to', 'ʻ'],
      ['O', 'ʻ'],
      ['og', 'ʻ'],
      ['G', 'ʻ'],
      ['san', 'ʼ'],
      ['Isʼhoqma', 'ʼ'],
    ] as const) {
      expect(typedApostrophe(before, typed)).toBe(mark);
      expect(withUzbekApostrophes(before + typed).at(-1)).toBe(mark);
    }
});

it('leaves an apostrophe that belongs to no Latin letter, and everything else', () => {
  for (const before of ['', 'u ', '5', '(', 'toʻ', 'то']) expect(typedApostrophe(before, "'")).toBeNull();
  for (const typed of ['a', '"', "''", '']) expect(typedApostrophe('to', typed)).toBeNull();
});

/** A text as it is after typing it letter by letter. */
function typed(text: string, start = ''): string {
  let now = start;
  for (const letter of text) {
    now += letter;
    const correction = correctionOfTyped(now, now.length - 1);
    if (correction !== null) now = now.slice(0, correction.at) + correction.mark + now.slice(correction.at + 1);
  }
  return now;
}

it.each([
  ["U 'salom' dedi, keyin 'ha' dedi.", "U 'salom' dedi, keyin 'ha' dedi."],
  ["'o'zbek', 'ma'no' va 'to'g'ri'", "'oʻzbek', 'maʼno' va 'toʻgʻri'"],
  ["'tog'' va 'bog''ni", "'togʻ' va 'bogʻ'ni"],
])('a typed quote that closes a quotation is no letter: %s', (text, expected) => {
  expect(typed(text)).toBe(expected);
});

it.each([
  ["O'zbekiston so'zi, ma`no, bog‘", 'Oʻzbekiston soʻzi, maʼno, bogʻ'],
  ["U 'salom' dedi, ‘kelding’ va 'qachon kelding' dedi", "U 'salom' dedi, ‘kelding’ va 'qachon kelding' dedi"],
  ['«toʼgʼri»', '«toʻgʻri»'],
])('a whole text is spelt with the letters of Uzbek, and its quotes stay: %s', (text, expected) => {
  expect(spellUzbek(text)).toBe(expected);
  expect(spellUzbek(expected)).toBe(expected);
});

/** Pairs that hold in both directions. */
const pairs: readonly (readonly [rule: string, latin: string, cyrillic: string])[] = [
  ['sh, ch, and the mark that keeps s and h apart', 'Shahar choyi, Isʼhoq', 'Шаҳар чойи, Исҳоқ'],
  ['yoʻ is й and ў', 'yoʻl, Yoʻq', 'йўл, Йўқ'],
  ['e at the beginning, after a vowel, inside', 'Endi eʼlon, poema, kecha', 'Энди эълон, поэма, кеча'],
  ['the mark between letters', 'maʼlum sanʼat meʼyor qalʼa', 'маълум санъат меъёр қалъа'],
  ['ц where Russian has it, t and s where they meet', 'militsiya aksiya stansiya ketsa', 'милиция акция станция кетса'],
  ['capitals', 'Shoir SHOIR YOʻL MAʼNO Yangi YANGI OKTABR', 'Шоир ШОИР ЙЎЛ МАЪНО Янги ЯНГИ ОКТЯБРЬ'],
];

describe('Uzbek in two alphabets', () => {
  it.each(pairs)('%s', (_, latin, cyrillic) => {
    expect(toUzbekCyrillic(latin)).toBe(cyrillic);
    expect(toUzbekLatin(cyrillic)).toBe(latin);
  });

  it.each(Array.from("ʻʼ'’‘`´ʹ′"))('takes the apostrophe %s that people type', (mark) => {
    expect(toUzbekCyrillic(`O${mark}zbek tog${mark} ma${mark}no`)).toBe('Ўзбек тоғ маъно');
  });

  it.each([
    ['{{count}} ta fayl, {{name}}', '{{count}} та файл, {{name}}'],
    ['Ctrl+C yoki Enter, F6, endi End', 'Ctrl+C ёки Enter, F6, энди End'],
  ])('leaves alone what has no Uzbek spelling: %s', (latin, cyrillic) => {
    expect(toUzbekCyrillic(latin)).toBe(cyrillic);
  });

  const syllables = fc.constantFrom(
    ...'bo ra la shi cha oʻ gʻi qa ha xo ja ya yu yo yoʻ ye e ni maʼ sanʼ is ta tsa ng vu ze di ku aksiya'.split(' '),
  );
  const word = fc.array(syllables, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  const cased = fc
    .tuple(word, fc.constantFrom('small', 'Title', 'LOUD'))
    .map(([text, look]) =>
      look === 'small' ? text : look === 'LOUD' ? text.toUpperCase() : (text[0] ?? '').toUpperCase() + text.slice(1),
    );

  it('loses nothing of an Uzbek word on its way to Cyrillic and back', () => {
    // "nʼyo" is the old spelling of "nyo", and a single letter does not show whether the word is in capitals.
    const isPlain = (text: string) => !/[^aeiouʻ]ʼy/i.test(text) && toUzbekCyrillic(text).length > 1;
    forAllIn(2000, fc.array(cased.filter(isPlain), { minLength: 1, maxLength: 4 }), (list) => {
      const text = list.join(' ');
      expect(toUzbekLatin(toUzbekCyrillic(text))).toBe(text);
    });
  });
});
