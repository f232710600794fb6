import type { Change } from './change.ts';
import { cutSilences, cutSpans, hasMarks, joinSpans, spansOutside } from './edit-marks.ts';
import type { Segment, TimeSpan, Transcript } from './transcript.ts';
import { isCut } from './word-mark.ts';

/**
 * Parts of the recording that nobody may hear: what was cut, and redacted words; ordered and disjoint. Audio, lists of
 * clips and captions that go with them leave out exactly these. A run of redacted words is masked as one, so what is
 * said between two of them is left out too.
 */
export function unheardSpans(transcript: Transcript): readonly TimeSpan[] {
  // Asked for with every letter that is typed, so all words are looked at once.
  const segments = transcript.segments.filter(hasMarks);
  const cuts = cutSpans({ ...transcript, segments });
  const redacted: TimeSpan[] = [];
  for (const { words } of segments) {
    let run: { readonly startMs: number; endMs: number } | null = null;
    for (const word of words) {
      if (word.mark === undefined) run = null;
      else if (!isCut(word) && run !== null) run.endMs = word.endMs;
      else if (!isCut(word)) redacted.push((run = { startMs: word.startMs, endMs: word.endMs }));
    }
  }
  return redacted.length === 0 ? cuts : joinSpans([...cuts, ...redacted], transcript.durationMs);
}

/** Whether some of the recording is not heard when its audio is exported. */
export const isPartlyUnheard = ({ segments, cuts = [] }: Pick<Transcript, 'segments' | 'cuts'>): boolean =>
  cuts.length > 0 || segments.some(hasMarks);

/**
 * The steps after which a change of text makes nothing audible: where cut or redacted words are gone or take less time,
 * their audio stays cut. `before` and `after`: the segments that the change removes or replaces, and the ones it makes.
 */
export function stillUnheard(transcript: Transcript, before: readonly Segment[], after: readonly Segment[]): Change {
  if (!before.some(hasMarks)) return [];
  const unheardIn = (segments: readonly Segment[]) => unheardSpans({ ...transcript, segments, cuts: [] });
  const left = unheardIn(after);
  const cut = cutSilences(
    transcript,
    unheardIn(before).flatMap((span) => spansOutside(span, left)),
  );
  return cut.ok ? cut.value : [];
}
