import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { cutWord } from './cut-word.ts';
import { shortestSegmentMs, withBounds } from './edit-segments.ts';
import { areAllGuesses, fitWords } from './realign-words.ts';
import { cleanTypedText, offsetOfWord } from './spoken-text.ts';
import type { Segment, TimeSpan, Transcript, Word } from './transcript.ts';

/**
 * Splits a segment at an offset of its text. A split word gets its time divided by letters. Where times are estimated, as in
 * captions that were imported, `gapMs` is left between the two.
 */
export function splitSegment(
  transcript: Transcript,
  segmentId: string,
  wanted: number,
  newId: string,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const found = transcript.segments[at];
  if (found === undefined) return err('unknown-segment');
  // Deleted words may have left their time to no other.
  const segment = { ...found, words: fitWords(found.words, found) };
  // Never splits a surrogate pair.
  const offset = /^[\uDC00-\uDFFF]/.test(segment.text.slice(wanted)) ? wanted + 1 : wanted;
  const [left, right] = splitWords(segment, offset);
  const lastLeft = left.at(-1);
  const firstRight = right[0];
  if (lastLeft === undefined || firstRight === undefined) return err('nothing-to-split');
  const gapFromMs = lastLeft.isEstimated === true ? firstRight.startMs - gapMs : lastLeft.endMs;
  const hasRoom = gapFromMs - segment.startMs >= shortestSegmentMs;
  const [first, second] = parts(segment, offset, newId);
  return ok(
    replaceByTwo(
      transcript,
      at,
      withBounds(
        { ...first, words: left },
        segment.startMs,
        hasRoom ? Math.min(lastLeft.endMs, gapFromMs) : lastLeft.endMs,
      ),
      { ...second, startMs: firstRight.startMs, words: right },
    ),
  );
}

/**
 * Splits a segment at a time, where `splitOffsetAt` says. Where the times of all its words are guesses, the second part
 * begins exactly then, and the first ends `gapMs` earlier if it has room for that.
 */
export function splitSegmentAt(
  transcript: Transcript,
  segmentId: string,
  timeMs: number,
  newId: string,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const segment = transcript.segments[at];
  if (segment === undefined) return err('unknown-segment');
  const offset = splitOffsetAt(segment, timeMs);
  if (offset === null) return err('nothing-to-split');
  if (!areAllGuesses(segment.words)) return splitSegment(transcript, segmentId, offset, newId, gapMs);
  const [left, right] = splitWords(segment, offset);
  const [first, second] = parts(segment, offset, newId);
  const { startMs, endMs } = segment;
  const gapFromMs = timeMs - startMs - gapMs >= shortestSegmentMs ? timeMs - gapMs : timeMs;
  const timed = (part: Segment, words: readonly Word[], bounds: TimeSpan): Segment => ({
    ...part,
    ...bounds,
    words: fitWords(words, bounds),
  });
  return ok(
    replaceByTwo(
      transcript,
      at,
      timed(first, left, { startMs, endMs: gapFromMs }),
      timed(second, right, { startMs: timeMs, endMs }),
    ),
  );
}

/**
 * Where the text of a segment is split at a time: before the word that is spoken then or comes next, and where all times
 * are guesses, between the words that are nearest by these. Null where nothing is left for one of the parts.
 */
export function splitOffsetAt(segment: Segment, timeMs: number): number | null {
  const { startMs, endMs, words } = segment;
  if (!areAllGuesses(words)) {
    const next = words.findIndex((word) => word.endMs > timeMs);
    return next < 1 ? null : offsetOfWord(segment, next);
  }
  const hasRoom = timeMs - startMs >= shortestSegmentMs && endMs - timeMs >= shortestSegmentMs;
  if (words.length < 2 || !hasRoom) return null;
  const distances = fitWords(words, segment)
    .slice(1)
    .map((word) => Math.abs(word.startMs - timeMs));
  return offsetOfWord(segment, 1 + distances.indexOf(Math.min(...distances)));
}

/** The two parts of a segment with their texts, and with the words and times of the whole. */
const parts = (segment: Segment, offset: number, newId: string): readonly [Segment, Segment] => [
  { ...segment, text: cleanTypedText(segment.text.slice(0, offset)) },
  { ...segment, id: newId, text: cleanTypedText(segment.text.slice(offset)) },
];

function replaceByTwo({ segments }: Transcript, at: number, first: Segment, second: Segment): Change {
  // Another speaker may begin between the two.
  let place = at + 1;
  while ((segments[place]?.startMs ?? Infinity) < second.startMs) place += 1;
  return [
    { type: 'set', segments: [first] },
    { type: 'splice', at: place, removed: [], inserted: [second] },
  ];
}

function splitWords({ words }: Segment, offset: number): readonly [readonly Word[], readonly Word[]] {
  let from = 0;
  for (const [at, word] of words.entries()) {
    const to = from + word.text.length;
    if (offset <= from) return [words.slice(0, at), words.slice(at)];
    if (offset < to) {
      const [left, right] = cutWord(word, offset - from);
      return [
        [...words.slice(0, at), left],
        [right, ...words.slice(at + 1)],
      ];
    }
    from = to + 1;
  }
  return [words, []];
}
