/**
 * Pairs of indexes with equal texts in both lists, in order: equal beginnings and ends, then the longest common
 * subsequence.
 */
export function longestCommon(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const pairs = Array.from({ length: start }, (_, at) => [at, at] as const);
  const middle = commonSubsequence(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [
    ...pairs,
    ...middle.map(([a, b]) => [a + start, b + start] as const),
    ...Array.from({ length: end }, (_, at) => [before.length - end + at, after.length - end + at] as const),
  ];
}

/** The middle is what one edit changed; when a whole text is replaced only its first sentences are compared. */
const mostCompared = 400;

function commonSubsequence(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const rows = Math.min(before.length, mostCompared);
  const columns = Math.min(after.length, mostCompared);
  const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const value =
        before[row] === after[column]
          ? (lengths[row + 1]?.[column + 1] ?? 0) + 1
          : Math.max(lengths[row + 1]?.[column] ?? 0, lengths[row]?.[column + 1] ?? 0);
      const line = lengths[row];
      if (line !== undefined) line[column] = value;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (before[row] === after[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if ((lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return pairs;
}
