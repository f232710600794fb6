import type { TextDocument } from './text-document.ts';
import type { Segment, Transcript, Word } from '../../../../shared/domain/transcript/transcript.ts';

/** A word by its place in the transcript. */
export interface WordPlace {
  readonly segment: number;
  readonly word: number;
}

/** A transcript indexed by time; built once when it is opened. All positions are indexes into `segments`. */
export interface Timeline {
  readonly segments: readonly Segment[];
  /** Whether a segment is only a practice mode note that somebody speaks; it has no words to mark. */
  isNote(segment: number): boolean;
  /** The word spoken at a time, or the last one during a short breath. */
  wordAt(timeMs: number): WordPlace | null;
  /** The segment spoken at a time; -1 in a pause. Of two at once, the one that began later. */
  segmentAt(timeMs: number): number;
  /** The current or last segment; the first one before anybody speaks, -1 without segments. */
  segmentNear(timeMs: number): number;
  /** The target of "next segment" from a time; null after the last. */
  nextStartMs(timeMs: number): number | null;
  /** The target of "previous segment": the start of this one first, then the one before. */
  previousStartMs(timeMs: number): number;
}

/** During a shorter breath the last word stays marked; longer silence marks nothing. */
const breathMs = 400;
/** This soon after its start, "previous" means the segment before. */
const justStartedMs = 1000;

/** Practice mode's note where somebody speaks, such as "(speech, 3 s)". */
const note = /^\s*[([].*[)\]]\s*$/su;

/**
 * `hasNotes`: a transcript of practice mode, with notes instead of words. The cost grows with the number of segments.
 */
export function createTimeline({ segments }: Transcript, hasNotes = false): Timeline {
  const isNote = (segment: number) => hasNotes && note.test(segments[segment]?.text ?? '');
  // A typed letter makes a new timeline, which is asked for a time only while something plays.
  let known: ReturnType<typeof timesOf> | null = null;
  const times = () => (known ??= timesOf(segments));

  const segmentAt = (timeMs: number): number => {
    const { starts, latestEnd } = times();
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
      const { starts, latestEnd } = times();
      let latest: WordPlace | null = null;
      let latestMs = -1;
      let endMs = 0;
      // Speakers may overlap: the word that began last may be in an earlier segment.
      const mayHold = (i: number) => (latestEnd[i] ?? 0) > (latest === null ? timeMs - breathMs : latestMs);
      for (let i = lastAtOrBefore(starts, timeMs); i >= 0 && mayHold(i); i -= 1) {
        const words = isNote(i) ? [] : (segments[i]?.words ?? []);
        const at = lastStarted(words, timeMs);
        const word = words[at];
        if (word === undefined || word.startMs <= latestMs) continue;
        latest = { segment: i, word: at };
        latestMs = word.startMs;
        endMs = word.endMs;
      }
      return timeMs < endMs + breathMs ? latest : null;
    },
    segmentNear(timeMs) {
      const inside = segmentAt(timeMs);
      return inside >= 0 ? inside : Math.min(segments.length - 1, Math.max(0, lastAtOrBefore(times().starts, timeMs)));
    },
    nextStartMs(timeMs) {
      const next = segments[lastAtOrBefore(times().starts, timeMs) + 1];
      return next === undefined ? null : next.startMs;
    },
    previousStartMs(timeMs) {
      const { starts } = times();
      const at = lastAtOrBefore(starts, timeMs);
      const start = starts[at] ?? 0;
      return timeMs - start > justStartedMs ? start : (starts[at - 1] ?? 0);
    },
  };
}

/** The last index whose value is at most `value` in an ordered list; -1 when all are greater. */
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

/** Runs with every typed key: a loop is several times as fast as an iterator. */
function timesOf(segments: readonly Segment[]) {
  const starts = new Float64Array(segments.length);
  const latestEnd = new Float64Array(segments.length);
  let latest = 0;
  for (let at = 0; at < segments.length; at += 1) {
    latest = Math.max(latest, segments[at]?.endMs ?? 0);
    starts[at] = segments[at]?.startMs ?? 0;
    latestEnd[at] = latest;
  }
  return { starts, latestEnd };
}

/** The last word that has begun at a time; -1 when none has. */
function lastStarted(words: readonly Word[], timeMs: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.startMs ?? 0) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The timeline of a transcript that is being edited: it always reflects the current text. */
const liveTimeline = (now: () => Timeline): Timeline => ({
  get segments() {
    return now().segments;
  },
  isNote: (segment) => now().isNote(segment),
  wordAt: (timeMs) => now().wordAt(timeMs),
  segmentAt: (timeMs) => now().segmentAt(timeMs),
  segmentNear: (timeMs) => now().segmentNear(timeMs),
  nextStartMs: (timeMs) => now().nextStartMs(timeMs),
  previousStartMs: (timeMs) => now().previousStartMs(timeMs),
});

/** The timeline of the current text, rebuilt on demand after a change. */
export function timelineOf(document: TextDocument, make: (transcript: Transcript) => Timeline): Timeline {
  let of: Transcript | null = null;
  let made: Timeline | null = null;
  return liveTimeline(() => {
    const { transcript } = document.getState();
    if (made === null || of !== transcript) made = make(transcript);
    of = transcript;
    return made;
  });
}
