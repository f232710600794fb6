/** How many letters must be inserted, removed, changed or swapped to turn one word into the other. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}

interface Word {
  readonly text: string;
  readonly momentCount: number;
}

/** Words that may have been meant by `wanted`: closest first, and of those the most frequent. */
export function closeWords(wanted: string, words: readonly Word[]): readonly Word[] {
  const most = wanted.length < 6 ? 1 : 2;
  return words
    .map((word) => ({ word, distance: editDistance(wanted, word.text) }))
    .filter(({ distance }) => distance > 0 && distance <= most)
    .toSorted((one, other) => one.distance - other.distance || other.word.momentCount - one.word.momentCount)
    .map(({ word }) => word);
}
