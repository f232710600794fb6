import { matchWords } from '../../../../shared/domain/text/match-words.ts';

/** Two thousand words on each side: many more than the beginning of a file that is shown. */
const mostPairs = 4_000_000;

interface TextPart {
  readonly text: string;
  readonly isOther: boolean;
}

/** What comes after the last common word of shortened texts may be common too: it is not compared. */
export function compareTexts(theirs: string, ours: string, isShortened: boolean) {
  const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*/gu) ?? [];
  const [left, right] = [wordsOf(theirs), wordsOf(ours)];
  const trimmed = (words: readonly string[]) => words.map((word) => word.trim());
  const pairs = matchWords(trimmed(left), trimmed(right), mostPairs);
  // Without a common word there is no place to stop at: all of it differs.
  const isRestUnknown = isShortened && pairs.length > 0;
  const ends = isRestUnknown ? pairs : [...pairs, [left.length, right.length] as const];
  const placeCount = ends.filter(([a, b], at) => {
    const [beforeA, beforeB] = ends[at - 1] ?? [-1, -1];
    return a > beforeA + 1 || b > beforeB + 1;
  }).length;
  const partsOf = (words: readonly string[], side: 0 | 1): readonly TextPart[] => {
    const common = new Set(pairs.map((pair) => pair[side]));
    const last = isRestUnknown ? (pairs.at(-1)?.[side] ?? -1) : words.length;
    const parts: { text: string; isOther: boolean }[] = [];
    for (const [at, text] of words.entries()) {
      const isOther = at < last && !common.has(at);
      const before = parts.at(-1);
      if (before?.isOther === isOther) before.text += text;
      else parts.push({ text, isOther });
    }
    return parts;
  };
  return { theirs: partsOf(left, 0), ours: partsOf(right, 1), placeCount };
}
