/** A middle with more pairs than this, 1000 words by 1000, counts as completely rewritten: a long paste stays fast. */
const mostPairsWhileTyping = 1_000_000;

/** Pairs of indexes of the longest common subsequence, in order; a middle of more than `mostPairs` has none. */
export function matchWords(
  before: readonly string[],
  after: readonly string[],
  mostPairs = mostPairsWhileTyping,
): readonly (readonly [number, number])[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < head; index += 1) pairs.push([index, index]);
  const inside = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  const middle = inside[0].length * inside[1].length > mostPairs ? [] : longestCommon(...inside);
  for (const [left, right] of middle) pairs.push([left + head, right + head]);
  for (let index = tail; index > 0; index -= 1) pairs.push([before.length - index, after.length - index]);
  return pairs;
}

function longestCommon(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  const width = right.length + 1;
  if (left.length === 0 || right.length === 0) return [];
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a -= 1)
    for (let b = right.length - 1; b >= 0; b -= 1)
      lengths[a * width + b] =
        left[a] === right[b]
          ? (lengths[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(lengths[(a + 1) * width + b] ?? 0, lengths[a * width + b + 1] ?? 0);
  const pairs: (readonly [number, number])[] = [];
  for (let a = 0, b = 0; a < left.length && b < right.length;) {
    if (left[a] === right[b]) pairs.push([a++, b++]);
    else if ((lengths[(a + 1) * width + b] ?? 0) >= (lengths[a * width + b + 1] ?? 0)) a += 1;
    else b += 1;
  }
  return pairs;
}
