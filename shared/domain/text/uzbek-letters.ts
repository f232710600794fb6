/** Every character that people type for the turned comma of oʻ and gʻ and for the tutuq belgisi. */
export const apostrophes = "ʻʼ'’‘`´ʹ′";

/** Whether someone typed this word, with the letter case and the apostrophes of any keyboard. */
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

/** Cyrillic letters with their Latin equivalents where the context does not matter. */
export const cyrillicLetters: ReadonlyMap<string, string> = new Map([
  ...latinLetters.map(([latin, cyrillic]) => [cyrillic, latin] as const),
  ['э', 'e'],
  ['ы', 'i'],
  ['щ', 'sh'],
]);

const latinVowels = new Set('aeiouʻ');
const cyrillicVowels = new Set('аеёиоуўэюяы');

/** Whether one Latin letter, of either case, is a vowel of Uzbek. */
export const isLatinVowel = (letter: string): boolean => latinVowels.has(letter.toLowerCase());
/** Whether one Cyrillic letter, of either case, is a vowel of Uzbek. */
export const isCyrillicVowel = (letter: string): boolean => cyrillicVowels.has(letter.toLowerCase());
/** Whether a letter is a capital; characters without case are not. */
export const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();

/**
 * What an apostrophe of a keyboard is behind `before`, in Uzbek Latin: U+02BB after o and g, U+02BC after any other
 * letter; null where it belongs to no letter, and for anything that is no such apostrophe.
 */
export function typedApostrophe(before: string, typed: string): 'ʻ' | 'ʼ' | null {
  if (!/^['’‘`]$/u.test(typed) || !/\p{Script=Latin}$/u.test(before)) return null;
  return /[og]$/i.test(before) ? 'ʻ' : 'ʼ';
}

/** A word with the proper apostrophe for each purpose: U+02BB after o and g, U+02BC elsewhere. The length stays. */
export function withUzbekApostrophes(word: string): string {
  let result = '';
  for (const letter of word) {
    const isMark = apostrophes.includes(letter);
    result += !isMark ? letter : /[og]$/i.test(result) ? 'ʻ' : 'ʼ';
  }
  return result;
}
