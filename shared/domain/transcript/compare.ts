import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal, type Step } from './change.ts';
import { withBounds, withoutOverlaps } from './edit-segments.ts';
import { findViolations } from './find-violations.ts';
import { matchWords } from './realign-words.ts';
import { wordsOf } from './spoken-text.ts';
import type { Segment, TimeSpan, Transcript } from './transcript.ts';
import { isRedacted } from './word-mark.ts';

/** A stretch of two transcripts side by side. */
export interface ComparedRow {
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
  readonly isSame: boolean;
}

/** A run of words that both texts have, or only one of them. */
export interface TextPiece {
  readonly text: string;
  readonly isChanged: boolean;
  /** Masked, as in everything that leaves the editor. */
  readonly isRedacted: boolean;
}

/** The change that turns `from` into `to`. Segments with the same id are the same segment. */
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

/** Ids that both have, in a common order: as many as possible. */
function keptIds(from: readonly Segment[], to: readonly Segment[]): readonly string[] {
  const places = new Map(from.map(({ id }, at) => [id, at]));
  const common = to.flatMap(({ id }) => {
    const place = places.get(id);
    return place === undefined ? [] : [{ id, place }];
  });
  // The longest increasing subsequence, by its smallest ends.
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

/** Two transcripts row by row: each common segment begins a row, and segments split off it stay with it. */
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

/**
 * The words of both sides of a row, and which of them the other side lacks. They are compared as they are stored; the
 * pieces have them as `show` writes them, the same word on both sides as on the later one.
 */
export function compareWords(
  before: readonly Segment[],
  after: readonly Segment[],
  show: (stored: Segment) => Segment,
): { readonly before: TextPiece[]; readonly after: TextPiece[] } {
  const [old, now] = [shownWords(before, show), shownWords(after, show)];
  const same = matchWords(
    old.map(({ stored }) => stored),
    now.map(({ stored }) => stored),
  );
  const alike = new Map(same);
  const oldAsNow = old.map((word, at) => ({ ...word, text: now[alike.get(at) ?? -1]?.text ?? word.text }));
  return {
    before: piecesOf(oldAsNow, new Set(alike.keys())),
    after: piecesOf(now, new Set(same.map(([, place]) => place))),
  };
}

interface ShownWord extends Pick<TextPiece, 'text' | 'isRedacted'> {
  readonly stored: string;
}

const shownWords = (segments: readonly Segment[], show: (stored: Segment) => Segment): readonly ShownWord[] =>
  segments.flatMap((segment) => {
    const shown = wordsOf(show(segment).text);
    return wordsOf(segment.text).map((stored, at) => ({
      stored,
      text: shown[at] ?? stored,
      isRedacted: isRedacted(segment.words[at]),
    }));
  });

function piecesOf(words: readonly ShownWord[], same: ReadonlySet<number>): TextPiece[] {
  const pieces: { text: string; isChanged: boolean; isRedacted: boolean }[] = [];
  for (const [at, { text, isRedacted }] of words.entries()) {
    const isChanged = !same.has(at);
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged && last.isRedacted === isRedacted) last.text += ` ${text}`;
    else pieces.push({ text, isChanged, isRedacted });
  }
  return pieces;
}

/** Restores rows to their earlier state; later changes elsewhere stay. */
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
  const apart = applyChange(current, withoutOverlaps(current, []));
  if (!apart.ok) return apart;
  current = apart.value.transcript;
  const change = differenceOf(now, current);
  if (change.length === 0) return err('nothing-to-change');
  return findViolations(current).length > findViolations(now).length ? err('no-room') : ok(change);
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
        word.mark === same.mark
      );
    })
  );
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** How many silences are cut in `after` that were not, or not like this, and how many are no longer cut. */
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
