import { alignWords } from './from-received.ts';
import type { Segment, Transcript, Word } from './transcript.ts';

export type LeanSegment = Omit<Segment, 'words'> & { readonly words?: readonly Word[] };

export type LeanTranscript = Omit<Transcript, 'segments'> & { readonly segments: readonly LeanSegment[] };

export const estimatedWords = ({ text, startMs, endMs }: Omit<Segment, 'words'>): readonly Word[] =>
  alignWords(text, [], startMs, endMs);

/** Whether a word has nothing that does not follow from the text. */
export const isPlainGuess = ({ isEstimated, mark, isItalic }: Word): boolean =>
  isEstimated === true && mark === undefined && isItalic === undefined;

/** Leaves out what `toWhole` can compute: a text without word times is a tenth as long then. */
export const toLean = (transcript: Transcript): LeanTranscript => ({
  ...transcript,
  segments: transcript.segments.map(leanSegment),
});

export const toWhole = (lean: LeanTranscript): Transcript => ({ ...lean, segments: toWholeSegments(lean.segments) });

export const toWholeSegments = (lean: readonly LeanSegment[]): readonly Segment[] =>
  lean.map((segment) => ({ ...segment, words: segment.words ?? estimatedWords(segment) }));

function leanSegment(segment: Segment): LeanSegment {
  const { words, ...rest } = segment;
  if (!words.every(isPlainGuess)) return segment;
  const expected = estimatedWords(rest);
  return words.length === expected.length && words.every((word, at) => isSame(word, expected[at])) ? rest : segment;
}

const isSame = (word: Word, other: Word | undefined): boolean =>
  word.text === other?.text && word.startMs === other.startMs && word.endMs === other.endMs;
