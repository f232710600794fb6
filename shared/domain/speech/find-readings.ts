import type { SpeechLanguage } from '../languages.ts';
import { apostrophes } from '../text/uzbek-letters.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import {
  anyOf,
  after,
  before,
  number,
  readRoman,
  roman,
  rule,
  space,
  abbreviations,
  currencies,
  months,
  percent,
  speed,
  units,
  type ReadingKind,
  type ReadingRule,
} from './reading-words.ts';
import { caseOf, declineNoun, type Around, type RussianCase } from './russian-grammar.ts';
import { caseOfShortened, formOfDay, russianRules, speakCount } from './russian-rules.ts';
import {
  spellCardinal,
  spellDigits,
  spellOrdinal,
  countOf,
  readNumber,
  speakDate,
  speakFraction,
  speakMoney,
  speakPhone,
  speakTime,
  speakYear,
  spell,
} from './spell-numbers.ts';

const englishMonths = anyOf([...months.en, ...months.en.map((name) => name.slice(0, 3))]);
const englishMonth = (name: string): number =>
  months.en.findIndex((month) => month.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;
const englishRules: readonly ReadingRule[] = [
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
    const number = readRoman(value);
    return number === null ? null : `${spellOrdinal('en', number)} ${noun}`;
  }),
  rule(
    'date',
    `(?<=(?<![\\p{L}])(?:in|since|until|during|year)${space})(1[1-9]\\d\\d|20[1-9]\\d)${after}`,
    ([, value = '']) => speakYear(value, 'en'),
  ),
  rule('date', `${before}(1[1-9]\\d0|20\\d0)s(?![\\p{L}])`, ([, value = '']) => {
    const spoken = speakYear(value, 'en');
    return spoken.endsWith('y') ? `${spoken.slice(0, -1)}ies` : `${spoken}s`;
  }),
  rule('ordinal', `${before}(\\d+)(?:st|nd|rd|th)(?![\\p{L}])`, ([, value = '']) => spellOrdinal('en', BigInt(value))),
];
const signs: Readonly<Record<SpeechLanguage, readonly [string, string]>> = {
  uz: ['plyus', 'minus'],
  ru: ['плюс', 'минус'],
  en: ['plus', 'minus'],
};

/** Typed apart from its number, and spoken with it. */
const uzbekEndings =
  '(da|dan|ga|gacha|ni|ning|dagi|lik|li|lar|ta|tadan|tacha|да|дан|га|гача|ни|нинг|даги|лик|ли|лар|та|тадан|тача)';

/** "besh foiz" and "dan" are one word; after k and q the ending begins with the same letter: "ellikka", "qirqqa". */
const withEnding = (words: string, typed = ''): string => {
  const ending = toUzbekLatin(typed);
  return `${words}${/^ga/iu.test(ending) && /[kq]$/u.test(words) ? `${words.slice(-1)}${ending.slice(1)}` : ending}`;
};
const unitNames = anyOf(['%', ...Object.keys(units)]);
const moneyNames = anyOf(Object.keys(currencies));
const scaleNames = '(mln|mlrd|ming|млн|млрд|тыс)';
const scaleAfterSign = `(?:${space}?(mln|mlrd|млн|млрд|million|billion|bn|[kmb])(?![\\p{L}]))?`;

const amountInRange = `(\\d{1,3}(?:${space}\\d{3})+|\\d{1,6}(?:[.,]\\d{1,3})?)`;
const clock = '([01]?\\d|2[0-3]):([0-5]\\d)';

/** "5G" is no weight. */
const unitOf = (name: string) => (name === '%' ? percent : name === 'G' ? undefined : units[name.toLowerCase()]);
const measure = (amount: string, name: string, language: SpeechLanguage, to: RussianCase): string | null => {
  const word = unitOf(name);
  if (word === undefined) return null;
  const kilometre = units['km'];
  // "soatiga besh kilometr": the hour stands first.
  return language === 'uz' && word === speed && kilometre !== undefined
    ? `soatiga ${countOf(amount, language, kilometre)}`
    : countOf(amount, language, word, to);
};
const dateOf = (
  day: string | undefined,
  month: string | undefined,
  year: string | undefined,
  language: SpeechLanguage,
  around: Around,
) => speakDate(Number(day), Number(month), year, language, language === 'ru' ? formOfDay(around) : 'genitive');
/** A date says it: "25.11.2026 г." */
const saidYear = `(?:${space}?(?:г\\.|года(?!\\p{L})))?`;
const beforeOwn: readonly ReadingRule[] = [
  rule('date', `${before}(\\d{4})-(\\d{2})-(\\d{2})${saidYear}${after}`, ([, year, month, day], language, around) =>
    dateOf(day, month, year, language, around),
  ),
  rule(
    'date',
    `${before}(\\d{1,2})[./](\\d{1,2})[./](\\d{4})${saidYear}${after}`,
    ([, day, month, year], language, around) => dateOf(day, month, year, language, around),
  ),
  // "25.05.24"
  rule(
    'date',
    `${before}(\\d{2})\\.(\\d{2})\\.(\\d{2})${saidYear}(?!\\.?[\\p{L}\\d])`,
    ([, day, month, year = ''], language, around) =>
      dateOf(day, month, `${Number(year) < 70 ? 20 : 19}${year}`, language, around),
  ),
  // "№№ 3, 4"
  rule('abbreviation', `№№${space}?(?=\\d)`, (_, language, around) => `${numbersSign(language, around)} `),
  rule('number', `(?<!№)№${space}?(\\d+)(-(?=\\p{L}))?`, ([, value = '', hyphen], language, { after: following }) => {
    const words = spellCardinal(language, BigInt(value));
    if (language !== 'uz') return `${language === 'ru' ? 'номер' : 'number'} ${words}${hyphen ?? ''}`;
    // "№ 7 maktab" is the seventh school.
    const isNamed = hyphen !== undefined || /^ (?!va |yoki |bilan |hamda )\p{L}/u.test(following);
    return isNamed ? `${spellOrdinal('uz', BigInt(value))}${hyphen === undefined ? '' : ' '}` : `raqam ${words}`;
  }),
  rule(
    'phone',
    `(?<![\\p{L}\\d])\\+?\\d{1,3}[ -]\\(?\\d{2,3}\\)?(?:[ -]\\d{2,4}){2,4}${after}`,
    ([all = ''], language) => {
      const digits = all.replaceAll(/\D/g, '').length;
      // Digits in groups of three without a plus sign are a large number, or two with a hyphen between them.
      if (!all.startsWith('+') && /^\d{1,3}(?: \d{3})+(?:-\d{1,3}(?: \d{3})+)?$| \d{4}/.test(all)) return null;
      return digits < 7 || digits > 15 ? null : speakPhone(all, language);
    },
  ),
];
const afterOwn: readonly ReadingRule[] = [
  rule(
    'time',
    `${before}${clock}[-–—]${clock}(?![\\d:])`,
    ([, hours = '', minutes = '', lastHours = '', lastMinutes = ''], language, around) => {
      const governed = language === 'ru' ? caseOf({ before: around.before, after: '' }) : 'nominative';
      const to = language === 'ru' && governed === 'nominative' ? 'genitive' : governed;
      const [from, until] = [speakTime(hours, minutes, language, to), speakTime(lastHours, lastMinutes, language, to)];
      if (from === null || until === null) return null;
      if (language === 'en') return `${from} to ${until}`;
      if (/(?<!\p{L})с\s$/iu.test(around.before)) return `${from} до ${until}`;
      // "к 9:00–9:30": the word before already governs both ends.
      if (language === 'ru') return governed === 'nominative' ? `с ${from} до ${until}` : `${from} – ${until}`;
      return `${withoutSaidHour(`${from}dan`, around)} ${withEnding(until.replace(/^soat /u, ''), 'gacha')}`;
    },
  ),
  rule('time', `${before}${clock}(?![\\d:])`, ([, hours = '', minutes = ''], language, around) =>
    timeOf(hours, minutes, language, around),
  ),
  rule(
    'range',
    `([$€£₽])${space}?${amountInRange}[-–—]\\1?${amountInRange}${scaleAfterSign}(?![\\d\\-–—/])`,
    ([, sign = '', from = '', to = '', scale], language, around) => {
      const asked = caseOfMeasure(language, around);
      const last = speakMoney(to, scale, currencies[sign], language, asked);
      return last === null
        ? null
        : rangeOf(spell(readNumber(from, language), language, undefined, asked), last, language);
    },
  ),
  rule(
    'money',
    `([$€£₽])${space}?(${number})${scaleAfterSign}`,
    ([, sign = '', amount = '', scale], language, around) =>
      speakMoney(amount, scale, currencies[sign], language, caseOfMeasure(language, around)),
  ),
  rule(
    'range',
    `${before}${amountInRange}[-–—]${amountInRange}(?:(?:${space}?${scaleNames}\\.?)?${space}?(${moneyNames})(?!\\p{L})|${space}?(${unitNames})(?![\\p{L}\\d])|(?![\\p{L}\\d]|[.,:/\\-–—][\\d\\p{L}]))`,
    ([, from = '', to = '', scale, money, unit], language, around) => {
      const isCount = money === undefined && unit === undefined;
      const asked = isCount ? 'nominative' : caseOfMeasure(language, around, unit);
      const one = (value: string) =>
        language === 'ru' && isCount
          ? speakCount(value, around, to)
          : language === 'en' && isCount && isYear(from) && isYear(to)
            ? speakYear(value, 'en')
            : spell(readNumber(value, language), language, unit === undefined ? undefined : unitOf(unit), asked);
      const last = isCount
        ? one(to)
        : unit === undefined
          ? speakMoney(to, scale, currencies[money?.toLowerCase() ?? ''], language, asked)
          : measure(to, unit, language, asked);
      return last === null ? null : rangeOf(one(from), last, language);
    },
  ),
  rule(
    'money',
    `${before}(${number})${space}?(?:${scaleNames}\\.?${space})?(${moneyNames})(?![\\p{L}])`,
    ([, amount = '', scale, sign = ''], language, around) =>
      speakMoney(amount, scale, currencies[sign.toLowerCase()], language, caseOfMeasure(language, around)),
  ),
  rule('number', `${before}(\\d{1,2})/(\\d{1,2})${after}`, ([, part = '', whole = ''], language) =>
    speakFraction(part, whole, language),
  ),
  rule(
    'unit',
    `(?<![\\p{L}\\d.,/])([+−-])(${number})${space}?(${unitNames})(?![\\p{L}\\d])`,
    ([, sign = '', amount = '', unit = ''], language, around) => {
      const words = measure(amount, unit, language, caseOfMeasure(language, around, unit));
      return words === null ? null : `${signs[language][sign === '+' ? 0 : 1]} ${words}`;
    },
  ),
  rule(
    'number',
    `(?<=(?:^|[\\s(«])(?<!\\d\\s))([+−-])(${number})(?![\\p{L}\\d]|[-–—/]\\d)`,
    ([, sign = '', value = ''], language) =>
      `${signs[language][sign === '+' ? 0 : 1]} ${spell(readNumber(value, language), language)}`,
  ),
  rule(
    'unit',
    `${before}(${number})${space}?(${unitNames})(?![\\p{L}\\d])`,
    ([, amount = '', unit = ''], language, around) =>
      measure(amount, unit, language, caseOfMeasure(language, around, unit)),
  ),
];
const rangeOf = (from: string, to: string, language: SpeechLanguage) =>
  `${from}${language === 'en' ? ' to ' : '-'}${to}`;

/** After "soat" the word is not said twice. */
const withoutSaidHour = (spoken: string, around: Around): string =>
  /(?<!\p{L})soat\s$/iu.test(around.before) ? spoken.replace(/^soat /u, '') : spoken;
const isYear = (digits: string): boolean => /^(?:1[1-9]|20)\d\d$/.test(digits);
const ownRules: Readonly<Record<SpeechLanguage, readonly ReadingRule[]>> = {
  uz: [
    // "25-may", "25 mayda"; but "5 marta" is five times.
    rule(
      'date',
      `${before}(\\d{1,2})[-– ](${anyOf(months.uz)})(?=(?:da|dan|ga|gacha|ni|ning|dagi)?(?![\\p{L}]))`,
      ([, day = '', month = '']) => (Number(day) > 31 ? null : `${spellOrdinal('uz', BigInt(day))} ${month}`),
    ),
    // "5-6-sinf", "2020-2024-yillarda"
    rule(
      'ordinal',
      `${before}(\\d{1,4})[-–](\\d{1,4})[-–](?=\\p{L})`,
      ([, from = '', to = '']) => `${spellCardinal('uz', BigInt(from))}-${spellOrdinal('uz', BigInt(to))} `,
    ),
    rule('ordinal', `${before}(\\d+)[-–](?=\\p{L})`, ([, value = '']) => `${spellOrdinal('uz', BigInt(value))} `),
    // "2024 yilda", but "1500 yil oldin"
    rule(
      'date',
      `${before}(1\\d{3}|20\\d{2})${space}(?=(?:yil|йил)(?!${space}(?:oldin|avval|ilgari|muqaddam|davomida|ichida|keyin|mobaynida|олдин|аввал|илгари|муқаддам|давомида|ичида|кейин|мобайнида)))`,
      ([, value = '']) => `${spellOrdinal('uz', BigInt(value))} `,
    ),
    rule(
      'ordinal',
      `(?<![\\p{L}\\d]|\\d[-–])(?:(${roman})[-–])?(${roman})[- ](asr|bob|sinf|jild|аср|боб|синф|жилд)`,
      ([, first, value = '', noun = '']) => {
        const [from, to] = [first === undefined ? null : readRoman(first), readRoman(value)];
        if (to === null || (from === null && first !== undefined)) return null;
        return `${from === null ? '' : `${spellOrdinal('uz', from)}-`}${spellOrdinal('uz', to)} ${noun}`;
      },
    ),
    rule(
      'time',
      `${before}${clock}[ -]?${uzbekEndings}(?![\\p{L}])`,
      ([, hours = '', minutes = '', ending = ''], _, around) => {
        const spoken = timeOf(hours, minutes, 'uz', around);
        return spoken === null ? null : withEnding(spoken, ending);
      },
    ),
    // A separately typed ending is spoken with the number: "5 ta", "10 ga", "50ga".
    rule(
      'number',
      `${before}(${number})(?:${space}(?!ta)|)${uzbekEndings}(?![\\p{L}])`,
      ([, value = '', ending = '']) => withEnding(spell(readNumber(value, 'uz'), 'uz'), ending),
    ),
    rule(
      'unit',
      `${before}(${number})${space}?(${unitNames})(?:[ –-]|)${uzbekEndings}(?![\\p{L}])`,
      ([, amount = '', unit = '', ending = '']) => {
        const words = measure(amount, unit, 'uz', 'nominative');
        return words === null ? null : withEnding(words, ending);
      },
    ),
  ],
  ru: russianRules,
  en: englishRules,
};
const last: readonly ReadingRule[] = [
  rule('number', `${before}(${number})(?![\\p{L}\\d]|[.,/]\\d)`, ([, value = ''], language, around) =>
    // Codes such as 007 are read digit by digit.
    /^0\d/.test(value)
      ? spellDigits(language, value)
      : language === 'ru'
        ? speakCount(value, around)
        : spell(readNumber(value, language), language),
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
const letterNames = {
  uz: 'be se de ef ge ha je ka el em en pe qa er es te ve xa ze',
  ru: 'бэ вэ гэ дэ жэ зэ ка эл эм эн пэ эр эс тэ эф ха цэ чэ ша ща',
} as const;
const consonants = { uz: 'BCDFGHJKLMNPQRSTVXZ', ru: 'БВГДЖЗКЛМНПРСТФХЦЧШЩ' } as const;

/** Capitals without a vowel can only be spelled; the others may be words, such as "NASA". */
const spelledLetters = (language: keyof typeof letterNames): ReadingRule => ({
  kind: 'abbreviation',
  pattern: new RegExp(`(?<![\\p{L}\\d])[${consonants[language]}]{2,5}(?![\\p{L}\\d])`, 'gu'),
  speak: ([written = '']) => {
    const names = letterNames[language].split(' ');
    return readRoman(written) === null
      ? Array.from(written, (letter) => names[consonants[language].indexOf(letter)] ?? letter).join(' ')
      : null;
  },
});

const readingRulesOf = (language: SpeechLanguage): readonly ReadingRule[] => [
  ...beforeOwn,
  ...ownRules[language],
  ...afterOwn,
  abbreviationRule(language),
  ...(language === 'en' ? [] : [spelledLetters(language)]),
  ...last,
];

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

const anyApostrophe = `[${apostrophes}]`;

/** Of an apostrophe, each that people type is the same. */
const patternOf = ({ written, matchCase }: Pronunciation): RegExp => {
  const word = anyOf([written.trim()]).replaceAll(new RegExp(anyApostrophe, 'gu'), anyApostrophe);
  return new RegExp(`(?<![\\p{L}\\d])${word}(?![\\p{L}\\d])`, matchCase ? 'gu' : 'giu');
};

const spanOf = ({ index, 0: found }: RegExpExecArray): Span => ({ start: index, end: index + found.length });
const addressesIn = (text: string): readonly Span[] => [...text.matchAll(kept)].map(spanOf);

const isOutsideOrWhole = (text: string, { start, end }: Span, addresses: readonly Span[]): boolean =>
  addresses
    .filter((address) => start < address.end && end > address.start)
    .every((address) => start <= address.start && !/[\p{L}\d]/u.test(text.slice(end, address.end)));

export function countWritten(text: string, word: Pronunciation): number {
  if (word.written.trim() === '') return 0;
  const addresses = addressesIn(text);
  return [...text.matchAll(patternOf(word))].filter((found) => isOutsideOrWhole(text, spanOf(found), addresses)).length;
}

const pronunciationRules = (list: readonly Pronunciation[]): readonly ReadingRule[] =>
  list
    .filter(({ written, spoken }) => written.trim() !== '' && spoken.trim() !== '')
    .map((word) => ({ kind: 'pronunciation', pattern: patternOf(word), speak: () => word.spoken }));

/** What is not read as written, in order; `pronunciations` come first, and addresses stay. */
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

/** Web and mail addresses, and capitals without a reading that may be a word or letters, each once. */
export function findUncertain(text: string, readings: readonly Reading[]): readonly string[] {
  const found = [...text.matchAll(kept), ...text.matchAll(/(?<![\p{L}\d])\p{Lu}[\p{Lu}\d]{1,5}(?![\p{L}\d])/gu)];
  const isRead = (start: number, end: number) => readings.some((one) => start < one.end && end > one.start);
  return [...new Set(found.filter(({ index, 0: all }) => !isRead(index, index + all.length)).map(([all]) => all))];
}

export function applyReadings(text: string, readings: readonly Reading[]): string {
  let spoken = '';
  let at = 0;
  for (const { start, end, spoken: words } of readings) {
    spoken += text.slice(at, start) + words;
    at = end;
  }
  return spoken + text.slice(at);
}

/** What a stretch of a text is read as, widened to the readings that it touches. */
export function readingOf(text: string, { start, end }: Span, readings: readonly Reading[]): Omit<Reading, 'kind'> {
  const touched = readings.filter((one) => one.start < end && one.end > start);
  const from = Math.min(start, ...touched.map((one) => one.start));
  const to = Math.max(end, ...touched.map((one) => one.end));
  const shifted = touched.map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
  const written = text.slice(from, to);
  return { start: from, end: to, written, spoken: applyReadings(written, shifted) };
}

/** The case of a measure, by the word before it: "до 5 км"; "в 5 км" is measured, "в 5 % случаев" counted. */
function caseOfMeasure(language: SpeechLanguage, around: Around, unit = ''): RussianCase {
  if (language !== 'ru') return 'nominative';
  if (
    unit === '%' &&
    /(?<!\p{L})во?\s$/iu.test(around.before) &&
    /^\s[а-яё]+(?:[оеё]в|ей|[ыи]х|ан)(?!\p{L})/iu.test(around.after)
  )
    return 'prepositional';
  return caseOf({ before: around.before, after: '' });
}

function numbersSign(language: SpeechLanguage, around: Around): string {
  if (language !== 'ru') return language === 'uz' ? 'raqamlar' : 'numbers';
  const asked = caseOfShortened(around);
  return asked === 'nominative' ? 'номера' : declineNoun(['номер', 'номера', 'номеров'], asked, false);
}

function timeOf(hours: string, minutes: string, language: SpeechLanguage, around: Around): string | null {
  const spoken = speakTime(
    hours,
    minutes,
    language,
    language === 'ru' ? caseOfMeasure(language, around) : 'nominative',
  );
  return spoken === null ? null : withoutSaidHour(spoken, around);
}
