import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal, type Step } from './change.ts';
import { withBounds, withoutOverlaps } from './edit-segments.ts';
import { findViolations } from './find-violations.ts';
import { matchWords } from '../text/match-words.ts';
import { wordsOf } from './spoken-text.ts';
import { isRedacted, type Segment, type TimeSpan, type Transcript } from './transcript.ts';
import { withoutStruckWords } from './edit-marks.ts';

export interface ComparedRow {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
  readonly isSame: boolean;
}

export interface TextPiece {
  readonly text: string;
  readonly isChanged: boolean;
  /** Masked, as in everything that leaves the editor. */
  readonly isRedacted: boolean;
}

export function differenceOf(from: Transcript, to: Transcript): Change {
  const kept = new Set(keptIds(from.segments, to.segments));
  const steps: Step[] = [];
  // All removals come before all insertions, so that no id exists twice in between.
  for (let at = from.segments.length - 1; at >= 0; at -= 1) {
    const end = at + 1;
    while (at >= 0 && !kept.has(from.segments[at]?.id ?? '')) at -= 1;
    const removed = from.segments.slice(at + 1, end).map(({ id }) => id);
    if (removed.length > 0) steps.push({ type: 'splice', at: at + 1, removed, inserted: [] });
  }
  for (let at = 0; at < to.segments.length; at += 1) {
    const begin = at;
    while (at < to.segments.length && !kept.has(to.segments[at]?.id ?? '')) at += 1;
    const inserted = to.segments.slice(begin, at);
    if (inserted.length > 0) steps.push({ type: 'splice', at: begin, removed: [], inserted });
  }
  const old = new Map(from.segments.map((segment) => [segment.id, segment]));
  const changed = to.segments.filter((segment) => {
    const before = kept.has(segment.id) ? old.get(segment.id) : undefined;
    return before !== undefined && !isSameSegment(before, segment);
  });
  if (changed.length > 0) steps.push({ type: 'set', segments: changed });
  if (!isEqual(from.speakers, to.speakers)) steps.push({ type: 'speakers', speakers: to.speakers });
  if (!isEqual(from.cuts ?? [], to.cuts ?? [])) steps.push({ type: 'cuts', cuts: to.cuts ?? [] });
  if (from.durationMs !== to.durationMs) steps.push({ type: 'duration', durationMs: to.durationMs });
  return steps;
}

function keptIds(from: readonly Segment[], to: readonly Segment[]): readonly string[] {
  const places = new Map(from.map(({ id }, at) => [id, at]));
  const common = to.flatMap(({ id }) => {
    const place = places.get(id);
    return place === undefined ? [] : [{ id, place }];
  });
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, { place }] of common.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((common[ends[middle] ?? -1]?.place ?? Infinity) < place) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const kept: string[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept.push(common[at]?.id ?? '');
  return kept.toReversed();
}

export function compareTranscripts(before: Transcript, after: Transcript): readonly ComparedRow[] {
  const rows: { before: Segment[]; after: Segment[]; isSame: boolean }[] = [];
  const kept = keptIds(before.segments, after.segments);
  let [left, right] = [0, 0];
  const upTo = (segments: readonly Segment[], from: number, id: string | undefined): readonly Segment[] => {
    let end = from;
    while (end < segments.length && segments[end]?.id !== id) end += 1;
    return segments.slice(from, end);
  };
  for (let at = 0; at <= kept.length; at += 1) {
    const own = upTo(before.segments, left, kept[at]);
    const other = upTo(after.segments, right, kept[at]);
    const last = rows.at(-1);
    // A segment that was split off or joined belongs to that row; any other is a row of its own.
    if (last !== undefined && !last.isSame && own.length + other.length > 0) {
      last.before.push(...own);
      last.after.push(...other);
    } else if (own.length + other.length > 0) rows.push({ before: [...own], after: [...other], isSame: false });
    left += own.length;
    right += other.length;
    const [first, second] = [before.segments[left], after.segments[right]];
    if (first === undefined || second === undefined) continue;
    rows.push({ before: [first], after: [second], isSame: isSameSegment(first, second) });
    left += 1;
    right += 1;
  }
  return rows;
}

export function compareWords(
  before: readonly Segment[],
  after: readonly Segment[],
): { readonly before: TextPiece[]; readonly after: TextPiece[] } {
  const [old, now] = [writtenWords(before), writtenWords(after)];
  const same = matchWords(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
  );
  return {
    before: piecesOf(old, new Set(same.map(([place]) => place))),
    after: piecesOf(now, new Set(same.map(([, place]) => place))),
  };
}

type WrittenWord = Pick<TextPiece, 'text' | 'isRedacted'>;

const writtenWords = (segments: readonly Segment[]): readonly WrittenWord[] =>
  segments.flatMap(({ text, words }) =>
    wordsOf(text).map((written, at) => ({ text: written, isRedacted: isRedacted(words[at]) })),
  );

function piecesOf(words: readonly WrittenWord[], same: ReadonlySet<number>): TextPiece[] {
  const pieces: { text: string; isChanged: boolean; isRedacted: boolean }[] = [];
  for (const [at, { text, isRedacted }] of words.entries()) {
    const isChanged = !same.has(at);
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged && last.isRedacted === isRedacted) last.text += ` ${text}`;
    else pieces.push({ text, isChanged, isRedacted });
  }
  return pieces;
}

export function restoreRows(
  now: Transcript,
  rows: readonly ComparedRow[],
  before: Transcript,
): Result<Change, EditRefusal> {
  let current = now;
  // What is only inserted goes to its time, which may lie between the segments of another row: those are replaced first.
  const replaced = rows.filter(({ after }) => after.length > 0);
  const inserted = rows.filter(({ after }) => after.length === 0);
  for (const row of [...replaced, ...inserted]) {
    const applied = applyChange(current, restoring(current, row, before));
    if (!applied.ok) return applied;
    current = applied.value.transcript;
  }
  const apart = applyChange(current, withoutOverlaps(current, [], [now, before]));
  if (!apart.ok) return apart;
  current = apart.value.transcript;
  const change = differenceOf(now, current);
  if (change.length === 0) return err('nothing-to-change');
  // Overlaps are those of one of the two texts.
  const faults = (text: Transcript) => findViolations(text).filter(({ rule }) => rule !== 'overlap-of-one-speaker');
  return faults(current).length > faults(now).length ? err('no-room') : ok(change);
}

function restoring(current: Transcript, { before: wanted, after: present }: ComparedRow, before: Transcript): Change {
  const { segments, speakers } = current;
  const gone = new Set(present.map(({ id }) => id));
  const first = segments.findIndex(({ id }) => gone.has(id));
  const startMs = wanted[0]?.startMs ?? 0;
  const later = segments.findIndex((segment) => segment.startMs > startMs);
  const at = first >= 0 ? first : later < 0 ? segments.length : later;
  const earliest = segments[at - 1]?.startMs ?? 0;
  const latest = segments[at + present.length]?.startMs ?? current.durationMs;
  const ids = new Set(segments.flatMap(({ id }) => (gone.has(id) ? [] : [id])));
  const inserted = wanted.map((segment) => {
    const from = Math.min(latest, Math.max(earliest, segment.startMs));
    const placed = from === segment.startMs ? segment : withBounds(segment, from, Math.max(from, segment.endMs));
    return ids.has(segment.id) ? { ...placed, id: `${segment.id}-restored` } : placed;
  });
  const known = new Set(speakers.map(({ id }) => id));
  const missing = before.speakers.filter(
    ({ id }) => !known.has(id) && wanted.some(({ speakerId }) => speakerId === id),
  );
  return [
    ...(missing.length === 0 ? [] : [{ type: 'speakers' as const, speakers: [...speakers, ...missing] }]),
    { type: 'splice', at, removed: present.map(({ id }) => id), inserted },
  ];
}

export function isSameSegment(one: Segment, other: Segment): boolean {
  if (one === other) return true;
  const isAlike =
    one.text === other.text &&
    one.speakerId === other.speakerId &&
    one.startMs === other.startMs &&
    one.endMs === other.endMs &&
    one.words.length === other.words.length;
  return (
    isAlike &&
    one.words.every((word, at) => {
      const same = other.words[at];
      return (
        word.text === same?.text &&
        word.startMs === same.startMs &&
        word.endMs === same.endMs &&
        word.isEstimated === same.isEstimated &&
        word.mark === same.mark &&
        word.comment?.text === same.comment?.text
      );
    })
  );
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function compareCuts(
  { cuts: before = [] }: Transcript,
  { cuts: after = [] }: Transcript,
): { readonly cutCount: number; readonly uncutCount: number } {
  const isSame = (one: TimeSpan) => (other: TimeSpan) => one.startMs === other.startMs && one.endMs === other.endMs;
  const meets = (one: TimeSpan) => (other: TimeSpan) => one.startMs < other.endMs && one.endMs > other.startMs;
  return {
    cutCount: after.filter((span) => !before.some(isSame(span))).length,
    uncutCount: before.filter((span) => !after.some(meets(span))).length,
  };
}

export type RowChoice = 'mine' | 'theirs' | 'both';

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

/** Null where both changed it; where neither did, they differ by what is not sent, and mine has it. */
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

function keysOf({ segments }: Transcript): (segment: Segment) => string {
  const numbers = new Map<string, number>();
  for (const { speakerId } of segments)
    if (speakerId !== null && !numbers.has(speakerId)) numbers.set(speakerId, numbers.size);
  return ({ speakerId, startMs, endMs, text }) =>
    [speakerId === null ? '' : numbers.get(speakerId), startMs, endMs, text].join(' ');
}

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
