import { toCardinal as englishCardinal, toOrdinal as englishOrdinal } from 'n2words/en-US';
import { toCardinal as russianCardinal, toOrdinal as russianOrdinal } from 'n2words/ru-RU';
import type { SpeechLanguage } from '../languages.ts';
import { declineCardinal, declineOrdinal, type OrdinalForm, type RussianCase } from './russian-grammar.ts';

/** Grammatical gender of the counted noun; only Russian distinguishes it. */
export type Gender = 'masculine' | 'feminine';

/** Larger numbers are read digit by digit, as people do. */
export const largestSpelled = 999_999_999_999n;

const uzbekUnits = ['', 'bir', 'ikki', 'uch', 'toʻrt', 'besh', 'olti', 'yetti', 'sakkiz', 'toʻqqiz'];
const uzbekTens = ['', 'oʻn', 'yigirma', 'oʻttiz', 'qirq', 'ellik', 'oltmish', 'yetmish', 'sakson', 'toʻqson'];
const uzbekScales: readonly (readonly [bigint, string])[] = [
  [1_000_000_000n, 'milliard'],
  [1_000_000n, 'million'],
  [1000n, 'ming'],
];

function uzbekCardinal(value: bigint): string {
  if (value === 0n) return 'nol';
  const parts: string[] = [];
  let left = value;
  for (const [size, name] of uzbekScales) {
    const count = left / size;
    left %= size;
    // A thousand is "ming", but a million is "bir million".
    if (count > 0n) parts.push(...(count === 1n && size === 1000n ? [] : [uzbekCardinal(count)]), name);
  }
  const rest = Number(left);
  const hundreds = Math.floor(rest / 100);
  if (hundreds > 0) parts.push(...(hundreds === 1 ? [] : [uzbekUnits[hundreds] ?? '']), 'yuz');
  parts.push(uzbekTens[Math.floor((rest % 100) / 10)] ?? '', uzbekUnits[rest % 10] ?? '');
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * A whole number in words, for example `uz` 25: "yigirma besh". Numbers above `largestSpelled` become digits in words.
 * Gender and case are those of Russian.
 */
export function spellCardinal(
  language: SpeechLanguage,
  value: bigint,
  gender: Gender = 'masculine',
  to: RussianCase = 'nominative',
): string {
  if (value > largestSpelled) return spellDigits(language, String(value));
  if (language === 'uz') return uzbekCardinal(value);
  return language === 'ru' ? declineCardinal(russianCardinal(value, { gender }), to) : englishCardinal(value);
}

/** Digits one by one, for codes and very long numbers. Anything but a digit is dropped. */
export const spellDigits = (language: SpeechLanguage, digits: string): string =>
  [...digits.matchAll(/\d/g)].map(([digit]) => spellCardinal(language, BigInt(digit))).join(' ');

const decimalMark = { uz: 'butun', ru: 'целых', en: 'point' } as const;
const uzbekParts = ['', 'oʻndan', 'yuzdan', 'mingdan'];
const russianParts = [
  ['', ''],
  ['десятая', 'десятых'],
  ['сотая', 'сотых'],
  ['тысячная', 'тысячных'],
] as const;

/** A number with a fraction, given as its digits before and after the mark: `ru` 3,5 is "три целых пять десятых". */
export function spellDecimal(
  language: SpeechLanguage,
  whole: string,
  fraction: string,
  to: RussianCase = 'nominative',
): string {
  const before = spellCardinal(language, BigInt(whole), 'feminine');
  if (language === 'en' || fraction.length > 3) {
    return `${before} ${language === 'en' ? 'point' : decimalMark[language]} ${spellDigits(language, fraction)}`;
  }
  const after = spellCardinal(language, BigInt(fraction), 'feminine');
  if (language === 'uz') return `${before} butun ${uzbekParts[fraction.length] ?? ''} ${after}`;
  const [one, many] = russianParts[fraction.length] ?? ['', ''];
  const parts = `${before} ${endsInOne(whole) ? 'целая' : 'целых'} ${after} ${endsInOne(fraction) ? one : many}`;
  return declineCardinal(parts, to);
}

export const endsInOne = (digits: string): boolean => /(?:^|[^1])1$/.test(digits);

/** An ordinal: `uz` 5 "beshinchi", `en` 5 "fifth", `ru` 5 in one of its forms ("пятый", "пятая", "пятого"). */
export function spellOrdinal(language: SpeechLanguage, value: bigint, form: OrdinalForm = 'nominative'): string {
  if (value < 1n || value > largestSpelled) return spellCardinal(language, value);
  if (language === 'en') return englishOrdinal(value);
  if (language === 'uz') {
    const cardinal = uzbekCardinal(value);
    return `${cardinal}${/[aeiou]$/.test(cardinal) ? 'nchi' : 'inchi'}`;
  }
  return declineOrdinal(russianOrdinal(value).replace(/^одна (?=тысяча )/u, ''), form);
}
