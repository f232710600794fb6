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
const apostrophe = /[‘’'`´ʻʼ′]/u;
const accent = /\p{M}/gu;

const beginsWithY = /(?<![\p{L}\p{N}])y$/u;

/** ц is ts behind a vowel and s elsewhere: matritsa, konsert. */
const inLatin = (letter: string, before: string): string | undefined =>
  letter === 'ц' ? (/[aeiou]$/.test(before) ? 'ts' : 's') : cyrillic.get(letter);

/**
 * Folds for searching: case, accents, every apostrophe (oʻ, o' and o are one), and Cyrillic onto Latin letters, so
 * that `бўёқ` finds `boʻyoq`. Spaces and signs stay.
 */
export function foldText(original: string): FoldedText {
  let text = '';
  const from: number[] = [];
  let at = 0;
  for (const character of original) {
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
    at += character.length;
  }
  return { text, from };
}
