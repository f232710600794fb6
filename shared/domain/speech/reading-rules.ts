import type { SpeechLanguage } from '../languages.ts';
import { abbreviations, currencies, months, percent, speed, units } from './reading-words.ts';
import { spellCardinal, spellDigits, spellOrdinal, type OrdinalForm } from './spell-numbers.ts';
import { afterOne, inRoman, roman, russianEndings } from './ordinal-forms.ts';
import {
  countOf,
  readNumber,
  speakDate,
  speakFraction,
  speakMoney,
  speakPhone,
  speakTime,
  spell,
} from './spell-written-forms.ts';

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
  readonly speak: (groups: readonly (string | undefined)[], language: SpeechLanguage) => string | null;
}

const space = '[ \\u00a0\\u202f]';
/** A whole number with or without grouping; `whole` and `fraction` come from `readNumber`. */
const number = `\\d{1,3}(?:${space}\\d{3})+(?:[.,]\\d+)?|\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?`;
const before = '(?<![\\p{L}\\d.,/\\-])';
const after = '(?![\\p{L}\\d]|[.,:/\\-]\\d)';
const rule = (kind: ReadingKind, source: string, speak: ReadingRule['speak']): ReadingRule => ({
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

const signs: Readonly<Record<SpeechLanguage, readonly [string, string]>> = {
  uz: ['plyus', 'minus'],
  ru: ['плюс', 'минус'],
  en: ['plus', 'minus'],
};
/** Typed apart from its number, and spoken with it. */
const uzbekEndings = '(da|dan|ga|gacha|ni|ning|dagi)';

const shared: readonly ReadingRule[] = [
  rule('date', `${before}(\\d{4})-(\\d{2})-(\\d{2})${after}`, ([, year, month, day], language) =>
    speakDate(Number(day), Number(month), year, language),
  ),
  rule('date', `${before}(\\d{1,2})[./](\\d{1,2})[./](\\d{4})${after}`, ([, day, month, year], language) =>
    speakDate(Number(day), Number(month), year, language),
  ),
  rule(
    'phone',
    `(?<![\\p{L}\\d])\\+?\\d{1,3}[ -]\\(?\\d{2,3}\\)?(?:[ -]\\d{2,4}){2,4}${after}`,
    ([all = ''], language) => {
      const digits = all.replaceAll(/\D/g, '').length;
      // Digits in groups of three without a plus sign are a large number.
      if (!all.startsWith('+') && /^\d{1,3}(?: \d{3})+$| \d{4}/.test(all)) return null;
      return digits < 7 || digits > 15 ? null : speakPhone(all, language);
    },
  ),
  rule('time', `${before}([01]?\\d|2[0-3]):([0-5]\\d)(?![\\d:])`, ([, hours = '', minutes = ''], language) =>
    speakTime(hours, minutes, language),
  ),
  rule(
    'money',
    `([$€£₽])${space}?(${number})(?:${space}?(mln|mlrd|млн|млрд|million|billion|bn|[kmb])(?![\\p{L}]))?`,
    ([, sign = '', amount = '', scale], language) => speakMoney(amount, scale, currencies[sign], language),
  ),
  rule(
    'money',
    `${before}(${number})${space}?(?:(mln|mlrd|ming|млн|млрд|тыс)\\.?${space})?(${anyOf(Object.keys(currencies))})(?![\\p{L}])`,
    ([, amount = '', scale, sign = ''], language) =>
      speakMoney(amount, scale, currencies[sign.toLowerCase()], language),
  ),
  rule('number', `${before}(\\d{1,2})/(\\d{1,2})${after}`, ([, part = '', whole = ''], language) =>
    speakFraction(part, whole, language),
  ),
  rule(
    'unit',
    `(?<![\\p{L}\\d.,/])([+−-])(${number})${space}?°[cс]?(?![\\p{L}\\d])`,
    ([, sign = '', amount = ''], language) => {
      const degrees = units['°'];
      return degrees === undefined
        ? null
        : `${signs[language][sign === '+' ? 0 : 1]} ${countOf(amount, language, degrees)}`;
    },
  ),
  rule('percent', `${before}(${number})${space}?%`, ([, amount = ''], language) => countOf(amount, language, percent)),
  rule(
    'unit',
    `${before}(${number})${space}?(${anyOf(Object.keys(units))})(?![\\p{L}\\d])`,
    ([, amount = '', unit = ''], language) => {
      const word = units[unit.toLowerCase()];
      if (word === undefined) return null;
      const kilometre = units['km'];
      // "soatiga besh kilometr": the hour stands first.
      return language === 'uz' && word === speed && kilometre !== undefined
        ? `soatiga ${countOf(amount, language, kilometre)}`
        : countOf(amount, language, word);
    },
  ),
];

const englishMonths = anyOf([...months.en, ...months.en.map((name) => name.slice(0, 3))]);
const englishMonth = (name: string): number =>
  months.en.findIndex((month) => month.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;

const ownRules: Readonly<Record<SpeechLanguage, readonly ReadingRule[]>> = {
  uz: [
    rule('date', `${before}(\\d{1,2})[-–](${anyOf(months.uz)})(?![\\p{L}])`, ([, day = '', month = '']) =>
      Number(day) > 31 ? null : `${spellOrdinal('uz', BigInt(day))} ${month}`,
    ),
    rule('ordinal', `${before}(\\d+)[-–](?=\\p{L})`, ([, value = '']) => `${spellOrdinal('uz', BigInt(value))} `),
    rule('ordinal', `(?<![\\p{L}\\d])(${roman})[- ](asr|bob|sinf|jild)`, ([, value = '', noun = '']) => {
      const number = inRoman(value);
      return number === null ? null : `${spellOrdinal('uz', number)} ${noun}`;
    }),
    rule(
      'time',
      `${before}([01]?\\d|2[0-3]):([0-5]\\d)${space}${uzbekEndings}(?![\\p{L}])`,
      ([, hours = '', minutes = '', ending = '']) => {
        const spoken = speakTime(hours, minutes, 'uz');
        return spoken === null ? null : `${spoken}${ending}`;
      },
    ),
    // A separately typed case ending is spoken with the number.
    rule(
      'number',
      `${before}(${number})${space}${uzbekEndings}(?![\\p{L}])`,
      ([, value = '', ending = '']) => `${spell(readNumber(value, 'uz'), 'uz')}${ending}`,
    ),
  ],
  ru: [
    rule(
      'date',
      `${before}(\\d{1,2})${space}(${anyOf(months.ru)})(?:${space}(\\d{4})(?:${space}?(?:г\\.|года))?)?(?![\\p{L}])`,
      ([, day, name = '', year]) => speakDate(Number(day), months.ru.indexOf(name.toLowerCase()) + 1, year, 'ru'),
    ),
    rule(
      'ordinal',
      `${before}(\\d+)[-–](${anyOf(Object.keys(russianEndings))})(?![\\p{L}])`,
      ([, value = '', ending = '']) =>
        spellOrdinal('ru', BigInt(value), russianEndings[ending.toLowerCase()] ?? 'nominative'),
    ),
    rule(
      'ordinal',
      `(?<![\\p{L}\\d])(${roman})${space}(век(?:а|е|у|ом)?|глав[аеуы]|том[ае]?|класс[ае]?)(?![\\p{L}])`,
      ([, value = '', noun = '']) => {
        const number = inRoman(value);
        if (number === null) return null;
        const form: OrdinalForm = noun.toLowerCase().startsWith('глав')
          ? 'feminine'
          : noun.endsWith('а')
            ? 'genitive'
            : noun.endsWith('е')
              ? 'prepositional'
              : 'nominative';
        return `${spellOrdinal('ru', number, form)} ${noun}`;
      },
    ),
    rule('number', `${before}(\\d*[12])${space}(?=([а-яё]{3,}))`, ([, value = '', noun = '']) => {
      if (/1[12]$/u.test(value) || (units[noun.toLowerCase()] ?? units[`${noun.toLowerCase()}.`]) !== undefined)
        return null;
      const isTwo = value.endsWith('2');
      const form = isTwo ? (/[иы]$/iu.test(noun) ? 'feminine' : 'nominative') : afterOne(noun);
      const spoken = spellCardinal('ru', BigInt(value), form === 'feminine' ? 'feminine' : 'masculine');
      return `${form === 'neuter' ? spoken.replace(/один$/u, 'одно') : spoken} `;
    }),
    rule(
      'date',
      `(?<=(?<![\\p{L}])в${space})(\\d{4})${space}?г\\.`,
      ([, year = '']) => `${spellOrdinal('ru', BigInt(year), 'prepositional')} году`,
    ),
    rule('date', `${before}(\\d{4})${space}?г\\.`, ([, year = '']) => `${spellOrdinal('ru', BigInt(year))} год`),
    rule('abbreviation', `(?<=(?<![\\p{L}])на${space})ул\\.`, () => 'улице'),
    rule('abbreviation', `(?<![\\p{L}\\d])д\\.(?=${space}?\\d)`, () => 'дом'),
  ],
  en: [
    // Before a name, unless it is a street that has one.
    {
      kind: 'abbreviation',
      pattern: /(?<![\p{L}\d])(?<!\p{Lu}\p{L}+ )St\.(?= \p{Lu})/gu,
      speak: () => 'Saint',
    },
    rule(
      'date',
      `(?<![\\p{L}])(${englishMonths})\\.?${space}(\\d{1,2})(?:st|nd|rd|th)?(?:,?${space}(\\d{4}))?${after}`,
      ([, name = '', day, year]) => speakDate(Number(day), englishMonth(name), year, 'en'),
    ),
    rule(
      'date',
      `${before}(\\d{1,2})(?:st|nd|rd|th)?${space}(${englishMonths})(?:\\.?,?${space}(\\d{4}))?(?![\\p{L}\\d])`,
      ([, day, name = '', year]) => speakDate(Number(day), englishMonth(name), year, 'en'),
    ),
    rule('ordinal', `(?<![\\p{L}\\d])(${roman})${space}(century|centuries)`, ([, value = '', noun = '']) => {
      const number = inRoman(value);
      return number === null ? null : `${spellOrdinal('en', number)} ${noun}`;
    }),
    rule('ordinal', `${before}(\\d+)(?:st|nd|rd|th)(?![\\p{L}])`, ([, value = '']) =>
      spellOrdinal('en', BigInt(value)),
    ),
  ],
};

const rest: readonly ReadingRule[] = [
  rule('range', `${before}(\\d{1,6})[–—](\\d{1,6})${after}`, ([, from = '', to = ''], language) => {
    const [low, high] = [spellCardinal(language, BigInt(from)), spellCardinal(language, BigInt(to))];
    return language === 'en' ? `${low} to ${high}` : `${low}-${high}`;
  }),
  rule('number', `№${space}?(\\d+)`, ([, value = ''], language) =>
    language === 'uz'
      ? `${spellOrdinal('uz', BigInt(value))} raqam`
      : `${language === 'ru' ? 'номер' : 'number'} ${spellCardinal(language, BigInt(value))}`,
  ),
  rule('number', `${before}(${number})(?![\\p{L}\\d]|/\\d)`, ([, value = ''], language) =>
    // Codes such as 007 are read digit by digit.
    /^0\d/.test(value) ? spellDigits(language, value) : spell(readNumber(value, language), language),
  ),
];

const abbreviationRule = (language: SpeechLanguage): ReadingRule =>
  rule(
    'abbreviation',
    `(?<![\\p{L}\\d])(${anyOf(Object.keys(abbreviations[language]))})(?![\\p{L}])`,
    ([, written = '']) => {
      const spoken = abbreviations[language][written.toLowerCase()];
      return spoken === undefined ? null : spoken;
    },
  );

/** The rules of a language in the order in which they are tried: what an earlier one takes, no later one reads. */
export const readingRulesOf = (language: SpeechLanguage): readonly ReadingRule[] => [
  ...shared.slice(0, 3),
  ...ownRules[language],
  ...shared.slice(3),
  ...rest.slice(0, 2),
  abbreviationRule(language),
  ...rest.slice(2),
];
