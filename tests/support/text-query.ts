import type { TextQuery } from '../../shared/domain/transcript/find-text.ts';

/** A search for these letters in any case. */
export const query = (text: string, more: Partial<TextQuery> = {}): TextQuery => ({
  text,
  matchesCase: false,
  isWholeWord: false,
  isPattern: false,
  speakerId: null,
  ...more,
});
