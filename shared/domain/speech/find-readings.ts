import type { SpeechLanguage } from '../languages.ts';
import { toUzbekCyrillic } from '../text/transliterate-uzbek.ts';
import { anyOf, type ReadingKind, type ReadingRule } from './reading-rule.ts';
import { readingRulesOf } from './reading-rules.ts';

/** A part of a text and how it is read aloud. `start` and `end` count UTF-16 units of the written text. */
export interface Reading {
  readonly start: number;
  readonly end: number;
  readonly written: string;
  readonly spoken: string;
  readonly kind: ReadingKind;
}

/** An entry of the user's own list; matched as a whole word, ignoring case unless `matchCase`. */
export interface Pronunciation {
  readonly written: string;
  readonly spoken: string;
  readonly matchCase: boolean;
}

const kept = /(?:https?:\/\/|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.-]+|\b[\w-]+\.(?:uz|ru|com|org|net|io)\b\S*/giu;

type Span = Pick<Reading, 'start' | 'end'>;

const patternOf = ({ written, matchCase }: Pronunciation): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${anyOf([written.trim()])}(?![\\p{L}\\d])`, matchCase ? 'gu' : 'giu');

const spanOf = ({ index, 0: found }: RegExpExecArray): Span => ({ start: index, end: index + found.length });
const addressesIn = (text: string): readonly Span[] => [...text.matchAll(kept)].map(spanOf);

/** Whether a span lies outside of all addresses or is a whole one, up to the full stop or comma behind it. */
const isOutsideOrWhole = (text: string, { start, end }: Span, addresses: readonly Span[]): boolean =>
  addresses
    .filter((address) => start < address.end && end > address.start)
    .every((address) => start <= address.start && !/[\p{L}\d]/u.test(text.slice(end, address.end)));

/** How often an entry of the list is read in a text. */
export function countWritten(text: string, word: Pronunciation): number {
  if (word.written.trim() === '') return 0;
  const addresses = addressesIn(text);
  return [...text.matchAll(patternOf(word))].filter((found) => isOutsideOrWhole(text, spanOf(found), addresses)).length;
}

const pronunciationRules = (list: readonly Pronunciation[]): readonly ReadingRule[] =>
  list
    .filter(({ written, spoken }) => written.trim() !== '' && spoken.trim() !== '')
    .map((word) => ({ kind: 'pronunciation', pattern: patternOf(word), speak: () => word.spoken }));

/**
 * Finds what is not read as written: numbers, dates, times, money, phones, units, abbreviations, and the words of
 * `pronunciations`, which take precedence. Web and mail addresses stay unchanged, unless the user says how a whole one
 * is read. The readings are in order and do not overlap. Uzbek in Cyrillic is read in Cyrillic.
 */
export function findReadings(
  text: string,
  language: SpeechLanguage,
  pronunciations: readonly Pronunciation[] = [],
): readonly Reading[] {
  // Roman numerals are Latin in both.
  const isCyrillicUzbek =
    language === 'uz' && /\p{Script=Cyrillic}/u.test(text) && !/[a-z]{3}/i.test(text.replaceAll(/\b[IVXLC]+\b/g, ''));
  const taken: Reading[] = [];
  const isFree = (start: number, end: number) => taken.every((other) => end <= other.start || start >= other.end);
  const addresses = addressesIn(text);
  const rules = [...pronunciationRules(pronunciations), ...readingRulesOf(language)];
  // The rules know Uzbek words in Latin letters only. One letter may become two, so Cyrillic text is matched unchanged.
  for (const { kind, pattern, speak } of rules) {
    for (const match of text.matchAll(pattern)) {
      const [written] = match;
      const start = match.index;
      const end = start + written.length;
      if (!isFree(start, end)) continue;
      const isAddressPart = addresses.some((address) => start < address.end && end > address.start);
      if (isAddressPart && (kind !== 'pronunciation' || !isOutsideOrWhole(text, { start, end }, addresses))) continue;
      const around = { before: text.slice(Math.max(0, start - 60), start), after: text.slice(end, end + 60) };
      const said = speak([...match], language, around);
      if (said === null || said === written) continue;
      // At the end of a text or line the full stop of an abbreviation also ends the sentence.
      const endsSentence =
        written.endsWith('.') && kind !== 'pronunciation' && /^[ \t]*(?:$|[\r\n])/u.test(around.after);
      const words = endsSentence ? `${said}.` : said;
      const spoken = isCyrillicUzbek && kind !== 'pronunciation' ? toUzbekCyrillic(words) : words;
      taken.push({ start, end, written, spoken, kind });
    }
  }
  return taken.sort((a, b) => a.start - b.start);
}

/**
 * What a voice may misread, each once: web and mail addresses, and capitals that may be a word or letters, such as
 * "NASA", without a reading.
 */
export function findUncertain(text: string, readings: readonly Reading[]): readonly string[] {
  const found = [...text.matchAll(kept), ...text.matchAll(/(?<![\p{L}\d])\p{Lu}[\p{Lu}\d]{1,5}(?![\p{L}\d])/gu)];
  const isRead = (start: number, end: number) => readings.some((one) => start < one.end && end > one.start);
  return [...new Set(found.filter(({ index, 0: all }) => !isRead(index, index + all.length)).map(([all]) => all))];
}

/** The text as it is read aloud, with every reading in place of its written form. */
export function applyReadings(text: string, readings: readonly Reading[]): string {
  let spoken = '';
  let at = 0;
  for (const { start, end, spoken: words } of readings) {
    spoken += text.slice(at, start) + words;
    at = end;
  }
  return spoken + text.slice(at);
}
