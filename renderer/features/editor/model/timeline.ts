import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** A word by its place in the transcript. */
export interface WordPlace {
  readonly segment: number;
  readonly word: number;
}

/** A transcript made searchable by time; built once when it is opened. All positions are indexes into `segments`. */
export interface Timeline {
  readonly segments: readonly Segment[];
  /** Whether a segment only notes that somebody speaks, as practice mode does; it has no words to mark. */
  isNote(segment: number): boolean;
  /** The word that sounds at a time, or sounded last if somebody only draws breath. */
  wordAt(timeMs: number): WordPlace | null;
  /** The segment that sounds at a time; -1 in a pause. Of two at once, the one that began later. */
  segmentAt(timeMs: number): number;
  /** The segment that sounds or sounded last; the first one before anybody speaks, -1 without segments. */
  segmentNear(timeMs: number): number;
  /** Where "next segment" leads from a time; null after the last. */
  nextStartMs(timeMs: number): number | null;
  /** Where "previous segment" leads: to the start of this one first, then to the one before. */
  previousStartMs(timeMs: number): number;
}

/** A breath shorter than this keeps the last word marked; longer silence marks nothing. */
const breathMs = 400;
/** Just after its start, "previous" means the segment before. */
const justStartedMs = 1000;

/** What practice mode writes where somebody speaks, as "(speech, 3 s)". */
const note = /^\s*[([].*[)\]]\s*$/su;

/** `hasNotes`: of practice mode, which notes speech instead of writing its words. */
export function createTimeline({ segments }: Transcript, hasNotes = false): Timeline {
  const isNote = (segment: number) => hasNotes && note.test(segments[segment]?.text ?? '');
  const starts = Float64Array.from(segments, (segment) => segment.startMs);
  const latestEnd = latestEnds(segments);
  const words = collectWords(
    hasNotes ? segments.map((one, at) => (isNote(at) ? { ...one, words: [] } : one)) : segments,
  );

  const segmentAt = (timeMs: number): number => {
    for (let i = lastAtOrBefore(starts, timeMs); i >= 0 && (latestEnd[i] ?? 0) > timeMs; i -= 1) {
      if ((segments[i]?.endMs ?? 0) > timeMs) return i;
    }
    return -1;
  };

  return {
    segments,
    isNote,
    segmentAt,
    wordAt(timeMs) {
      const at = lastAtOrBefore(words.starts, timeMs);
      if (at < 0 || timeMs >= (words.ends[at] ?? 0) + breathMs) return null;
      return { segment: words.segment[at] ?? 0, word: words.word[at] ?? 0 };
    },
    segmentNear(timeMs) {
      const inside = segmentAt(timeMs);
      return inside >= 0 ? inside : Math.min(segments.length - 1, Math.max(0, lastAtOrBefore(starts, timeMs)));
    },
    nextStartMs(timeMs) {
      const next = segments[lastAtOrBefore(starts, timeMs) + 1];
      return next === undefined ? null : next.startMs;
    },
    previousStartMs(timeMs) {
      const at = lastAtOrBefore(starts, timeMs);
      const start = starts[at] ?? 0;
      return timeMs - start > justStartedMs ? start : (starts[at - 1] ?? 0);
    },
  };
}

/** The last position whose value is at most `value` in an ordered list; -1 when all are greater. */
export function lastAtOrBefore(ordered: Float64Array, value: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function latestEnds(segments: readonly Segment[]): Float64Array {
  let latest = 0;
  return Float64Array.from(segments, (segment) => (latest = Math.max(latest, segment.endMs)));
}

/** Words of all segments by their start: people talk over each other, so the order of segments is not enough. */
function collectWords(segments: readonly Segment[]) {
  const count = segments.reduce((sum, { words }) => sum + words.length, 0);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  const inSegment = new Uint32Array(count);
  const inWords = new Uint32Array(count);
  let at = 0;
  let isOrdered = true;
  let last = 0;
  // Of hundreds of thousands of words: iterators take ten times as long.
  for (let segment = 0; segment < segments.length; segment += 1) {
    const words = segments[segment]?.words ?? [];
    for (let word = 0; word < words.length; word += 1) {
      const { startMs, endMs } = words[word]!;
      if (startMs < last) isOrdered = false;
      last = startMs;
      starts[at] = startMs;
      ends[at] = endMs;
      inSegment[at] = segment;
      inWords[at] = word;
      at += 1;
    }
  }
  if (isOrdered) return { starts, ends, segment: inSegment, word: inWords };
  // Words of one start stay in the order of the text.
  const order = Uint32Array.from(starts, (_start, index) => index).sort(
    (a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b,
  );
  return {
    starts: Float64Array.from(order, (index) => starts[index] ?? 0),
    ends: Float64Array.from(order, (index) => ends[index] ?? 0),
    segment: Uint32Array.from(order, (index) => inSegment[index] ?? 0),
    word: Uint32Array.from(order, (index) => inWords[index] ?? 0),
  };
}
