/** Text in a comparable form: spellings in another alphabet, with other apostrophes or accents become equal. */
export interface FoldedText {
  readonly text: string;
  /** For each character of `text`: its index in the original. */
  readonly from: readonly number[];
}

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

/** ц is ts after a vowel and s elsewhere: matritsa, konsert. */
const inLatin = (letter: string, before: string): string | undefined =>
  letter === 'ц' ? (/[aeiou]$/.test(before) ? 'ts' : 's') : cyrillic.get(letter);

/**
 * Each character with its index in the original. Combining marks, which some disks use in file names, are composed with
 * their letters first: й is a letter of its own and not an и with an accent.
 */
function* charactersOf(original: string): Generator<readonly [character: string, at: number]> {
  let at = 0;
  for (const { 0: marked, index } of original.matchAll(markedCharacter)) {
    yield* spelled(original.slice(at, index), at);
    for (const character of marked.normalize('NFC')) yield [character, index];
    at = index + marked.length;
  }
  yield* spelled(original.slice(at), at);
}

function* spelled(text: string, from: number): Generator<readonly [character: string, at: number]> {
  let at = from;
  for (const character of text) {
    yield [character, at];
    at += character.length;
  }
}

/**
 * Folds for searching: case, accents, every apostrophe (oʻ, o' and o are one), and Cyrillic to Latin letters, so that
 * `бўёқ` finds `boʻyoq`. Spaces and punctuation stay.
 */
export function foldText(original: string): FoldedText {
  let text = '';
  const from: number[] = [];
  for (const [character, at] of charactersOf(original)) {
    const lower = character.toLowerCase();
    const folded = apostrophe.test(character)
      ? ''
      : (inLatin(lower, text) ?? lower.normalize('NFKD').replaceAll(accent, ''));
    // Initial ye- in Latin is initial е- in Cyrillic.
    if (folded.startsWith('e') && beginsWithY.test(text)) {
      text = text.slice(0, -1);
      from.pop();
    }
    text += folded;
    for (let index = 0; index < folded.length; index += 1) from.push(at);
  }
  return { text, from };
}
