import type { Word, WordMark } from './transcript.ts';

export const isCut = (word: Word | undefined): boolean => word?.mark === 'cut' || word?.mark === 'cut-redacted';

export const isRedacted = (word: Word | undefined): boolean =>
  word?.mark === 'redacted' || word?.mark === 'cut-redacted';

export function withMark({ mark: _before, ...plain }: Word, mark: WordMark | undefined): Word {
  return mark === undefined ? plain : { ...plain, mark };
}

export const markOf = (isWordCut: boolean, isWordRedacted: boolean): WordMark | undefined => {
  if (isWordCut) return isWordRedacted ? 'cut-redacted' : 'cut';
  return isWordRedacted ? 'redacted' : undefined;
};

/** For what is said in place of these words: cut where all of them were, and redacted where one of them was. */
export const markInPlaceOf = (words: readonly Word[]): WordMark | undefined =>
  words.length === 0 ? undefined : markOf(words.every(isCut), words.some(isRedacted));

/** What is marked of every one of some words. */
export const commonMark = (words: readonly (Word | undefined)[]): WordMark | undefined =>
  words.length === 0 ? undefined : markOf(words.every(isCut), words.every(isRedacted));
