import { alignWords } from './align-words.ts';
import type { Segment, Transcript, Word } from './transcript.ts';

/** A segment as it is stored: without `words` when these follow from the rest. */
export type LeanSegment = Omit<Segment, 'words'> & { readonly words?: readonly Word[] };

export type LeanTranscript = Omit<Transcript, 'segments'> & { readonly segments: readonly LeanSegment[] };

/** The words of a segment for which nobody gave times: spread over it by length, as `toTranscript` makes them. */
export const estimatedWords = ({ id, text, startMs, endMs }: Omit<Segment, 'words'>): readonly Word[] =>
  alignWords(text, [], startMs, endMs).map((word, at) => ({ id: wordId(id, at + 1), ...word }));

/** The id of the word with this number (from 1) in a segment: `s3` has `w3-1`, `w3-2`. */
export const wordId = (segmentId: string, number: number): string => `w${segmentId.slice(1)}-${number}`;

/** Leaves out what `toWhole` can work out again: a text without times of words is a tenth as long then. */
export const toLean = (transcript: Transcript): LeanTranscript => ({
  ...transcript,
  segments: transcript.segments.map(leanSegment),
});

/** The transcript that `toLean` was given. */
export const toWhole = (lean: LeanTranscript): Transcript => ({ ...lean, segments: toWholeSegments(lean.segments) });

/** The segments that were made lean, with all of their words. */
export const toWholeSegments = (lean: readonly LeanSegment[]): readonly Segment[] =>
  lean.map((segment) => ({ ...segment, words: segment.words ?? estimatedWords(segment) }));

function leanSegment(segment: Segment): LeanSegment {
  const { words, ...rest } = segment;
  if (!words.every((word) => word.isEstimated)) return segment;
  const expected = estimatedWords(rest);
  return words.length === expected.length && words.every((word, at) => isSame(word, expected[at])) ? rest : segment;
}

const isSame = (word: Word, other: Word | undefined): boolean =>
  word.id === other?.id && word.text === other.text && word.startMs === other.startMs && word.endMs === other.endMs;
