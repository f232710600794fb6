import { toCardinal as englishCardinal, toOrdinal as englishOrdinal } from 'n2words/en-US';
import { toCardinal as russianCardinal, toOrdinal as russianOrdinal } from 'n2words/ru-RU';
import type { SpeechLanguage } from '../languages.ts';
import {
  declineCardinal,
  declineOrdinal,
  declineNoun,
  type Gender,
  type OrdinalForm,
  type RussianCase,
} from './russian-grammar.ts';
import { hundredths, months, units, type CountedWord } from './reading-words.ts';

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

/** `uz` 25: "yigirma besh"; above `largestSpelled` digit by digit. Gender and case are those of Russian. */
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

interface WrittenNumber {
  readonly whole: string;
  readonly fraction: string;
}

/** Digits of a written number. Groups of three after a comma are thousands in English and nowhere else. */
export function readNumber(written: string, language: SpeechLanguage): WrittenNumber {
  const plain = written.replaceAll(/[ \u00a0\u202f]/g, '');
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(plain)) {
    const [whole = '0', fraction = ''] = plain.replaceAll('.', '').split(',');
    return { whole, fraction };
  }
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain) && (language === 'en' || plain.split(',').length > 2);
  const [whole = '0', fraction = ''] = (grouped ? plain.replaceAll(',', '') : plain).split(/[.,]/);
  return { whole, fraction };
}

export const spell = (
  { whole, fraction }: WrittenNumber,
  language: SpeechLanguage,
  word?: CountedWord,
  to: RussianCase = 'nominative',
): string =>
  fraction === ''
    ? spellCardinal(language, BigInt(whole), word?.gender, to)
    : spellDecimal(language, whole, fraction, to);

function wordFor({ whole, fraction }: WrittenNumber, language: SpeechLanguage, word: CountedWord, to: RussianCase) {
  if (language === 'uz') return word.uz;
  if (language === 'en') return whole === '1' && fraction === '' ? word.en[0] : word.en[1];
  if (fraction !== '') return word.ru[1];
  const form = new Intl.PluralRules('ru').select(Number(whole.slice(-4)));
  if (form !== 'one' && (to === 'nominative' || to === 'accusative')) return form === 'few' ? word.ru[1] : word.ru[2];
  return declineNoun(word.ru, to, form === 'one');
}

export const countOf = (
  written: string,
  language: SpeechLanguage,
  word: CountedWord,
  to: RussianCase = 'nominative',
): string => {
  const value = readNumber(written, language);
  return `${spell(value, language, word, to)} ${wordFor(value, language, word, to)}`;
};

/** "25 may 2024": ordinals where the language says them; the year of an English date goes in two halves. */
export function speakDate(
  day: number,
  month: number,
  year: string | undefined,
  language: SpeechLanguage,
  form: OrdinalForm = 'genitive',
): string | null {
  const name = months[language][month - 1];
  if (name === undefined || day < 1 || day > 31) return null;
  const dayWords = spellOrdinal(language, BigInt(day), form);
  const yearWords = year === undefined ? '' : ` ${speakYear(year, language)}`;
  if (language === 'en') return `${name} ${dayWords}${year === undefined ? '' : `,${yearWords}`}`;
  if (language === 'ru') return `${dayWords} ${name}${year === undefined ? '' : `${yearWords} года`}`;
  return `${year === undefined ? '' : `${speakYear(year, 'uz')} yil `}${dayWords} ${name}`;
}

export function speakYear(year: string, language: SpeechLanguage): string {
  if (language !== 'en') return spellOrdinal(language, BigInt(year), 'genitive');
  const high = Number(year.slice(0, 2));
  const low = Number(year.slice(2));
  if (year.length !== 4 || (high % 10 === 0 && low < 10)) return spellCardinal('en', BigInt(year));
  const century = spellCardinal('en', BigInt(high));
  if (low === 0) return `${century} hundred`;
  return `${century} ${low < 10 ? 'oh ' : ''}${spellCardinal('en', BigInt(low))}`;
}

export function speakTime(
  hours: string,
  minutes: string,
  language: SpeechLanguage,
  to: RussianCase = 'nominative',
): string | null {
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  const hour = spellCardinal(language, BigInt(hours), 'masculine', to);
  if (minutes === '00') return { uz: `soat ${hour}`, ru: `${hour} ноль ноль`, en: `${hour} o’clock` }[language];
  const zero = minutes.startsWith('0') ? `${{ uz: 'nol', ru: 'ноль', en: 'oh' }[language]} ` : '';
  return `${hour} ${zero}${spellCardinal(language, BigInt(minutes), 'feminine', to)}`;
}

export const speakPhone = (written: string, language: SpeechLanguage): string => {
  const plus = written.startsWith('+') ? `${{ uz: 'plyus', ru: 'плюс', en: 'plus' }[language]} ` : '';
  const groups = [...written.matchAll(/\d+/g)].map(([group]) =>
    group.startsWith('0') || group.length > 3 || language === 'en'
      ? spellDigits(language, group)
      : spellCardinal(language, BigInt(group)),
  );
  return `${plus}${groups.join(', ')}`;
};

const scales: Readonly<Record<string, string>> = {
  million: 'mln',
  m: 'mln',
  billion: 'mlrd',
  bn: 'mlrd',
  b: 'mlrd',
  k: 'ming',
};

/** "1/2", or shares of a hundred: "50/50"; null for what is neither, such as "24/7". */
export function speakFraction(part: string, whole: string, language: SpeechLanguage): string | null {
  const [above, below] = [Number(part), Number(whole)];
  if (above + below === 100) {
    const [first, second] = [part, whole].map((share) => spellCardinal(language, BigInt(share)));
    if (language === 'uz') return `${first}${/[kq]$/u.test(first ?? '') ? `${first?.slice(-1)}a` : 'ga'} ${second}`;
    return language === 'ru' ? `${first} на ${second}` : `${first}-${second}`;
  }
  if (above < 1 || above >= below) return null;
  if (language === 'uz') return `${spellCardinal('uz', BigInt(below))}dan ${spellCardinal('uz', BigInt(above))}`;
  const isOne = above === 1;
  if (language === 'ru') {
    const share = spellOrdinal('ru', BigInt(below), isOne ? 'feminine' : 'genitive');
    const shares = isOne ? share : share.replace(/ого$/u, 'ых').replace(/его$/u, 'их');
    return `${spellCardinal('ru', BigInt(above), 'feminine')} ${shares}`;
  }
  const name = below === 2 ? 'half' : below === 4 ? 'quarter' : spellOrdinal('en', BigInt(below));
  return `${spellCardinal('en', BigInt(above))} ${name}${isOne ? '' : 's'}`;
}

export function speakMoney(
  amount: string,
  scale: string | undefined,
  word: CountedWord | undefined,
  language: SpeechLanguage,
  to: RussianCase = 'nominative',
) {
  if (word === undefined) return null;
  const large = scale === undefined ? undefined : units[scales[scale.toLowerCase()] ?? scale.toLowerCase()];
  if (large === undefined) {
    const { whole, fraction } = readNumber(amount, language);
    const part = hundredths.get(word);
    // "12,50": two digits after the decimal mark are the smaller unit.
    if (fraction.length !== 2 || part === undefined) return countOf(amount, language, word, to);
    return `${countOf(whole, language, word, to)}${fraction === '00' ? '' : ` ${countOf(fraction, language, part, to)}`}`;
  }
  const many = { uz: word.uz, ru: word.ru[2], en: word.en[1] }[language];
  return `${countOf(amount, language, large, to)} ${many}`;
}
