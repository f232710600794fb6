import { longestCommon } from './longest-common.ts';

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/**
 * The user's own reading of a sentence whose words changed from `before` to `after`, with the same words changed in it.
 * Null where what changed is read in another way than it is written, so that the reading no longer belongs to it.
 */
export function mergeReading(before: string, readAs: string, after: string): string | null {
  const [old, read, now] = [wordsOf(before), wordsOf(readAs), wordsOf(after)];
  const readAt = new Map(longestCommon(old, read));
  let from = 0;
  while (from < Math.min(old.length, now.length) && old[from] === now[from]) from += 1;
  let kept = 0;
  while (kept < Math.min(old.length, now.length) - from && old.at(-1 - kept) === now.at(-1 - kept)) kept += 1;
  const changed = old.length - kept - from;
  const previous = changed > 0 ? undefined : readAt.get(from - 1);
  const at = from === old.length ? read.length : previous === undefined ? readAt.get(from) : previous + 1;
  if (at === undefined) return null;
  for (let word = 0; word < changed; word += 1) if (readAt.get(from + word) !== at + word) return null;
  return [...read.slice(0, at), ...now.slice(from, now.length - kept), ...read.slice(at + changed)].join(' ');
}
