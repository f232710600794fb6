import type { ReceivedSegment, ReceivedWord } from './received.ts';

/** A segment with its final times, in integer milliseconds. */
export interface TimedSegment {
  readonly text: string;
  readonly speaker?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly ReceivedWord[];
  /** What it was made of. */
  readonly received: ReceivedSegment;
}

interface Draft {
  readonly segment: ReceivedSegment;
  startMs: number | null;
  endMs: number | null;
}

/** Characters spoken per second, for recordings of unknown length. */
const usualPace = 14;
const msFor = (text: string): number => Math.ceil((text.length * 1000) / usualPace);

/**
 * Determines begin and end of every segment: given times are kept, missing ones are taken from the words or spread over
 * the gap by length of text; then segments are ordered by start and overlaps within one speaker are cut.
 */
export function timeSegments(
  pieces: readonly ReceivedSegment[],
  statedDurationMs: number | null,
): { readonly segments: readonly TimedSegment[]; readonly durationMs: number } {
  const drafts = pieces.map(toDraft);
  const lastKnown = drafts.reduce((latest, { startMs, endMs }) => Math.max(latest, startMs ?? 0, endMs ?? 0), 0);
  const textMs = drafts
    .filter(({ endMs }) => endMs === null)
    .reduce((sum, { segment }) => sum + msFor(segment.text), 0);
  const durationMs = Math.max(lastKnown, cleanMs(statedDurationMs) ?? lastKnown + textMs);
  fillGaps(drafts, durationMs);
  const timed = drafts.map(({ segment, startMs, endMs }): TimedSegment => ({
    text: segment.text,
    ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
    startMs: startMs ?? 0,
    endMs: Math.max(startMs ?? 0, endMs ?? 0),
    words: segment.words,
    received: segment,
  }));
  return { segments: separate(timed.toSorted((a, b) => a.startMs - b.startMs)), durationMs };
}

const cleanMs = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;

function toDraft(segment: ReceivedSegment): Draft {
  const firstWord = segment.words.find((word) => cleanMs(word.startMs) !== null);
  const lastWord = segment.words.findLast((word) => cleanMs(word.endMs) !== null);
  const startMs = cleanMs(segment.startMs) ?? cleanMs(firstWord?.startMs);
  const endMs = cleanMs(segment.endMs) ?? cleanMs(lastWord?.endMs);
  return { segment, startMs, endMs: startMs !== null && endMs !== null && endMs < startMs ? null : endMs };
}

/** Divides runs of unknown borders between two known ones by length of text. */
function fillGaps(drafts: readonly Draft[], durationMs: number): void {
  let from = 0;
  while (from < drafts.length) {
    const first = drafts[from];
    if (first === undefined) break;
    if (first.startMs !== null && first.endMs !== null) {
      from += 1;
      continue;
    }
    const before = drafts[from - 1]?.endMs ?? 0;
    const start = first.startMs ?? before;
    let to = from;
    // The run ends at the first known end, or just before the first known start that is later.
    while (drafts[to]?.endMs === null && to + 1 < drafts.length && (drafts[to + 1]?.startMs ?? start) === start)
      to += 1;
    const last = drafts[to];
    const limit = last?.endMs ?? drafts[to + 1]?.startMs ?? durationMs;
    const run = drafts.slice(from, to + 1);
    // What follows in a file may be earlier in time and leave no room: then the text takes its usual time.
    const usualMs = run.reduce((sum, { segment }) => sum + msFor(segment.text), 0);
    shareOut(run, start, limit > start ? limit : Math.max(start, Math.min(start + usualMs, durationMs)));
    from = to + 1;
  }
}

function shareOut(run: readonly Draft[], startMs: number, limitMs: number): void {
  const total = run.reduce((sum, { segment }) => sum + segment.text.length + 1, 0);
  let spent = 0;
  for (const draft of run) {
    draft.startMs = startMs + Math.round(((limitMs - startMs) * spent) / total);
    spent += draft.segment.text.length + 1;
    draft.endMs = startMs + Math.round(((limitMs - startMs) * spent) / total);
  }
}

/** Cuts overlaps of one speaker: an end moves back to the next start; equal starts share their time. Input by start. */
function separate(segments: readonly TimedSegment[]): readonly TimedSegment[] {
  const bySpeaker = Map.groupBy(
    segments.map((segment, at) => ({ segment, at })),
    ({ segment }) => segment.speaker ?? null,
  );
  const result = [...segments];
  for (const own of bySpeaker.values()) {
    for (let from = 0; from < own.length;) {
      let to = from + 1;
      while (to < own.length && own[to]?.segment.startMs === own[from]?.segment.startMs) to += 1;
      const group = own.slice(from, to);
      const nextStart = own[to]?.segment.startMs ?? Infinity;
      placeGroup(group, nextStart, result);
      from = to;
    }
  }
  return result.toSorted((a, b) => a.startMs - b.startMs);
}

function placeGroup(
  group: readonly { readonly segment: TimedSegment; readonly at: number }[],
  nextStart: number,
  result: TimedSegment[],
): void {
  const start = group[0]?.segment.startMs ?? 0;
  const end = Math.min(
    nextStart,
    group.reduce((latest, { segment }) => Math.max(latest, segment.endMs), start),
  );
  const total = group.reduce((sum, { segment }) => sum + segment.text.length + 1, 0);
  let spent = 0;
  for (const { segment, at } of group) {
    const startMs = start + Math.round(((end - start) * spent) / total);
    spent += segment.text.length + 1;
    result[at] = { ...segment, startMs, endMs: start + Math.round(((end - start) * spent) / total) };
  }
}
