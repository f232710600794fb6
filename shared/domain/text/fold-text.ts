import { isCyrillicVowel, isLatinVowel } from './uzbek-letters.ts';

/** The word with its first letter as a capital, whatever the language of the computer: "(it" is "(It" in Turkey too. */
export const capital = (word: string): string => word.replace(/\p{L}/u, (letter) => letter.toUpperCase());

/** Text in a comparable form: spellings in another alphabet, with other apostrophes or accents become equal. */
export interface FoldedText {
  readonly text: string;
  /** For each character of `text`: where the letters that it stands for begin in the original. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Where the letter for a character of the folded text ends in the original, with the signs and apostrophes behind it. */
export const endOfLetter = (original: string, { from, to }: FoldedText, at: number): number =>
  Math.max(to[at] ?? 0, from[at + 1] ?? original.length);

const cyrillic = new Map(
  'аa бb вv гg ғg дd еe ёyo жj зz иi йy кk қq лl мm нn оo ўo пp рr сs тt уu фf хx ҳh цts чch шsh щsh ъ ыi ь эe юyu яya'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const apostrophe = /[‘’'`´ʹʻʼ′]/u;
const accent = /\p{M}/gu;

const markedCharacter = /\P{M}\p{M}+/gu;

const beginsWithY = /(?<![\p{L}\p{N}])y$/u;
const endsWithY = /y$/u;

/** Combining marks are composed with their letters first: й is a letter of its own, also in file names. */
function* charactersOf(original: string): Generator<readonly [character: string, from: number, to: number]> {
  let at = 0;
  for (const { 0: marked, index } of original.matchAll(markedCharacter)) {
    yield* spelled(original.slice(at, index), at);
    at = index + marked.length;
    for (const character of marked.normalize('NFC')) yield [character, index, at];
  }
  yield* spelled(original.slice(at), at);
}

function* spelled(text: string, from: number): Generator<readonly [character: string, from: number, to: number]> {
  let at = from;
  for (const character of text) {
    const to = at + character.length;
    yield [character, at, to];
    at = to;
  }
}

const plain = new Map<string, string>();

/** Without accents; nothing for an apostrophe. */
function plainOf(lower: string): string {
  const made = plain.get(lower) ?? (apostrophe.test(lower) ? '' : lower.normalize('NFKD').replaceAll(accent, ''));
  plain.set(lower, made);
  return made;
}

/** Undefined for other letters. `text`: folded so far; `before`, `after`: the letters around it. */
type InLatin = (letter: string, text: string, before: string, after: string) => string | undefined;

function fold(original: string, inLatin: InLatin, yOfYe: RegExp | null): FoldedText {
  let text = '';
  let before = '';
  const from: number[] = [];
  const to: number[] = [];
  for (const [character, start, end] of charactersOf(original)) {
    const lower = character.toLowerCase();
    const folded = inLatin(lower, text, before, original.charAt(end)) ?? plainOf(lower);
    let begin = start;
    if (yOfYe !== null && folded.startsWith('e') && yOfYe.test(text)) {
      text = text.slice(0, -1);
      begin = from.pop() ?? start;
      to.pop();
    }
    text += folded;
    for (let index = 0; index < folded.length; index += 1) {
      from.push(begin);
      to.push(end);
    }
    before = lower;
  }
  return { text, from, to };
}

/** ц is ts after a vowel and s elsewhere: matritsa, konsert. */
const withoutYe: InLatin = (letter, text) =>
  letter === 'ц' ? (/[aeiou]$/.test(text) ? 'ts' : 's') : cyrillic.get(letter);

/** Within a word, е is ye where it is in Uzbek: Oʻrinboyev. */
const forSearch: InLatin = (letter, text, before, after) =>
  letter === 'е' && /\p{L}/u.test(before) && isOpen(before) ? 'ye' : withoutYe(letter, text, before, after);

/** Case, accents, apostrophes and alphabet are folded; initial ye- is e-. The index on disk is made with this. */
export const foldText = (original: string): FoldedText => fold(original, forSearch, beginsWithY);

/** The same with every ye as e: surnames are written with -oyev and -oev. */
export const foldWithoutYe = (original: string): FoldedText => fold(original, withoutYe, endsWithY);

const isOpen = (before: string): boolean =>
  !/\p{L}/u.test(before) || isCyrillicVowel(before) || isLatinVowel(before) || before === 'ъ' || before === 'ь';

const asInUzbek =
  (isYoYe: boolean): InLatin =>
  (letter, _, before, after) => {
    if (letter === 'е' || (letter === 'ё' && isYoYe)) return isOpen(before) ? 'ye' : 'e';
    if (letter === 'ц') return isCyrillicVowel(before) ? 'ts' : 's';
    // батальон is batalyon.
    return letter === 'ь' && /о/iu.test(after) ? 'y' : cyrillic.get(letter);
  };
const inUzbek = asInUzbek(false);
const inUzbekWithoutYo = asInUzbek(true);

/** Initial ye- and e- differ in Latin: е is ye at the beginning and after a vowel, and e elsewhere; э is e. */
export const foldUzbek = (original: string): FoldedText => fold(original, inUzbek, null);

/** The same with ё as another е. */
export const foldUzbekWithoutYo = (original: string): FoldedText => fold(original, inUzbekWithoutYo, null);

/** Folds as Russian is written: е, ё and э are one letter wherever they are. */
export const foldRussian = (original: string): FoldedText =>
  fold(original, (letter, ...where) => (/[еёэ]/u.test(letter) ? 'e' : inUzbek(letter, ...where)), null);
