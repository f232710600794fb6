import { err, ok, type Result } from '../../result/result.ts';
import { typedApostrophe } from '../text/uzbek-letters.ts';
import { findByLetters, lettersOg, type Find } from './find-letters.ts';
import { scriptOf } from './in-script.ts';
import type { Segment, Transcript } from './transcript.ts';

export interface TextQuery {
  readonly text: string;
  /** Exact letters: case matters, and Cyrillic is not Latin. Uzbek apostrophes still count as equal. */
  readonly matchesCase: boolean;
  readonly isWholeWord: boolean;
  readonly isPattern: boolean;
  /** Only segments of this speaker; null: everybody. */
  readonly speakerId: string | null;
}

/** A place in the text of a segment, in UTF-16 offsets. */
export interface TextMatch {
  readonly segmentId: string;
  readonly from: number;
  readonly to: number;
}

export type FindRefusal = 'bad-pattern' | 'too-slow';

/** A pattern that takes longer than this over a transcript is abandoned. */
const longestMs = 1_000;

/** Every match of a query, in order, without overlaps. `now` gives the time, to abandon a pattern that never ends. */
export function findMatches(
  { segments, language }: Pick<Transcript, 'language' | 'segments'>,
  query: TextQuery,
  now: () => number,
): Result<readonly TextMatch[], FindRefusal> {
  if (query.isPattern) return findAll(segments, query, byPattern(query), now);
  const find = (isExact: boolean) =>
    findAll(segments, query, findByLetters(query.text, query.matchesCase, language === 'uz', isExact), now);
  // In Uzbek oʻ is another letter than o: exact matches are preferred, and look-alikes count only without any.
  const exact = find(true);
  return exact.ok && exact.value.length === 0 && query.text.trim().length > 2 && !lettersOg(query.text).includes('ʻ')
    ? find(false)
    : exact;
}

function findAll(
  segments: readonly Segment[],
  query: TextQuery,
  find: Find | null,
  now: () => number,
): Result<readonly TextMatch[], FindRefusal> {
  if (find === null) return err('bad-pattern');
  const found: TextMatch[] = [];
  const startedAt = now();
  for (const segment of segments) {
    if (query.speakerId !== null && segment.speakerId !== query.speakerId) continue;
    for (const [from, to] of find(segment))
      if (!query.isWholeWord || isWhole(segment.text, from, to)) found.push({ segmentId: segment.id, from, to });
    if (query.isPattern && now() - startedAt > longestMs) return err('too-slow');
  }
  return ok(found);
}

function byPattern({ text, matchesCase }: TextQuery): Find | null {
  if (text === '') return () => [];
  try {
    const pattern = new RegExp(text, matchesCase ? 'gu' : 'giu');
    return (segment) =>
      Array.from(
        segment.text.matchAll(pattern),
        ({ index, 0: matched }) => [index, index + matched.length] as const,
      ).filter(([from, to]) => to > from);
  } catch {
    return null;
  }
}

/** A pattern that finds these very letters. */
export const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

const isWhole = (text: string, from: number, to: number): boolean =>
  !/[\p{L}\p{N}ʻʼ'’]$/u.test(text.slice(0, from)) && !/^[\p{L}\p{N}ʻʼ'’]/u.test(text.slice(to));

/**
 * The new texts of all segments in which something is replaced; the replacement refers to a pattern's groups as `$1`. Its
 * apostrophes are spelt as when they are typed in the text, unless they are a pair of quotation marks. Where the case
 * doesn't matter, it begins with a capital as what it replaces does.
 */
export function replaceMatches(
  transcript: Pick<Transcript, 'language' | 'segments'>,
  matches: readonly TextMatch[],
  query: TextQuery,
  replacement: string,
): ReadonlyMap<string, string> {
  const bySegment = Map.groupBy(matches, ({ segmentId }) => segmentId);
  const typed = scriptOf(transcript) === 'latin' ? markTyped(replacement) : replacement;
  const changed = new Map<string, string>();
  for (const { id, text } of transcript.segments) {
    const own = bySegment.get(id);
    if (own === undefined) continue;
    let written = '';
    let at = 0;
    for (const { from, to } of own) {
      written += text.slice(at, from) + replaced(text, { from, to }, query, typed);
      at = to;
    }
    changed.set(id, spellTyped(written + text.slice(at)));
  }
  return changed;
}

/** Stands before every typed apostrophe until it is spelt, because those of the text that `$1` brings along stay. */
const typedMark = '\u{FFFF}';
/** Words between two marks of quotation that look like apostrophes. */
const quotation = /(?<![\p{L}\p{N}$])['’‘`](?=[\p{L}\p{N}$]).*?['’‘`](?![\p{L}\p{N}$])/gu;
/** An apostrophe behind `$` is no letter, and in a pattern a reference. */
function markTyped(replacement: string): string {
  const quotes = new Set(
    [...replacement.matchAll(quotation)].flatMap(({ index, 0: { length } }) => [index, index + length - 1]),
  );
  return replacement.replaceAll(/(?<!\$)['’‘`]/gu, (letter, at: number) =>
    quotes.has(at) ? letter : `${typedMark}${letter}`,
  );
}
const spellTyped = (text: string): string =>
  text.replaceAll(new RegExp(`${typedMark}(.)`, 'gu'), (_, letter: string, at: number) => {
    const [before = '', after = ''] = [text.slice(0, at), text.slice(at + 2)].map((part) =>
      part.replaceAll(typedMark, ''),
    );
    return typedApostrophe(before, letter, after) ?? letter;
  });

function replaced(
  text: string,
  { from, to }: Pick<TextMatch, 'from' | 'to'>,
  query: TextQuery,
  replacement: string,
): string {
  if (query.isPattern) {
    // In the whole text, because a pattern may ask for what stands around a match.
    const pattern = new RegExp(query.text, query.matchesCase ? 'uy' : 'iuy');
    pattern.lastIndex = from;
    const whole = text.replace(pattern, replacement);
    return whole.slice(from, whole.length - (text.length - to));
  }
  const isCapital = startsCapital.test(text.slice(from, to));
  const staysCapital = !query.matchesCase && isCapital && !startsCapital.test(query.text);
  return staysCapital ? replacement.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : replacement;
}

const startsCapital = /^\p{Lu}/u;
