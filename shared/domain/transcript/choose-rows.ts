import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { differenceOf, isSameSegment, restoreRows, type ComparedRow } from './compare.ts';
import { withoutStruckWords } from './edit-marks.ts';
import type { Segment, TimeSpan, Transcript } from './transcript.ts';

/** Which of two texts a paragraph keeps when both were changed. */
export type RowChoice = 'mine' | 'theirs' | 'both';

/** Turns `mine` into what was chosen for each row that differs from `theirs`. `rows` compare theirs with mine. */
export function chooseRows(
  mine: Transcript,
  theirs: Transcript,
  rows: readonly ComparedRow[],
  choiceOf: (row: ComparedRow) => RowChoice,
): Result<Change, EditRefusal> {
  const chosen = rows.filter(({ isSame }) => !isSame).map((row) => ({ row, choice: choiceOf(row) }));
  if (chosen.every(({ choice }) => choice === 'theirs')) {
    const change = differenceOf(mine, theirs);
    return change.length === 0 ? err('nothing-to-change') : ok(change);
  }
  const ids = new Set([...mine.segments, ...theirs.segments].map(({ id }) => id));
  const replacing = chosen.flatMap(({ row, choice }) => {
    if (choice === 'mine') return [];
    return choice === 'both' && row.after.length > 0 ? bothOf(row, ids) : [row];
  });
  return replacing.length === 0 ? err('nothing-to-change') : restoreRows(mine, replacing, theirs);
}

/**
 * The side that alone changed a row since `base`, the last text that both had; null where both did. Where neither did,
 * they differ only by what is not sent, such as struck words, and mine has it.
 */
export function sideThatChanged(
  base: Transcript,
  mine: Transcript,
  theirs: Transcript,
): (row: ComparedRow) => 'mine' | 'theirs' | null {
  const sent = withoutStruckWords(base);
  const [keyOfSent, keyOfTheirs] = [keysOf(sent), keysOf(theirs)];
  const theirKeys = new Set(theirs.segments.map(keyOfTheirs));
  const baseOf = new Map(base.segments.map((segment) => [segment.id, segment]));
  const sentKeys = new Map(sent.segments.map((segment) => [segment.id, keyOfSent(segment)]));
  const idOfKey = new Map([...sentKeys].map(([id, key]) => [key, id]));
  const mineOf = new Map(mine.segments.map((segment) => [segment.id, segment]));
  const isKeptHere = (id: string): boolean => {
    const [was, is] = [baseOf.get(id), mineOf.get(id)];
    return was !== undefined && is !== undefined && isSameSegment(was, is);
  };
  return (row) => {
    // The ids of theirs are numbers given anew, so their segments are found by what they say and when.
    const known = row.before.map((segment) => idOfKey.get(keyOfTheirs(segment)));
    const isMineChanged =
      !row.after.every(({ id }) => isKeptHere(id)) || known.some((id) => id !== undefined && !isKeptHere(id));
    const isTheirsChanged =
      known.includes(undefined) ||
      row.after.some(({ id }) => {
        const key = sentKeys.get(id);
        return key !== undefined && !theirKeys.has(key);
      });
    if (isMineChanged && isTheirsChanged) return null;
    return isTheirsChanged ? 'theirs' : 'mine';
  };
}

/** What a segment says and when, and the how manieth speaker says it. */
function keysOf({ segments }: Transcript): (segment: Segment) => string {
  const numbers = new Map<string, number>();
  for (const { speakerId } of segments)
    if (speakerId !== null && !numbers.has(speakerId)) numbers.set(speakerId, numbers.size);
  return ({ speakerId, startMs, endMs, text }) =>
    [speakerId === null ? '' : numbers.get(speakerId), startMs, endMs, text].join(' ');
}

/** Mine and then theirs, each in one half of their time. */
function bothOf({ before: theirs, after: mine }: ComparedRow, ids: Set<string>): ComparedRow[] {
  if (theirs.length === 0) return [];
  const all = [...mine, ...theirs];
  const startMs = Math.min(...all.map((segment) => segment.startMs));
  const endMs = Math.max(...all.map((segment) => segment.endMs));
  const middleMs = Math.round((startMs + endMs) / 2);
  const added = squeeze(theirs, { startMs: middleMs, endMs }).map((segment) => {
    let id = `${segment.id}-both`;
    while (ids.has(id)) id += '-both';
    ids.add(id);
    return { ...segment, id };
  });
  return [{ before: [...squeeze(mine, { startMs, endMs: middleMs }), ...added], after: mine, isSame: false }];
}

/** Segments at other times, in proportion. */
function squeeze(segments: readonly Segment[], into: TimeSpan): Segment[] {
  const from = Math.min(...segments.map(({ startMs }) => startMs));
  const length = Math.max(1, Math.max(...segments.map(({ endMs }) => endMs)) - from);
  const at = (ms: number) => into.startMs + Math.round(((ms - from) * (into.endMs - into.startMs)) / length);
  return segments.map((segment) => ({
    ...segment,
    startMs: at(segment.startMs),
    endMs: at(segment.endMs),
    words: segment.words.map((word) => ({
      ...word,
      startMs: at(word.startMs),
      endMs: at(word.endMs),
      isEstimated: true as const,
    })),
  }));
}
