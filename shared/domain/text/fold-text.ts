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
      : (cyrillic.get(lower) ?? lower.normalize('NFKD').replaceAll(accent, ''));
    text += folded;
    for (let index = 0; index < folded.length; index += 1) from.push(at);
    at += character.length;
  }
  return { text, from };
}
