import { foldRussian, foldUzbek, foldUzbekWithoutYo, type FoldedText } from '../text/fold-text.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import type { Segment } from './transcript.ts';

type Place = readonly [from: number, to: number];

/** The places in the text of a segment, in order and without overlaps, in UTF-16 offsets. */
export type Find = (segment: Segment) => readonly Place[];

const apostrophes = /[‘’'`´ʹʻʼ′]/gu;

/** Case-sensitive: the unchanged text, except for its apostrophes. */
const withEqualApostrophes = (text: string): FoldedText => {
  const from = Array.from({ length: text.length }, (_, at) => at);
  return { text: text.replaceAll(apostrophes, 'ʻ'), from, to: from.map((at) => at + 1) };
};

type Fold = (text: string) => FoldedText;
const folds: readonly Fold[] = [withEqualApostrophes, foldUzbek, foldUzbekWithoutYo, foldRussian];
const known = new Map(folds.map((fold) => [fold, new WeakMap<Segment, FoldedText>()]));

function foldedIn(segment: Segment, fold: Fold): FoldedText {
  const folded = known.get(fold)?.get(segment) ?? fold(segment.text);
  known.get(fold)?.set(segment, folded);
  return folded;
}

/** Each o and g of a text, and whether it is an oʻ or gʻ, in either alphabet: `boʻgʻoz` is `oʻgʻo`. */
export const lettersOg = (text: string): string =>
  Array.from(text.matchAll(/([oоёўgгғ])([‘’'`´ʹʻʼ′])?/giu), ([, letter = '', apostrophe]) => {
    const plain = /[oоёў]/iu.test(letter) ? 'o' : 'g';
    return apostrophe !== undefined || /[ўғ]/iu.test(letter) ? `${plain}ʻ` : plain;
  }).join('');

/** Each sh of a text in either alphabet: `ш` where it is one letter, `сҳ` where it is two, as in `Isʼhoq`. */
const lettersSh = (text: string): string =>
  Array.from(text.matchAll(/ш|sh|сҳ|s[‘’'`´ʹʻʼ′]h/giu), ([letters]) => (/ш|sh/iu.test(letters) ? 'ш' : 'сҳ')).join('');

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

/** Whether a place in Latin text is inside one letter of Cyrillic: ш, ч, ю, я, ё, and е where it is ye. */
const isInsideLetter = (text: string, at: number): boolean =>
  at > 0 && /^(?:[sc]h|y[aeu]|yo(?![‘’'`´ʹʻʼ′]))/iu.test(text.slice(at - 1, at + 2));

const isApostrophe = (text: string, at: number): boolean => /^[‘’'`´ʹʻʼ′]/u.test(text.charAt(at));
const isSign = (text: string, at: number): boolean => /^[ъь]/iu.test(text.charAt(at));
const isCyrillic = (letter: string): boolean => /\p{Script=Cyrillic}/u.test(letter);

/**
 * Finds a text in either alphabet, and with any apostrophes. What is found consists of whole letters: none of ё, ш and
 * ye is found in part by a letter of the other alphabet. `isExact`: in its own alphabet by the same letters alone.
 */
export function findByLetters(text: string, matchesCase: boolean, isUzbek: boolean, isExact: boolean): Find {
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

/** The longest of those that overlap. */
function inOrder(places: readonly Place[]): readonly Place[] {
  const found: Place[] = [];
  for (const place of places.toSorted((one, other) => one[0] - other[0] || other[1] - one[1]))
    if (place[0] >= (found.at(-1)?.[1] ?? 0)) found.push(place);
  return found;
}
