import {
  caseOf,
  declineNoun,
  nounAfter,
  type Around,
  type Gender,
  type OrdinalForm,
  type RussianCase,
} from './russian-grammar.ts';
import {
  anyOf,
  before,
  readRoman,
  roman,
  rule,
  space,
  months,
  russianNouns,
  type ReadingRule,
} from './reading-words.ts';
import { endsInOne, spellCardinal, spellOrdinal, readNumber, speakDate, spell } from './spell-numbers.ts';

const endings: Readonly<Record<string, OrdinalForm>> = {
  й: 'nominative',
  ый: 'nominative',
  ой: 'oblique',
  я: 'feminine',
  ая: 'feminine',
  ю: 'feminineAccusative',
  ую: 'feminineAccusative',
  е: 'neuter',
  ое: 'neuter',
  ые: 'plural',
  го: 'genitive',
  ого: 'genitive',
  му: 'dative',
  ому: 'dative',
  м: 'prepositional',
  ом: 'prepositional',
  ым: 'instrumental',
  х: 'pluralGenitive',
  ых: 'pluralGenitive',
};

function formOf(value: string, ending: string, following: string): OrdinalForm {
  const form = endings[ending.toLowerCase()] ?? 'nominative';
  const noun = nounAfter(following);
  // "1990-е", "90-е годы", but "20-е место"
  if (ending === 'е' && /^\d*\d0$/.test(value) && (value.length === 4 || noun === '' || noun.startsWith('год')))
    return 'plural';
  if (ending === 'й' && /[^йь]?[еиы]$/iu.test(noun)) return 'oblique';
  if (ending === 'м' && /[оеё]м$/iu.test(noun)) return 'instrumental';
  return form;
}

const yearIn: Readonly<Record<RussianCase, string>> = {
  nominative: 'год',
  genitive: 'года',
  dative: 'году',
  accusative: 'год',
  instrumental: 'годом',
  prepositional: 'году',
};
/** In which case a year or a century stands that was shortened to "г." or "в.". */
function caseOfYear({ before: text }: Around): RussianCase {
  if (/(?<!\p{L})(?:в|во|о|об|при)\s$/iu.test(text)) return 'prepositional';
  if (/(?<!\p{L})по\s$/iu.test(text)) return 'accusative';
  const to = caseOf({ before: text, after: '' });
  if (to !== 'nominative') return to;
  // "в мае 2024 г.", "бюджет 2024 г."
  return /(?:\p{L}|\sкв\.)\s$/u.test(text) ? 'genitive' : 'nominative';
}
const quarterCases: Readonly<Record<string, RussianCase>> = {
  й: 'nominative',
  м: 'prepositional',
  го: 'genitive',
  му: 'dative',
};
const year = '(1\\d{3}|20\\d{2}|2100)';
const month = `(${anyOf(months.ru)})(?![\\p{L}])`;
const monthAt = (name = '') => months.ru.indexOf(name.toLowerCase()) + 1;
const yearAfter = `(?:${space}(\\d{4})(?:${space}?(?:г\\.|года))?)?(?![\\p{L}\\d])`;

/** The form of the day of a month: "к пятому мая", "по пятое мая", "сегодня пятое мая", and else "пятого мая". */
export function formOfDay({ before: text, after: following }: Around): OrdinalForm {
  if (/(?<!\p{L})(?:по|на|за|через)\s$/iu.test(text)) return 'neuter';
  if (/(?<!\p{L})(?:сегодня|завтра|вчера|послезавтра)\s(?:было\s|будет\s|[—–-]\s)?$/iu.test(text)) return 'neuter';
  const to = caseOf({ before: text, after: '' });
  if (to === 'dative' || to === 'instrumental') return to;
  return to === 'nominative' && /^\s[—–]\s/u.test(following) ? 'neuter' : 'genitive';
}

/** Nouns that end like feminine ones and aren't: "два мужчины", "два пути", "одно имя". */
const notFeminine =
  /^(?:мужчин(?:[аыеу]|ой)|дедушк(?:[аиеу]|ой)|дяд(?:[яиею]|ей)|судь(?:[яиею]|ёй)|юнош(?:[аиеу]|ей)|пап(?:[аыеу]|ой)|пут[иь]|гость|тесть|червь|(?:им|врем|знам|плем|сем)(?:я|ени))$/iu;
/** Feminine nouns in the prepositional case, and others with such an ending. */
const femininePrepositional =
  /(?:и|ице|ке|ине|и[рл]е|оте|уте|унде|анде|[уо]ле|аде|че|ппе|нате|уре|ьбе|мье|тье|[газкн]ете|зоне)$/iu;
const masculinePrepositional = /^(?:стол|пол|списк|участк|звонк|рынк|банк|магазин|билет|кабинет|мир|файл)/iu;

/** The gender that 1 and 2 take from the counted noun, which has the form that `last` asks for: "1–2 недели". */
function genderOf(value: string, noun: string, to: RussianCase, last: string): Gender | 'neuter' {
  if (notFeminine.test(noun)) return noun.endsWith('мя') ? 'neuter' : 'masculine';
  const isOne = /(?:^|[^1])1$/.test(value);
  if (/(?:^|[^1])2$/.test(value) || (isOne && /(?:^|[^1])[2-4]$/.test(last)))
    return /[иы]$/iu.test(noun) ? 'feminine' : 'masculine';
  if (!isOne) return 'masculine';
  const feminine: Readonly<Record<RussianCase, RegExp>> = {
    nominative: /(?:[ая]|сть|[чжшщ]ь|знь|[щшр]адь|вь|пь)$/iu,
    accusative: /(?:[ую]|сть|[чжшщ]ь|знь|[щшр]адь|вь|пь)$/iu,
    genitive: /[ыи]$/iu,
    dative: /[еи]$/iu,
    instrumental: /[оеё]й$/iu,
    prepositional: femininePrepositional,
  };
  if (feminine[to].test(noun) && !(to === 'prepositional' && masculinePrepositional.test(noun))) return 'feminine';
  return (to === 'nominative' || to === 'accusative') && /[оеё]$/iu.test(noun) ? 'neuter' : 'masculine';
}

/** The case of a number that counts one thing: its noun shows what "в" and "на" can't. */
function caseOfCount(value: string, around: Around): RussianCase {
  const to = caseOf(around);
  const noun = nounAfter(around.after);
  if (!/(?:^|[^1])1$/.test(value) || noun === '') return to;
  if (to === 'accusative' && /[еи]$/iu.test(noun) && !/(?:время|имя)$/iu.test(noun)) return 'prepositional';
  return to === 'nominative' && /[ую]$/iu.test(noun) ? 'accusative' : to;
}

/** Nouns that a number names and does not count, whatever follows: "номер 1 уже готов", "глава 1". */
const numbered: readonly (readonly [Gender | 'neuter', RegExp])[] = (
  [
    [
      'feminine',
      'глава|часть|страница|сцена|таблица|задача|серия|группа|статья|линия|лекция|квартира|комната|тема|версия|запись|строка|школа|дорожка|бригада|смена',
    ],
    ['neuter', 'окно|предложение|задание|упражнение|приложение|правило|место|действие|занятие'],
    [
      'masculine',
      '(?:номер|пункт|раздел|урок|файл|шаг|этап|вариант|параграф|абзац|кабинет|вопрос|дом|сезон|эпизод|выпуск|блок|слайд|спикер|канал)(?:а|у|ом|е)?|глав[ыуе]|главой|част(?:и|ью)|страниц[ыуе]|страницей',
    ],
  ] as const
).map(([gender, nouns]) => [gender, new RegExp(`(?<![\\p{L}])(?:${nouns})${space}$`, 'iu')]);

/** A number without a unit, in the case and gender that the sentence asks for; `last` is the one before its noun. */
export function speakCount(value: string, around: Around, last = value): string {
  const read = readNumber(value, 'ru');
  const other = /^\s(?:или|либо)\s(\d+)(?=\s[а-яё])/iu.exec(around.after);
  if (other !== null) return speakCount(value, { ...around, after: around.after.slice(other[0].length) }, other[1]);
  const named = numbered.find(([, nouns]) => nouns.test(around.before))?.[0];
  const to = named === undefined ? caseOfCount(read.whole, around) : 'nominative';
  if (read.fraction !== '') return spell(read, 'ru', undefined, to);
  const gender =
    named === undefined
      ? genderOf(read.whole, nounAfter(around.after), to, readNumber(last, 'ru').whole)
      : endsInOne(read.whole)
        ? named
        : 'masculine';
  const spoken = spellCardinal('ru', BigInt(read.whole), gender === 'feminine' ? 'feminine' : 'masculine', to);
  return gender === 'neuter' ? spoken.replace(/один$/u, 'одно') : spoken;
}

const centuryForms: Readonly<Record<string, OrdinalForm>> = {
  '': 'nominative',
  а: 'genitive',
  у: 'dative',
  ом: 'instrumental',
  е: 'prepositional',
};
/** In which case a shortened noun stands: "на ул. Навои", "по ул. Навои". */
export function caseOfShortened({ before: text }: Around): RussianCase {
  if (/(?<!\p{L})(?:в|во|на)\s$/iu.test(text)) return 'prepositional';
  return /(?<!\p{L})по\s$/iu.test(text) ? 'dative' : caseOf({ before: text, after: '' });
}
/** Nouns before a name or a number: "на ул. Навои", "из кв. 5". */
const shortened = (
  nouns: Readonly<Record<string, readonly [string, string, string]>>,
  following: string,
): ReadingRule => ({
  kind: 'abbreviation',
  pattern: new RegExp(
    `(?<![\\p{L}\\d]|\\d${space})(?:${anyOf(Object.keys(nouns).flatMap((one) => [one, `${one.charAt(0).toUpperCase()}${one.slice(1)}`]))})${following}`,
    'gu',
  ),
  speak: ([written = ''], _, around) => {
    const forms = nouns[written.toLowerCase()];
    return forms === undefined ? null : declineNoun(forms, caseOfShortened(around), true);
  },
});

const adjectiveForms: Readonly<Record<string, OrdinalForm>> = {
  ая: 'feminine',
  ую: 'feminineAccusative',
  ой: 'oblique',
  ое: 'neuter',
  ого: 'genitive',
  ому: 'dative',
  ым: 'instrumental',
  ом: 'prepositional',
  ые: 'plural',
  ых: 'pluralGenitive',
};
/** The ending of "так называемый" before an adjective or a noun, in quotation marks or not. */
function soCalledEnding(around: Around): string {
  const next = /^\s[«"„]?(?:[IVXLC]+\s)?([а-яё]+)/iu.exec(around.after)?.[1]?.toLowerCase() ?? '';
  const asked = caseOfShortened({ before: around.before, after: '' });
  if (/[оеё]м$/u.test(next)) return asked === 'prepositional' ? 'ом' : 'ым';
  const adjective = /[а-яё]{3}(?:[ая]я|[ую]ю|[ое]й|[ое]е|[ое]го|[ое]му|[ыи](?:й|м|е|х|ми))$/u.exec(next)?.[0].slice(3);
  if (adjective !== undefined)
    return adjective.replace(/^[иы]/u, 'ы').replace(/^е/u, 'о').replace(/^яя/u, 'ая').replace(/^юю/u, 'ую');
  if (asked === 'dative') return /[ую]$/u.test(next) ? 'ому' : 'ой';
  if (asked === 'genitive' && /[ая]$/u.test(next)) return 'ого';
  if (next.endsWith('е')) return asked !== 'prepositional' ? 'ое' : femininePrepositional.test(next) ? 'ой' : 'ом';
  if (/[ыи]$/u.test(next)) return asked === 'genitive' || asked === 'prepositional' ? 'ой' : 'ые';
  return /[ая]$/u.test(next) ? 'ая' : /[ую]$/u.test(next) ? 'ую' : next.endsWith('о') ? 'ое' : 'ый';
}

export const russianRules: readonly ReadingRule[] = [
  // "с 5 по 10 мая", "5–10 мая"
  rule(
    'date',
    `(?<=(?<![\\p{L}])(?:с|со|от|до|после)${space})(\\d{1,2})(?=${space}(?:по|до|и|или)${space}\\d{1,2}${space}${month})`,
    ([, day = '']) => spellOrdinal('ru', BigInt(day), 'genitive'),
  ),
  rule(
    'date',
    `(?<=(?<![\\p{L}])между${space})(\\d{1,2})(?=${space}и${space}\\d{1,2}${space}${month})`,
    ([, day = '']) => spellOrdinal('ru', BigInt(day), 'instrumental'),
  ),
  rule(
    'date',
    `${before}(\\d{1,2})${space}?[-–—]${space}?(\\d{1,2})${space}${month}`,
    ([, from = '', to = '', name = '']) =>
      Number(from) > 31 || Number(to) > 31
        ? null
        : `с ${spellOrdinal('ru', BigInt(from), 'genitive')} по ${spellOrdinal('ru', BigInt(to), 'neuter')} ${name}`,
  ),
  rule('date', `${before}(\\d{1,2})${space}(${anyOf(months.ru)})${yearAfter}`, ([, day, name, yearOf], _, around) =>
    speakDate(Number(day), monthAt(name), yearOf, 'ru', formOfDay(around)),
  ),
  // "в 3-м кв. 2025 г.", "III кв." is a quarter of a year; "кв. 5" is a flat.
  rule(
    'ordinal',
    `${before}(?:([1-4])(?:[-–](?:й|м|го|му))?|(IV|I{1,3}))${space}?кв\\.(?!${space}?(?:м|км)(?![\\p{L}]))`,
    ([all = '', digit, numeral = ''], _, around) => {
      const value = digit === undefined ? readRoman(numeral) : BigInt(digit);
      const ending = /[-–](\p{L}+)/u.exec(all)?.[1] ?? '';
      const asked = quarterCases[ending] ?? caseOfShortened(around);
      return value === null
        ? null
        : `${spellOrdinal('ru', value, asked)} ${declineNoun(['квартал', 'квартала', 'кварталов'], asked, true)}`;
    },
  ),
  rule(
    'ordinal',
    `${before}(\\d+)[-–](${anyOf(Object.keys(endings))})(?![\\p{L}])`,
    ([, value = '', ending = ''], _, around) => spellOrdinal('ru', BigInt(value), formOf(value, ending, around.after)),
  ),
  // "на 2 этаже" is a place and no count: "на двух этажах" is.
  rule(
    'ordinal',
    `${before}(\\d{1,3})(?=${space}(?:(этаж|класс|курс|ряд|подъезд|вагон|том)(е|у|а|)|(мест)(о|е|а)|(страниц|глав)(е))(?![\\p{L}]))`,
    ([, value = '', , masculine, , neuter, , feminine], _, around) => {
      const isGoverned = caseOf({ before: around.before, after: '' }) === 'genitive';
      if ((masculine === 'а' || neuter === 'а') && !isGoverned) return null;
      const form: OrdinalForm | undefined =
        feminine === undefined
          ? ({ '': 'nominative', о: 'neuter', а: 'genitive', е: 'prepositional', у: 'prepositional' } as const)[
              masculine ?? neuter ?? ''
            ]
          : 'oblique';
      return form === undefined ? null : spellOrdinal('ru', BigInt(value), form);
    },
  ),
  rule(
    'ordinal',
    `(?<![\\p{L}\\d])(${roman})${space}(век(?:а|е|у|ом)?|глав[аеуы]|том[ае]?|класс[ае]?)(?![\\p{L}])`,
    ([, value = '', noun = '']) => {
      const read = readRoman(value);
      if (read === null) return null;
      const ending = noun.toLowerCase().replace(/^(?:век|том|класс|глав)/u, '');
      const form: OrdinalForm = noun.toLowerCase().startsWith('глав')
        ? (({ а: 'feminine', у: 'feminineAccusative' } as const)[ending] ?? 'oblique')
        : (centuryForms[ending] ?? 'nominative');
      return `${spellOrdinal('ru', read, form)} ${noun}`;
    },
  ),
  rule(
    'ordinal',
    `(?<![\\p{L}\\d])(${roman})${space}?[-–—]${space}?(${roman})${space}?вв\\.`,
    ([, from = '', to = ''], _, around) => {
      const [first, last] = [readRoman(from), readRoman(to)];
      if (first === null || last === null) return null;
      const asked = caseOfYear(around);
      const noun = {
        nominative: 'века',
        genitive: 'веков',
        dative: 'векам',
        accusative: 'века',
        instrumental: 'веками',
        prepositional: 'веках',
      }[asked];
      return `${spellOrdinal('ru', first, asked)}-${spellOrdinal('ru', last, asked)} ${noun}`;
    },
  ),
  rule('ordinal', `(?<![\\p{L}\\d])(${roman})${space}?в\\.`, ([, value = ''], _, around) => {
    const read = readRoman(value);
    if (read === null) return null;
    const asked = caseOfYear(around);
    return `${spellOrdinal('ru', read, asked)} ${declineNoun(['век', 'века', 'веков'], asked, true)}`;
  }),
  rule(
    'date',
    `${before}${year}${space}?[-–—]${space}?${year}${space}?(?:гг\\.|(?=год))`,
    ([all = '', from = '', to = ''], _, around) => {
      const isShort = all.endsWith('.');
      const asked = isShort
        ? caseOfYear(around)
        : around.after.startsWith('годах')
          ? 'prepositional'
          : /^год(?:ов|а)/iu.test(around.after)
            ? 'genitive'
            : 'nominative';
      const noun = {
        nominative: 'годы',
        genitive: 'годов',
        dative: 'годам',
        accusative: 'годы',
        instrumental: 'годами',
        prepositional: 'годах',
      }[asked];
      return `${spellOrdinal('ru', BigInt(from), asked)} – ${spellOrdinal('ru', BigInt(to), asked)} ${isShort ? noun : ''}`;
    },
  ),
  rule('date', `${before}${year}${space}?г\\.`, ([, value = ''], _, around) => {
    const asked = caseOfYear(around);
    return `${spellOrdinal('ru', BigInt(value), asked)} ${yearIn[asked]}`;
  }),
  rule('date', `${before}${year}(?=${space}(год(?:а|у|ом|е)?)(?![\\p{L}]))`, ([, value = '', noun = ''], _, around) => {
    const ending = noun.toLowerCase().slice(3);
    const form =
      ending === 'у' && !/(?<!\p{L})(?:к|ко|по)\s$/iu.test(around.before)
        ? 'prepositional'
        : (centuryForms[ending] ?? 'nominative');
    return spellOrdinal('ru', BigInt(value), form);
  }),
  // "II мировая война"
  {
    kind: 'ordinal',
    pattern: /(?<![\p{L}\d])[IVXLC]{1,7}(?=\s[а-яё]*[а-яё]{3}(?:ая|ую|ой|ый|ий|ое|ого|ому|ым|ом|ые|ых)(?![\p{L}]))/gu,
    speak: ([written = ''], _, { after: following }) => {
      const value = readRoman(written);
      const ending = /^\s\p{L}+?(ая|ую|ой|ое|ого|ому|ым|ом|ые|ых)(?!\p{L})/u.exec(following)?.[1] ?? '';
      return value === null ? null : spellOrdinal('ru', value, adjectiveForms[ending] ?? 'nominative');
    },
  },
  {
    kind: 'abbreviation',
    pattern: /(?<![\p{L}\d])т\.\s?н\.(?=\s)/giu,
    speak: (_groups, _language, around) => `так называем${soCalledEnding(around)}`,
  },
  shortened(russianNouns.named, `(?=${space}?(?:\\p{Lu}|\\d|[«"]))`),
  shortened(russianNouns.numbered, `(?=${space}?\\d)`),
  rule('abbreviation', `(?<=ой${space})обл\\.`, () => 'области'),
  // "парк им. Навои", but "Скажи им. Потом придём.": the name is in the genitive.
  {
    kind: 'abbreviation',
    pattern: /(?<![\p{L}\d])им\.(?=\s?(?:\p{Lu}\.|\p{Lu}\p{Ll}{2,}(?:[аяоиы]|ого)(?!\p{L})))/gu,
    speak: () => 'имени',
  },
];
