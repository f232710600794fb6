import type { SpeechLanguage } from '../languages.ts';
import type { Around } from './russian-grammar.ts';

export type ReadingKind =
  | 'pronunciation'
  | 'date'
  | 'time'
  | 'phone'
  | 'money'
  | 'percent'
  | 'unit'
  | 'ordinal'
  | 'range'
  | 'abbreviation'
  | 'number';

/** How one kind of written form is recognised and spoken. */
export interface ReadingRule {
  readonly kind: ReadingKind;
  readonly pattern: RegExp;
  /** The words for a match, or null when it turns out to be something else. */
  readonly speak: (groups: readonly (string | undefined)[], language: SpeechLanguage, around: Around) => string | null;
}

export const space = '[ \\u00a0\\u202f]';
/** A whole number with or without grouping; `whole` and `fraction` come from `readNumber`. */
export const number = `\\d{1,3}(?:${space}\\d{3})+(?:[.,]\\d+)?|\\d{1,3}(?:\\.\\d{3}){2,}(?:,\\d+)?|\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?`;
export const before = '(?<![\\p{L}\\d.,/\\-])';
export const after = '(?![\\p{L}\\d]|[.,:/\\-]\\d)';
export const rule = (kind: ReadingKind, source: string, speak: ReadingRule['speak']): ReadingRule => ({
  kind,
  pattern: new RegExp(source, 'giu'),
  speak,
});
/** A pattern of any of these words, the longest first. */
export const anyOf = (words: readonly string[]) =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|');

/** XIX as a number; null for other letters, and for a single C, which is a word in Russian. Russian letters that look like Roman digits are often typed in their place. */
export function readRoman(typed: string): bigint | null {
  const written = typed.replaceAll('Х', 'X').replaceAll('С', 'C');
  if (written === 'C' || !/^(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u.test(written)) return null;
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  const digits = Array.from(written, (letter) => values[letter] ?? 0);
  return BigInt(digits.reduce((sum, value, at) => sum + (value < (digits[at + 1] ?? 0) ? -value : value), 0));
}
export const roman = '[IVXLCХС]{1,7}';
