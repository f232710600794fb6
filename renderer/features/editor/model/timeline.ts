import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

export interface WordPlace {
  readonly segment: number;
  readonly word: number;
}

/** During a shorter breath the last word stays marked; longer silence marks nothing. */
const breathMs = 400;
/** This soon after its start, "previous" means the segment before. */
const justStartedMs = 1000;

/** Practice mode's note where somebody speaks, such as "(speech, 3 s)". */
const note = /^\s*[([].*[)\]]\s*$/su;

export type Timeline = ReturnType<typeof createTimeline>;

/**
 * The transcript as it is now, indexed by time; positions are indexes into `segments`. `hasNotes`: that of practice
 * mode, with notes instead of words.
 */
export function createTimeline(transcriptNow: () => Pick<Transcript, 'segments'>, hasNotes = false) {
  // Found when a time is asked for, which typing does not do.
  let known: ReturnType<typeof timesOf> | null = null;
  const times = () => {
    const { segments } = transcriptNow();
    if (known?.segments !== segments) known = timesOf(segments);
    return known;
  };
  const isNote = (segment: number) => hasNotes && note.test(transcriptNow().segments[segment]?.text ?? '');

  const segmentAt = (timeMs: number): number => {
    const { segments, starts, latestEnd } = times();
    for (let i = lastAtOrBefore(starts, timeMs); i >= 0 && (latestEnd[i] ?? 0) > timeMs; i -= 1) {
      if ((segments[i]?.endMs ?? 0) > timeMs) return i;
    }
    return -1;
  };

  return {
    get segments() {
      return transcriptNow().segments;
    },
    /** A note has no words to mark. */
    isNote,
    /** -1 in a pause. Of two segments at once, the one that began later. */
    segmentAt,
    /** The word spoken at a time, or the last one during a short breath. */
    wordAt(timeMs: number): WordPlace | null {
      const { segments, starts, latestEnd } = times();
      let latest: WordPlace | null = null;
      let latestMs = -1;
      let endMs = 0;
      // Speakers may overlap: the word that began last may be in an earlier segment.
      const mayHold = (i: number) => (latestEnd[i] ?? 0) > (latest === null ? timeMs - breathMs : latestMs);
      for (let i = lastAtOrBefore(starts, timeMs); i >= 0 && mayHold(i); i -= 1) {
        const words = isNote(i) ? [] : (segments[i]?.words ?? []);
        const at = words.findLastIndex(({ startMs }) => startMs <= timeMs);
        const word = words[at];
        if (word === undefined || word.startMs <= latestMs) continue;
        latest = { segment: i, word: at };
        latestMs = word.startMs;
        endMs = word.endMs;
      }
      return timeMs < endMs + breathMs ? latest : null;
    },
    /** The current or last segment; the first one before anybody speaks, -1 without segments. */
    segmentNear(timeMs: number): number {
      const { segments, starts } = times();
      const inside = segmentAt(timeMs);
      return inside >= 0 ? inside : Math.min(segments.length - 1, Math.max(0, lastAtOrBefore(starts, timeMs)));
    },
    nextStartMs(timeMs: number): number | null {
      const { segments, starts } = times();
      return segments[lastAtOrBefore(starts, timeMs) + 1]?.startMs ?? null;
    },
    /** The start of this segment first, then that of the one before. */
    previousStartMs(timeMs: number): number {
      const { starts } = times();
      const at = lastAtOrBefore(starts, timeMs);
      const start = starts[at] ?? 0;
      return timeMs - start > justStartedMs ? start : (starts[at - 1] ?? 0);
    },
  };
}

/** The last index whose value is at most `value` in an ordered list; -1 when all are greater. */
function lastAtOrBefore(ordered: Float64Array, value: number): number {
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
  return { segments, starts, latestEnd };
}
