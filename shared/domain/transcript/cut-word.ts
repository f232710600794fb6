import type { Segment, Word } from './transcript.ts';

/** Cuts a word after `length` UTF-16 units; each half gets its share of the time. */
export function cutWord(word: Word, length: number): readonly [Word, Word] {
  const cutMs = Math.round(word.startMs + ((word.endMs - word.startMs) * length) / word.text.length);
  const halves = [word.text.slice(0, length), word.text.slice(length)] as const;
  const half = { ...word, isEstimated: true, wholeWord: { word, halves } } as const;
  return [
    { ...half, text: halves[0], endMs: cutMs },
    { ...half, text: halves[1], startMs: cutMs },
  ];
}

/** The word that was cut where one segment ends and the other begins; null where two words of their own meet. */
export function wordAcross(first: Segment, second: Segment): Word | null {
  const [left, right] = [first.words.at(-1), second.words[0]];
  if (left?.wholeWord === undefined || left.wholeWord !== right?.wholeWord || left.mark !== right.mark) return null;
  const { wholeWord, ...rest } = left;
  const { word: whole, halves } = wholeWord;
  // In other letters than it was cut in, the halves need not add up to the word: s and h are с and ҳ, together ш.
  const isAsCut = left.text === halves[0] && right.text === halves[1];
  const joined: Word = { ...rest, text: isAsCut ? whole.text : left.text + right.text, endMs: right.endMs };
  const isAsBefore =
    joined.text === whole.text &&
    joined.mark === whole.mark &&
    joined.startMs === whole.startMs &&
    joined.endMs === whole.endMs;
  return isAsBefore ? whole : joined;
}

/** The text of two segments that are joined. */
export function joinedText(first: Segment, second: Segment): string {
  const across = wordAcross(first, second);
  const [left, right] = [first.words.at(-1)?.text ?? '', second.words[0]?.text ?? ''];
  if (across === null || !first.text.endsWith(left) || !second.text.startsWith(right))
    return first.text + gapBetween(first, second) + second.text;
  return first.text.slice(0, first.text.length - left.length) + across.text + second.text.slice(right.length);
}

/** What stands between the texts of two segments that are joined. */
export const gapBetween = (first: Segment, second: Segment): '' | ' ' =>
  first.text === '' || second.text === '' || wordAcross(first, second) !== null ? '' : ' ';
