import { isCyrillicVowel, isLatinVowel } from './uzbek-letters.ts';

/** Text in a comparable form: spellings in another alphabet, with other apostrophes or accents become equal. */
export interface FoldedText {
  readonly text: string;
  /** For each character of `text`: where the letters that it stands for begin in the original. */
  readonly from: readonly number[];
  /** And where they end, exclusive. */
  readonly to: readonly number[];
}

/** Where the letter for a character of the folded text ends in the original, with the signs and apostrophes behind it. */
export const endOfLetter = (original: string, { from, to }: FoldedText, at: number): number =>
  Math.max(to[at] ?? 0, from[at + 1] ?? original.length);

/** The Latin equivalent of each Cyrillic letter of Uzbek and Russian. */
const cyrillic = new Map(
  'аa бb вv гg ғg дd еe ёyo жj зz иi йy кk қq лl мm нn оo ўo пp рr сs тt уu фf хx ҳh цts чch шsh щsh ъ ыi ь эe юyu яya'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const apostrophe = /[‘’'`´ʹʻʼ′]/u;
const accent = /\p{M}/gu;

/** A character with its combining marks. */
const markedCharacter = /\P{M}\p{M}+/gu;

const beginsWithY = /(?<![\p{L}\p{N}])y$/u;
const endsWithY = /y$/u;

/**
 * Each character, and where it begins and ends in the original. Combining marks, which some disks use in file names, are
 * composed with their letters first: й is a letter of its own and not an и with an accent.
 */
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

/** Characters that were folded before: a text consists of a few dozen. */
const plain = new Map<string, string>();

/** Without accents; nothing for an apostrophe. */
function plainOf(lower: string): string {
  const made = plain.get(lower) ?? (apostrophe.test(lower) ? '' : lower.normalize('NFKD').replaceAll(accent, ''));
  plain.set(lower, made);
  return made;
}

/**
 * The Latin letters of a lower-case Cyrillic one, for any other letter undefined. `text` is what was folded before it;
 * `before` and `after` are the letters around it in the original.
 */
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

/**
 * Folds for searching: case, accents, every apostrophe (oʻ, o' and o are one), and Cyrillic to Latin letters, so that
 * `бўёқ` finds `boʻyoq`. Initial ye- in Latin is e-, as initial е- in Cyrillic. Spaces and punctuation stay. What is
 * indexed on disk is folded in this way.
 */
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

/**
 * Folds as Uzbek is written in Latin, where initial ye- and e- are different sounds: е is ye at the beginning of a word
 * and after a vowel, and e elsewhere; э is e.
 */
export const foldUzbek = (original: string): FoldedText => fold(original, inUzbek, null);

/** The same with ё as another е. */
export const foldUzbekWithoutYo = (original: string): FoldedText => fold(original, inUzbekWithoutYo, null);

/** Folds as Russian is written: е, ё and э are one letter wherever they are. */
export const foldRussian = (original: string): FoldedText =>
  fold(original, (letter, ...where) => (/[еёэ]/u.test(letter) ? 'e' : inUzbek(letter, ...where)), null);
