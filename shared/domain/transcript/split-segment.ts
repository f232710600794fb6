import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from './change.ts';
import { cutWord } from './cut-word.ts';
import { shortestSegmentMs, withBounds } from './edit-segments.ts';
import { areAllGuesses, fitWords } from './realign-words.ts';
import { cleanTypedText } from './spoken-text.ts';
import type { Segment, Transcript, Word } from './transcript.ts';

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
  const first = withBounds(
    { ...segment, text: cleanTypedText(segment.text.slice(0, offset)), words: left },
    segment.startMs,
    hasRoom ? Math.min(lastLeft.endMs, gapFromMs) : lastLeft.endMs,
  );
  const second: Segment = {
    ...segment,
    id: newId,
    startMs: firstRight.startMs,
    text: cleanTypedText(segment.text.slice(offset)),
    words: right,
  };
  return ok(replaceByTwo(transcript, at, first, second));
}

/**
 * Splits a segment at a time: exactly there where the times of all its words are guesses, between the words that are
 * nearest by these; otherwise before the word that is spoken then or comes next.
 */
export function splitSegmentAt(
  transcript: Transcript,
  segmentId: string,
  timeMs: number,
  newId: string,
): Result<Change, EditRefusal> {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const segment = transcript.segments[at];
  if (segment === undefined) return err('unknown-segment');
  const { startMs, endMs, words } = segment;
  const hasRoom = timeMs - startMs >= shortestSegmentMs && endMs - timeMs >= shortestSegmentMs;
  if (words.length < 2 || !areAllGuesses(words) || !hasRoom) {
    const next = words.findIndex((word) => word.endMs > timeMs);
    return next < 1 ? err('nothing-to-split') : splitSegment(transcript, segmentId, offsetOf(words, next), newId);
  }
  const guessed = fitWords(words, segment);
  const distances = guessed.slice(1).map((word) => Math.abs(word.startMs - timeMs));
  const next = 1 + distances.indexOf(Math.min(...distances));
  const offset = offsetOf(words, next);
  const bounds = [
    { startMs, endMs: timeMs },
    { startMs: timeMs, endMs },
  ] as const;
  return ok(
    replaceByTwo(
      transcript,
      at,
      {
        ...segment,
        ...bounds[0],
        text: cleanTypedText(segment.text.slice(0, offset)),
        words: fitWords(words.slice(0, next), bounds[0]),
      },
      {
        ...segment,
        ...bounds[1],
        id: newId,
        text: cleanTypedText(segment.text.slice(offset)),
        words: fitWords(words.slice(next), bounds[1]),
      },
    ),
  );
}

/** Where a word begins in the text of its segment. */
const offsetOf = (words: readonly Word[], index: number): number =>
  words.slice(0, index).reduce((sum, { text }) => sum + text.length + 1, 0);

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
