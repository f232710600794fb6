import type { Segment } from './transcript.ts';

/** One line of words with single spaces: no control characters, no unpaired surrogates. */
export function cleanSpokenText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufeff]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The same for a typed text, which keeps its line breaks inside a segment. */
export const cleanTypedText = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/u)
    .map(cleanSpokenText)
    .filter((line) => line !== '')
    .join('\n');

export const wordsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/[ \n]/u));

export const offsetOfWord = ({ words }: Pick<Segment, 'words'>, word: number): number =>
  words.slice(0, word).reduce((sum, { text }) => sum + text.length + 1, 0);

/** The words of a clean text that begin a line after the first, as indexes in order. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let word = 0;
  for (const line of text.includes('\n') ? text.split('\n') : []) {
    if (word > 0) starts.push(word);
    word += wordsOf(line).length;
  }
  return starts;
}

/** Some words of a text in the lines they were in; `places` are their indexes among all of its words, in order. */
export function joinInLines(text: string, words: readonly string[], places: readonly number[]): string {
  const starts = lineStarts(text);
  if (starts.length === 0) return words.join(' ');
  const lineOf = (at: number) => starts.filter((start) => start <= (places[at] ?? 0)).length;
  return words.map((word, at) => (at === 0 ? word : `${lineOf(at) > lineOf(at - 1) ? '\n' : ' '}${word}`)).join('');
}

const pieceLength = 240;
/** A sentence longer than this is cut between words. */
const longestPiece = 600;

/** Splits a text without segments: at paragraphs, then between sentences, then between words. */
export function splitIntoPieces(text: string): readonly string[] {
  return text.split(/\r?\n/u).flatMap((paragraph) => splitParagraph(cleanSpokenText(paragraph)));
}

function splitParagraph(paragraph: string): readonly string[] {
  const pieces: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const word of wordsOf(paragraph)) {
    const isSentenceOver = /[.!?…]["»”)]*$/u.test(current.at(-1) ?? '');
    const isFull = (length >= pieceLength && isSentenceOver) || length + word.length > longestPiece;
    if (current.length > 0 && isFull) {
      pieces.push(current.join(' '));
      current = [];
      length = 0;
    }
    current.push(word);
    length += word.length + 1;
  }
  return current.length === 0 ? pieces : [...pieces, current.join(' ')];
}
