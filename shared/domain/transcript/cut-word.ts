import type { Segment, Word } from './transcript.ts';

/** Cuts a word after `length` UTF-16 units; each half gets its share of the time. */
export function cutWord(word: Word, length: number): readonly [Word, Word] {
  const cutMs = Math.round(word.startMs + ((word.endMs - word.startMs) * length) / word.text.length);
  const half = { ...word, isEstimated: true, cutFrom: word } as const;
  return [
    { ...half, text: word.text.slice(0, length), endMs: cutMs },
    { ...half, text: word.text.slice(length), startMs: cutMs },
  ];
}

/** The word that was cut where one segment ends and the other begins; null where two words of their own meet. */
export function wordAcross(first: Segment, second: Segment): Word | null {
  const [left, right] = [first.words.at(-1), second.words[0]];
  if (left?.cutFrom === undefined || left.cutFrom !== right?.cutFrom || left.mark !== right.mark) return null;
  const { cutFrom: whole, ...rest } = left;
  const joined: Word = { ...rest, text: left.text + right.text, endMs: right.endMs };
  const isAsBefore =
    joined.text === whole.text &&
    joined.mark === whole.mark &&
    joined.startMs === whole.startMs &&
    joined.endMs === whole.endMs;
  return isAsBefore ? whole : joined;
}

/** What stands between the texts of two segments that are joined. */
export const gapBetween = (first: Segment, second: Segment): '' | ' ' =>
  first.text === '' || second.text === '' || wordAcross(first, second) !== null ? '' : ' ';
