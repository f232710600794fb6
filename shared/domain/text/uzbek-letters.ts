import type { SpeechLanguage } from '../languages.ts';

/** Every character that people type for the turned comma of oʻ and gʻ and for the tutuq belgisi. */
export const apostrophes = "ʻʼ'’‘`´ʹ′";

export function isTypedAs(word: string, typed: string): boolean {
  const plain = (text: string) =>
    Array.from(text.trim().toLocaleLowerCase(), (letter) => (apostrophes.includes(letter) ? "'" : letter)).join('');
  return plain(typed) === plain(word);
}

/** Latin letters, digraphs first, with their Cyrillic letters. `e`, `ye` and `ʼ` depend on their position. */
export const latinLetters: readonly (readonly [latin: string, cyrillic: string])[] = [
  ['oʻ', 'ў'],
  ['gʻ', 'ғ'],
  ['sh', 'ш'],
  ['ch', 'ч'],
  ['yo', 'ё'],
  ['yu', 'ю'],
  ['ya', 'я'],
  ['a', 'а'],
  ['b', 'б'],
  ['d', 'д'],
  ['f', 'ф'],
  ['g', 'г'],
  ['h', 'ҳ'],
  ['i', 'и'],
  ['j', 'ж'],
  ['k', 'к'],
  ['l', 'л'],
  ['m', 'м'],
  ['n', 'н'],
  ['o', 'о'],
  ['p', 'п'],
  ['q', 'қ'],
  ['r', 'р'],
  ['s', 'с'],
  ['t', 'т'],
  ['u', 'у'],
  ['v', 'в'],
  ['x', 'х'],
  ['y', 'й'],
  ['z', 'з'],
];

export const cyrillicLetters: ReadonlyMap<string, string> = new Map([
  ...latinLetters.map(([latin, cyrillic]) => [cyrillic, latin] as const),
  ['э', 'e'],
  ['ы', 'i'],
  ['щ', 'sh'],
]);

const latinVowels = new Set('aeiouʻ');
const cyrillicVowels = new Set('аеёиоуўэюяы');

export const isLatinVowel = (letter: string): boolean => latinVowels.has(letter.toLowerCase());
export const isCyrillicVowel = (letter: string): boolean => cyrillicVowels.has(letter.toLowerCase());
export const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();

const typedMarks = "['’‘`]";
const anyTypedMark = new RegExp(typedMarks, 'u');
const opening = String.raw`(?<![\p{L}\p{M}\p{N}])${typedMarks}(?=[\p{L}\p{N}])`;
const closing = String.raw`(?<=[\p{L}\p{M}\p{N}.,!?…)»”"'’‘\x60])${typedMarks}(?![\p{L}\p{N}'’‘\x60])`;
const untilNext = String.raw`${opening}(?:(?!${opening}).)*?`;
/** After o and after a vowel and g, a mark may belong to the word: it closes only what nothing behind it closes. */
const quotation = new RegExp(String.raw`${untilNext}(?<!o|[aeiou]g)${closing}|${untilNext}${closing}`, 'gisu');

/** Where single quotes close a quotation. They look like apostrophes and stand behind a word, but belong to no letter. */
export function closingQuotes(text: string): ReadonlySet<number> {
  // Most texts have none, and looking for quotations takes time.
  if (!anyTypedMark.test(text)) return new Set();
  return new Set(Array.from(text.matchAll(quotation), ({ index, 0: { length } }) => index + length - 1));
}

const isTypedMark = (letter: string) => new RegExp(`^${typedMarks}$`, 'u').test(letter);
const markBehind = (before: string) => (/[og]$/i.test(before) ? 'ʻ' : 'ʼ');

/** U+02BB after o and g, U+02BC after other letters; null where it belongs to no letter. */
export function typedApostrophe(before: string, typed: string, after = ''): 'ʻ' | 'ʼ' | null {
  if (!isTypedMark(typed) || !/\p{Script=Latin}$/u.test(before)) return null;
  return closingQuotes(before + typed + after).has(before.length) ? null : markBehind(before);
}

/** For this character, or the one before it, which seemed to close a quotation. */
export function correctionOfTyped(text: string, at: number): { readonly at: number; readonly mark: string } | null {
  const [typed = '', last = ''] = [text[at], text[at - 1]];
  const mark = typedApostrophe(text.slice(0, at), typed, text.slice(at + 1));
  if (mark !== null) return { at, mark };
  const before = text.slice(0, at - 1);
  if (!isTypedMark(last) || !/\p{Script=Latin}$/u.test(before)) return null;
  const seemedToClose = closingQuotes(before + last + text.slice(at + 1)).has(at - 1);
  const isLetter = isTypedMark(typed) ? markBehind(before) === 'ʻ' : /\p{Script=Latin}/u.test(typed);
  return seemedToClose && isLetter ? { at: at - 1, mark: markBehind(before) } : null;
}

const marksInWords = new RegExp(
  String.raw`(?<=\p{Script=Latin}\p{M}*)[${apostrophes}](?=\p{Script=Latin})|(?<=[og])[${apostrophes}]`,
  'giu',
);

export function spellUzbek(text: string, from = 0, to = text.length): string {
  const quotes = closingQuotes(text);
  return text.replace(marksInWords, (mark, at: number) =>
    at < from || at >= to || quotes.has(at) ? mark : markBehind(text.slice(0, at)),
  );
}

/** A name or a title that is given where a language is spoken, in the letters of its words. */
export const spellName = (language: SpeechLanguage | null, given: string): string =>
  language === 'uz' ? spellUzbek(given) : given;

/** A word with the proper apostrophe for each purpose: U+02BB after o and g, U+02BC elsewhere. The length stays. */
export function withUzbekApostrophes(word: string): string {
  let result = '';
  for (const letter of word) {
    const isMark = apostrophes.includes(letter);
    result += !isMark ? letter : /[og]$/i.test(result) ? 'ʻ' : 'ʼ';
  }
  return result;
}
