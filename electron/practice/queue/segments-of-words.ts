import type { HeardWord } from '../../recogniser/greedy-words.ts';
import type { StoredSegment } from '../state/records.ts';

/** A silence this long ends a segment; a shorter one does when the segment is long already. */
const pauseMs = 700;
const breathMs = 250;
const longMs = 10_000;
const longestMs = 20_000;

/** The segments of a text without full stops: they end where the speaker pauses. */
export function segmentsOf(words: readonly HeardWord[]): readonly StoredSegment[] {
  const segments: { startMs: number; endMs: number; words: HeardWord[] }[] = [];
  for (const word of words) {
    const open = segments.at(-1);
    const gapMs = open === undefined ? Infinity : word.startMs - open.endMs;
    const lengthMs = open === undefined ? 0 : word.endMs - open.startMs;
    if (open === undefined || gapMs >= pauseMs || (gapMs >= breathMs && lengthMs > longMs) || lengthMs > longestMs)
      segments.push({ startMs: word.startMs, endMs: word.endMs, words: [word] });
    else {
      open.endMs = word.endMs;
      open.words.push(word);
    }
  }
  return segments.map((segment) => ({ ...segment, text: segment.words.map(({ text }) => text).join(' ') }));
}
