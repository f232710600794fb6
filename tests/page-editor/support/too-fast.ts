import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { longTranscript } from './transcripts.ts';

/** As it was stored before there was a choice whose names captions have. */
export const namesOfAll = { exportChoices: { srt: { speakers: 'change' } } };

/** Six segments of four slow words; those in `fast` have ten words in little more than a second. */
export function partlyTooFast(fast: readonly number[]): Transcript {
  const transcript = longTranscript(6);
  return {
    ...transcript,
    segments: transcript.segments.map((segment, index) => {
      const [count, wordMs] = fast.includes(index) ? [10, 120] : [4, 1200];
      const words = segment.words.slice(0, count).map((word, at) => ({
        ...word,
        startMs: segment.startMs + at * wordMs,
        endMs: segment.startMs + (at + 1) * wordMs - 20,
      }));
      return {
        ...segment,
        endMs: segment.startMs + count * wordMs,
        text: words.map(({ text }) => text).join(' '),
        words,
      };
    }),
  };
}
