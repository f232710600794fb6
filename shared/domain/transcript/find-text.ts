import { err, ok, type Result } from '../../result/result.ts';
import { foldRussian, foldUzbek, foldUzbekWithoutYo, type FoldedText } from '../text/fold-text.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import { typedApostrophe } from '../text/uzbek-letters.ts';
import { scriptOf } from './in-script.ts';
import type { Segment, Transcript } from './transcript.ts';

const apostrophes = /[‘’'`´ʹʻʼ′]/gu;

/** Case-sensitive: the unchanged text, except for its apostrophes. */
const withEqualApostrophes = (text: string): FoldedText => {
  const from = Array.from({ length: text.length }, (_, at) => at);
  return { text: text.replaceAll(apostrophes, 'ʻ'), from, to: from.map((at) => at + 1) };
};
const folds: readonly Fold[] = [withEqualApostrophes, foldUzbek, foldUzbekWithoutYo, foldRussian];
const known = new Map(folds.map((fold) => [fold, new WeakMap<Segment, FoldedText>()]));

/** Each o and g of a text, and whether it is an oʻ or gʻ, in either alphabet: `boʻgʻoz` is `oʻgʻo`. */
const lettersOg = (text: string): string =>
  Array.from(text.matchAll(/([oоёўgгғ])([‘’'`´ʹʻʼ′])?/giu), ([, letter = '', apostrophe]) => {
    const plain = /[oоёў]/iu.test(letter) ? 'o' : 'g';
    return apostrophe !== undefined || /[ўғ]/iu.test(letter) ? `${plain}ʻ` : plain;
  }).join('');

/** Each sh of a text in either alphabet: `ш` where it is one letter, `сҳ` where it is two, as in `Isʼhoq`. */
const lettersSh = (text: string): string =>
  Array.from(text.matchAll(/ш|sh|сҳ|s[‘’'`´ʹʻʼ′]h/giu), ([letters]) => (/ш|sh/iu.test(letters) ? 'ш' : 'сҳ')).join('');

/** Whether a place in Latin text is inside one letter of Cyrillic: ш, ч, ю, я, ё, and е where it is ye. */
const isInsideLetter = (text: string, at: number): boolean =>
  at > 0 && /^(?:[sc]h|y[aeu]|yo(?![‘’'`´ʹʻʼ′]))/iu.test(text.slice(at - 1, at + 2));
const isApostrophe = (text: string, at: number): boolean => /^[‘’'`´ʹʻʼ′]/u.test(text.charAt(at));
const isSign = (text: string, at: number): boolean => /^[ъь]/iu.test(text.charAt(at));
const isCyrillic = (letter: string): boolean => /\p{Script=Cyrillic}/u.test(letter);

export interface TextQuery {
  readonly text: string;
  /** Exact letters: case matters, and Cyrillic is not Latin. Uzbek apostrophes still count as equal. */
  readonly matchesCase: boolean;
  readonly isWholeWord: boolean;
  readonly isPattern: boolean;
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

export const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);

const isWhole = (text: string, from: number, to: number): boolean =>
  !/[\p{L}\p{N}ʻʼ'’]$/u.test(text.slice(0, from)) && !/^[\p{L}\p{N}ʻʼ'’]/u.test(text.slice(to));

/** Groups are `$1`; typed apostrophes are spelt as in the text, and a capital stays where case doesn't matter. */
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

type Place = readonly [from: number, to: number];

type Find = (segment: Segment) => readonly Place[];

type Fold = (text: string) => FoldedText;

function foldedIn(segment: Segment, fold: Fold): FoldedText {
  const folded = known.get(fold)?.get(segment) ?? fold(segment.text);
  known.get(fold)?.set(segment, folded);
  return folded;
}

/** How texts are compared with a query. All but the first differ from it only in texts with е or ё. */
function foldsFor(text: string, matchesCase: boolean, isUzbek: boolean, isExact: boolean): readonly Fold[] {
  if (matchesCase) return [withEqualApostrophes];
  if (isUzbek) return isExact || !/[её]/iu.test(text) ? [foldUzbek] : [foldUzbek, foldUzbekWithoutYo];
  // yesli and yolka are если and ёлка.
  return /y/iu.test(text) ? [foldRussian, foldUzbek] : [foldRussian];
}

interface Form {
  readonly folded: string;
  /** Begins with an е that is e and not ye, which it is only after a consonant. */
  readonly isInside: boolean;
}

/** What a query can be in a folded text: its first letter depends on what is before it, and loanwords are spelt twice. */
function formsOf(text: string, fold: Fold, isUzbek: boolean): readonly Form[] {
  const whole = isUzbek ? [text, toUzbekLatin(text), toUzbekCyrillic(text)] : [text];
  const inside = ['а', 'т'].map((before) => fold(before + text).text.slice(1));
  const folded = new Set([...whole.map((spelling) => fold(spelling).text), ...inside]);
  return [...folded]
    .filter((form) => form !== '')
    .map((form) => ({ folded: form, isInside: form.startsWith('e') && folded.has(`y${form}`) }));
}

/** The letters of a text in Cyrillic alone, where ё is е except in Uzbek; null for any other text. */
function cyrillicLetters(text: string, isUzbek: boolean): string | null {
  if (/\p{Script=Latin}/u.test(text) || !/\p{Script=Cyrillic}/u.test(text)) return null;
  const letters = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\p{M}‘’'`´ʹʻʼ′]/gu, '');
  return isUzbek ? letters : letters.replaceAll('ё', 'е');
}

/** In either alphabet; never a part of ё, ш or ye. `isExact`: the same letters in its own alphabet only. */
function findByLetters(text: string, matchesCase: boolean, isUzbek: boolean, isExact: boolean): Find {
  const looks = foldsFor(text, matchesCase, isUzbek, isExact).map((fold, at) => ({
    fold,
    forms: formsOf(text, fold, isUzbek && !matchesCase),
    needsYe: at > 0,
  }));
  const wanted = isExact && isUzbek ? { og: lettersOg(text), sh: lettersSh(text) } : null;
  const ownLetters = isExact ? cyrillicLetters(text, isUzbek) : null;
  const [beginsCyrillic, endsCyrillic] = [isCyrillic(text.charAt(0)), isCyrillic(text.charAt(text.length - 1))];
  const endsSilent = isApostrophe(text, text.length - 1) || isSign(text, text.length - 1);

  /** The end of a match, behind the apostrophes and signs that belong to its last letter. */
  const endOf = (shown: string, end: number, next: number | undefined): number => {
    let to = end;
    if (isUzbek && /[og]/iu.test(shown.charAt(to - 1)) && isApostrophe(shown, to)) to += 1;
    if (endsSilent) while (isApostrophe(shown, to) || isSign(shown, to)) to += 1;
    else if (!endsCyrillic) while (isSign(shown, to) && next !== to) to += 1;
    return to;
  };
  const isMeant = (shown: string, from: number, to: number): boolean => {
    if (beginsCyrillic && isInsideLetter(shown, from)) return false;
    if (endsCyrillic && isInsideLetter(shown, to)) return false;
    const written = shown.slice(from, to);
    if (written === text) return true;
    if (wanted !== null && (lettersOg(written) !== wanted.og || lettersSh(written) !== wanted.sh)) return false;
    return ownLetters === null || (cyrillicLetters(written, isUzbek) ?? ownLetters) === ownLetters;
  };
  return (segment) => {
    const { text: shown } = segment;
    const found: Place[] = [];
    let formCount = 0;
    for (const { fold, forms, needsYe } of looks) {
      if (needsYe && !/[её]/iu.test(shown)) continue;
      const own = foldedIn(segment, fold);
      formCount += forms.length;
      for (const { folded, isInside } of forms) {
        for (let at = own.text.indexOf(folded); at >= 0;) {
          const end = at + folded.length;
          const from = own.from[at] ?? 0;
          const to = endOf(shown, own.to[end - 1] ?? from, own.from[end]);
          // Not a part of a letter that folds to two, such as ё.
          const isCut = own.from[at - 1] === from || own.from[end - 1] === own.from[end];
          const isHere = !isCut && !(isInside && !/[^\P{L}aeiouy]/u.test(own.text.charAt(at - 1)));
          const isFound = isHere && isMeant(shown, from, to);
          if (isFound) found.push([from, to]);
          at = own.text.indexOf(folded, isFound ? end : at + 1);
        }
      }
    }
    return formCount > 1 && found.length > 1 ? inOrder(found) : found;
  };
}

function inOrder(places: readonly Place[]): readonly Place[] {
  const found: Place[] = [];
  for (const place of places.toSorted((one, other) => one[0] - other[0] || other[1] - one[1]))
    if (place[0] >= (found.at(-1)?.[1] ?? 0)) found.push(place);
  return found;
}
