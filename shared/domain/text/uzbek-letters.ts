/** Every mark that people type for the turned comma of oʻ and gʻ and for the tutuq belgisi. */
export const apostrophes = "ʻʼ'’‘`´ʹ′";

/** Latin letters, two-letter ones first, and the Cyrillic letter of each. `e`, `ye` and `ʼ` depend on where they stand. */
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

/** Cyrillic letters and what each is in Latin where its neighbours change nothing. */
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
/** Whether a letter is a capital; signs without case are none. */
export const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();

/**
 * A word with one kind of apostrophe for each of its two jobs: U+02BB after o and g, U+02BC elsewhere.
 * Length stays.
 */
export function withUzbekApostrophes(word: string): string {
  let result = '';
  for (const letter of word) {
    const isMark = apostrophes.includes(letter);
    result += !isMark ? letter : /[og]$/i.test(result) ? 'ʻ' : 'ʼ';
  }
  return result;
}
