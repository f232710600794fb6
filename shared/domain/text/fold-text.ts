/** Text made comparable: what is written in other letters, with other apostrophes or accents comes out the same. */
export interface FoldedText {
  readonly text: string;
  /** For each character of `text`: where in the original it comes from. */
  readonly from: readonly number[];
}

/** Each Cyrillic letter of Uzbek and Russian with the Latin ones that stand for it. */
const cyrillic = new Map(
  'аa бb вv гg ғg дd еe ёyo жj зz иi йy кk қq лl мm нn оo ўo пp рr сs тt уu фf хx ҳh цts чch шsh щsh ъ ыi ь эe юyu яya'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const apostrophe = /[‘’'`´ʹʻʼ′]/u;
const accent = /\p{M}/gu;

/** A character with the marks that stand behind it. */
const markedCharacter = /\P{M}\p{M}+/gu;

const beginsWithY = /(?<![\p{L}\p{N}])y$/u;

/** ц is ts behind a vowel and s elsewhere: matritsa, konsert. */
const inLatin = (letter: string, before: string): string | undefined =>
  letter === 'ц' ? (/[aeiou]$/.test(before) ? 'ts' : 's') : cyrillic.get(letter);

/**
 * Each character with where it stands in the original. Marks that stand apart, as some disks write names of files, are
 * put back onto their letters first: й is a letter of its own and not an и with an accent.
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
 * Folds for searching: case, accents, every apostrophe (oʻ, o' and o are one), and Cyrillic onto Latin letters, so
 * that `бўёқ` finds `boʻyoq`. Spaces and signs stay.
 */
export function foldText(original: string): FoldedText {
  let text = '';
  const from: number[] = [];
  for (const [character, at] of charactersOf(original)) {
    const lower = character.toLowerCase();
    const folded = apostrophe.test(character)
      ? ''
      : (inLatin(lower, text) ?? lower.normalize('NFKD').replaceAll(accent, ''));
    // A word that begins with ye- in Latin begins with е- in Cyrillic.
    if (folded.startsWith('e') && beginsWithY.test(text)) {
      text = text.slice(0, -1);
      from.pop();
    }
    text += folded;
    for (let index = 0; index < folded.length; index += 1) from.push(at);
  }
  return { text, from };
}
