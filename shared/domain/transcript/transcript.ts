import type { SpeechLanguage } from '../languages.ts';

/** In everything that leaves the editor: cut out of the audio, masked, or both. Ask `isCut` or `isRedacted`. */
export type WordMark = 'cut' | 'redacted' | 'cut-redacted';

/** The words in a row that have the same one are its place. */
export interface WordComment {
  readonly id: string;
  readonly text: string;
}

/** One word with its place in the audio; times are integer milliseconds from the start of the recording. */
export interface Word {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Set when the time was estimated here (spread over a gap) and not given by the service. */
  readonly isEstimated?: true;
  readonly mark?: WordMark;
  readonly comment?: WordComment;
  /** As in the subtitles it was imported from; only captions are written so. */
  readonly isItalic?: true;
  /** The same object on both halves of a word that a split cut in two. Only in memory, while the text is open. */
  readonly wholeWord?: WholeWord;
}

/** A word as it was before a split cut it in two, and the letters that each half got then. */
export interface WholeWord {
  readonly word: Word;
  readonly halves: readonly [string, string];
}

/** What one person said without a break. `words` joined by spaces (or line breaks) read as `text`. */
export interface Segment {
  readonly id: string;
  readonly speakerId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly words: readonly Word[];
}

/** A speaker in the recording; `name` is null until somebody enters one ("Speaker 1" is the interface's label). */
export interface Speaker {
  readonly id: string;
  readonly name: string | null;
  /** 1 to 8, when the user chose it; otherwise the colour follows the index in the list. */
  readonly colour?: number;
}

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Ordered by start, with unique ids; only imported captions overlap within one speaker. */
export interface Transcript {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: readonly Speaker[];
  readonly segments: readonly Segment[];
  /** Silences that are cut out of the audio: ordered, disjoint. Absent: none. */
  readonly cuts?: readonly TimeSpan[];
}

export const isCut = (word: Word | undefined): boolean => word?.mark === 'cut' || word?.mark === 'cut-redacted';

export const isRedacted = (word: Word | undefined): boolean =>
  word?.mark === 'redacted' || word?.mark === 'cut-redacted';

export function withMark({ mark: _before, ...plain }: Word, mark: WordMark | undefined): Word {
  return mark === undefined ? plain : { ...plain, mark };
}

export function withComment(word: Word, comment: WordComment | undefined): Word {
  if (word.comment?.id === comment?.id && word.comment?.text === comment?.text) return word;
  const { comment: _before, ...plain } = word;
  return comment === undefined ? plain : { ...plain, comment };
}

export const markOf = (isWordCut: boolean, isWordRedacted: boolean): WordMark | undefined => {
  if (isWordCut) return isWordRedacted ? 'cut-redacted' : 'cut';
  return isWordRedacted ? 'redacted' : undefined;
};

/** For what is said in place of these words: cut where all of them were, and redacted where one of them was. */
export const markInPlaceOf = (words: readonly Word[]): WordMark | undefined =>
  words.length === 0 ? undefined : markOf(words.every(isCut), words.some(isRedacted));

export const commonMark = (words: readonly (Word | undefined)[]): WordMark | undefined =>
  words.length === 0 ? undefined : markOf(words.every(isCut), words.every(isRedacted));
