import { anyOf, after, before, readRoman, roman, rule, space, type ReadingRule } from './reading-rule.ts';
import { months } from './reading-words.ts';
import { spellOrdinal } from './spell-numbers.ts';
import { speakDate, speakYear } from './spell-written-forms.ts';

const englishMonths = anyOf([...months.en, ...months.en.map((name) => name.slice(0, 3))]);
const englishMonth = (name: string): number =>
  months.en.findIndex((month) => month.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;

export const englishRules: readonly ReadingRule[] = [
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
