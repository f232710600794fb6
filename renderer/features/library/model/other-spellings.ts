import type { LibrarySearchAnswer } from '../../../bridge/types.ts';

const most = 3;
const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase();

/** How else the words that were looked for are written in what was found, the most frequent first. */
export function otherSpellings({ items }: Pick<LibrarySearchAnswer, 'items'>, asked: string): readonly string[] {
  const typed = new Set(plain(asked).match(/[^\s"“”«»„]+/gu));
  const counts = new Map<string, number>();
  for (const { moments } of items) {
    for (const { text, ranges } of moments) {
      for (const [start, end] of ranges) {
        const found = plain(text.slice(start, end));
        if (!typed.has(found) && !found.includes(' ')) counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
  }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, most)
    .map(([word]) => word);
}
