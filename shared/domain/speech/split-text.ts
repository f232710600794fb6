import type { SpeechLanguage } from '../languages.ts';
import { abbreviations, sentenceAbbreviations } from './reading-words.ts';

/** A stretch of a text. `start` and `end` count UTF-16 units; `text` is exactly the text between them. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface SpeechSentence extends TextSpan {
  readonly endsParagraph: boolean;
  /** The silence after it that a pause mark asks for, milliseconds. */
  readonly breakMs?: number;
}

/** Marks without width: after a divider a new sentence begins, after a joiner it goes on. */
export const divider = '\u200b';
export const joiner = '\u2060';

const longestBreakMs = 5000;

/** `[pause 1s]`, or `<break time="1s"/>` as other services write it: silence, which is never sent. */
const pauseMark = String.raw`</?break\b[^<>]*>|\[\s*(?:pause|pauza|пауза)(?!\p{L})[^\[\]]*\]`;
export const pauseMarkOf = (word: string, seconds: string): string => `[${word} ${seconds}s]`;

export const withoutMarks = (text: string): string =>
  text.replaceAll(/[\u200b\u2060]/gu, '').replaceAll(new RegExp(`\\s*(?:${pauseMark})\\s*`, 'giu'), ' ');

/** Null: it names no time, and the usual pause follows. */
function breakMsOf(tag: string): number | null {
  const [, time, unit] = /(\d+(?:[.,]\d+)?)\s*(ms|мс|[sс])/iu.exec(tag) ?? [];
  return time === undefined ? null : Number(time.replace(',', '.')) * (/^[mм]/iu.test(unit ?? '') ? 1 : 1000);
}

/** Characters as the service counts them: Unicode code points. */
export const countCharacters = (text: string): number => Array.from(text).length;

/** None ends inside a number, abbreviation, initials or address; long ones are cut at a clause, word or `limit`. */
export function splitSentences(text: string, language: SpeechLanguage, limit: number): readonly SpeechSentence[] {
  const all: SpeechSentence[] = [];
  const change = (patch: Partial<SpeechSentence>) => {
    const last = all.pop();
    if (last !== undefined) all.push({ ...last, ...patch });
  };
  for (const paragraph of paragraphsOf(text)) {
    const before = all.length;
    for (const part of dividedParts(paragraph)) {
      const { breakMs } = part;
      if (typeof breakMs === 'number')
        change({ breakMs: Math.min(longestBreakMs, Math.round((all.at(-1)?.breakMs ?? 0) + breakMs)) });
      for (const sentence of sentencesOf(part, language))
        all.push(...cutToLimit(sentence, limit).map((piece) => ({ ...piece, endsParagraph: false })));
    }
    if (all.length > before) change({ endsParagraph: true });
  }
  return all;
}

export function joinSentences(text: string, sentences: readonly SpeechSentence[], limit: number): readonly TextSpan[] {
  const blocks: TextSpan[] = [];
  let isOpen = false;
  for (const sentence of sentences) {
    const last = blocks.at(-1);
    const joined = last === undefined || !isOpen ? null : spanOf(text, last.start, sentence.end);
    if (joined !== null && countCharacters(joined.text) <= limit) blocks[blocks.length - 1] = joined;
    else blocks.push(spanOf(text, sentence.start, sentence.end));
    isOpen = !sentence.endsParagraph;
  }
  return blocks;
}

const spanOf = (text: string, start: number, end: number): TextSpan => ({ start, end, text: text.slice(start, end) });

function trimmed(span: TextSpan): TextSpan | null {
  const text = span.text.trim();
  if (text === '') return null;
  const start = span.start + span.text.indexOf(text);
  return { start, end: start + text.length, text };
}

const paragraphsOf = (text: string): readonly TextSpan[] =>
  [...text.matchAll(/[^\n\r\u2029]+/g)].flatMap(({ index, 0: line }) => {
    const span = trimmed({ start: index, end: index + line.length, text: line });
    return span === null ? [] : [span];
  });

/** A paragraph between its dividers and pause marks. Signs alone between them belong to no sentence. */
function dividedParts({ start, text }: TextSpan): readonly (TextSpan & { readonly breakMs?: number | null })[] {
  const parts: (TextSpan & { readonly breakMs?: number | null })[] = [];
  let from = 0;
  let isAfterBreak = false;
  for (const { index, 0: mark } of text.matchAll(new RegExp(`${pauseMark}|\u200b|$`, 'giu'))) {
    const part = text.slice(from, index);
    if (part !== '' && !(isAfterBreak && !/[\p{L}\p{N}]/u.test(part)))
      parts.push({ start: start + from, end: start + index, text: part });
    isAfterBreak = /^[<[]/u.test(mark);
    if (isAfterBreak) parts.push({ start: start + index, end: start + index, text: '', breakMs: breakMsOf(mark) });
    from = index + mark.length;
  }
  return parts;
}

const segmenters = new Map<SpeechLanguage, Intl.Segmenter>();
function segmenterFor(language: SpeechLanguage): Intl.Segmenter {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return segmenter;
}

function sentencesOf(paragraph: TextSpan, language: SpeechLanguage): readonly TextSpan[] {
  const joined: TextSpan[] = [];
  for (const { segment, index } of segmenterFor(language).segment(paragraph.text)) {
    const last = joined.at(-1);
    const start = paragraph.start + index;
    if (last !== undefined && !endsSentence(last.text, segment)) {
      joined[joined.length - 1] = { start: last.start, end: start + segment.length, text: last.text + segment };
    } else joined.push({ start, end: start + segment.length, text: segment });
  }
  return joined.map(trimmed).filter((span) => span !== null);
}

function endsSentence(before: string, next: string): boolean {
  if (before.endsWith(joiner)) return false;
  const said = before.trimEnd();
  // A question mark in the middle of an address.
  if (said === before && /(?:https?:\/\/|www\.)\S*$/iu.test(said)) return false;
  if (!said.endsWith('.')) return true;
  const follows = next.trimStart();
  if (/^[\p{Ll},;:)»”]/u.test(follows)) return false;
  // "No. 5" continues, "tugadi. 5 kishi" does not: abbreviations are short.
  if (/^\d/.test(follows)) return /[\p{L}»”)]{4}\.$/u.test(said);
  // Initials: one capital letter before the full stop.
  if (/(?<![\p{L}\d])\p{Lu}\.$/u.test(said)) return false;
  const lastWords = said.toLowerCase();
  // A text has words of other languages too.
  const shortened = Object.values(abbreviations).flatMap((words) => Object.keys(words));
  if (shortened.some((short) => short.endsWith('.') && endsInWord(lastWords, short))) return false;
  return !sentenceAbbreviations.some((short) => endsInWord(lastWords, `${short}.`));
}

const endsInWord = (text: string, word: string): boolean =>
  text.endsWith(word) && !/[\p{L}\d]/u.test(text.at(-word.length - 1) ?? ' ');

function cutToLimit(span: TextSpan, limit: number): readonly TextSpan[] {
  const pieces: TextSpan[] = [];
  let rest: TextSpan | null = span;
  while (rest !== null && countCharacters(rest.text) > limit) {
    const head = Array.from(rest.text).slice(0, limit).join('');
    const cut = lastMatchEnd(head, /[,;:—–)](?=\s)/gu) ?? lastMatchEnd(head, /\S(?=\s)/gu) ?? head.length;
    const piece = trimmed({ start: rest.start, end: rest.start + cut, text: rest.text.slice(0, cut) });
    if (piece !== null) pieces.push(piece);
    rest = trimmed({ start: rest.start + cut, end: rest.end, text: rest.text.slice(cut) });
  }
  if (rest !== null) pieces.push(rest);
  return pieces;
}

function lastMatchEnd(text: string, pattern: RegExp): number | null {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}
