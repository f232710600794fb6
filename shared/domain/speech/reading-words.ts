import type { SpeechLanguage } from '../languages.ts';
import type { Gender, Around } from './russian-grammar.ts';

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

export interface ReadingRule {
  readonly kind: ReadingKind;
  readonly pattern: RegExp;
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
export const anyOf = (words: readonly string[]) =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|');

/** Null for other letters and for C alone, a Russian word. Russian look-alikes of Roman digits count. */
export function readRoman(typed: string): bigint | null {
  const written = typed.replaceAll('Х', 'X').replaceAll('С', 'C');
  if (written === 'C' || !/^(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u.test(written)) return null;
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };
  const digits = Array.from(written, (letter) => values[letter] ?? 0);
  return BigInt(digits.reduce((sum, value, at) => sum + (value < (digits[at + 1] ?? 0) ? -value : value), 0));
}
export const roman = '[IVXLCХС]{1,7}';

/** Forms for 1, 2 to 4 and 5 or more in Russian; for one and many in English; Uzbek has one form. */
export interface CountedWord {
  readonly uz: string;
  readonly en: readonly [one: string, many: string];
  readonly ru: readonly [one: string, few: string, many: string];
  readonly gender: Gender;
}

const counted = (
  uz: string,
  en: CountedWord['en'],
  ru: CountedWord['ru'],
  gender: Gender = 'masculine',
): CountedWord => ({ uz, en, ru, gender });

const dollar = counted('dollar', ['dollar', 'dollars'], ['доллар', 'доллара', 'долларов']);
const ruble = counted('rubl', ['ruble', 'rubles'], ['рубль', 'рубля', 'рублей']);
const kopeck = counted('tiyin', ['kopeck', 'kopecks'], ['копейка', 'копейки', 'копеек'], 'feminine');
const soum = counted('soʻm', ['soum', 'soums'], ['сум', 'сума', 'сумов']);
const euro = counted('yevro', ['euro', 'euros'], ['евро', 'евро', 'евро']);

export const currencies: Readonly<Record<string, CountedWord>> = {
  $: dollar,
  usd: dollar,
  '€': euro,
  eur: euro,
  '£': counted('funt sterling', ['pound', 'pounds'], ['фунт', 'фунта', 'фунтов']),
  '₽': ruble,
  rub: ruble,
  'руб.': ruble,
  руб: ruble,
  'р.': ruble,
  'коп.': kopeck,
  'долл.': dollar,
  uzs: soum,
};

const metre = counted('metr', ['metre', 'metres'], ['метр', 'метра', 'метров']);
const kilometre = counted('kilometr', ['kilometre', 'kilometres'], ['километр', 'километра', 'километров']);
const centimetre = counted('santimetr', ['centimetre', 'centimetres'], ['сантиметр', 'сантиметра', 'сантиметров']);
const millimetre = counted('millimetr', ['millimetre', 'millimetres'], ['миллиметр', 'миллиметра', 'миллиметров']);
const kilogram = counted('kilogramm', ['kilogram', 'kilograms'], ['килограмм', 'килограмма', 'килограммов']);
const gram = counted('gramm', ['gram', 'grams'], ['грамм', 'грамма', 'граммов']);
const litre = counted('litr', ['litre', 'litres'], ['литр', 'литра', 'литров']);
const squareMetre = counted(
  'kvadrat metr',
  ['square metre', 'square metres'],
  ['квадратный метр', 'квадратных метра', 'квадратных метров'],
);
const squareKilometre = counted(
  'kvadrat kilometr',
  ['square kilometre', 'square kilometres'],
  ['квадратный километр', 'квадратных километра', 'квадратных километров'],
);
const hectare = counted('gektar', ['hectare', 'hectares'], ['гектар', 'гектара', 'гектаров']);
export const speed = counted(
  'kilometr soatiga',
  ['kilometre per hour', 'kilometres per hour'],
  ['километр в час', 'километра в час', 'километров в час'],
);
const degree = counted('daraja', ['degree', 'degrees'], ['градус', 'градуса', 'градусов']);
const thousand = counted('ming', ['thousand', 'thousand'], ['тысяча', 'тысячи', 'тысяч'], 'feminine');
const million = counted('million', ['million', 'million'], ['миллион', 'миллиона', 'миллионов']);
const billion = counted('milliard', ['billion', 'billion'], ['миллиард', 'миллиарда', 'миллиардов']);
const hour = counted('soat', ['hour', 'hours'], ['час', 'часа', 'часов']);
const minute = counted('daqiqa', ['minute', 'minutes'], ['минута', 'минуты', 'минут'], 'feminine');
const kilowattHour = counted(
  'kilovatt-soat',
  ['kilowatt-hour', 'kilowatt-hours'],
  ['киловатт-час', 'киловатт-часа', 'киловатт-часов'],
);
const second = counted('soniya', ['second', 'seconds'], ['секунда', 'секунды', 'секунд'], 'feminine');

export const hundredths: ReadonlyMap<CountedWord, CountedWord> = new Map([
  [dollar, counted('sent', ['cent', 'cents'], ['цент', 'цента', 'центов'])],
  [euro, counted('sent', ['cent', 'cents'], ['цент', 'цента', 'центов'])],
  [ruble, kopeck],
  [soum, counted('tiyin', ['tiyin', 'tiyin'], ['тийин', 'тийина', 'тийинов'])],
]);

export const percent = counted('foiz', ['percent', 'percent'], ['процент', 'процента', 'процентов']);

export const units: Readonly<Record<string, CountedWord>> = {
  km: kilometre,
  км: kilometre,
  m: metre,
  м: metre,
  cm: centimetre,
  sm: centimetre,
  см: centimetre,
  mm: millimetre,
  мм: millimetre,
  kg: kilogram,
  кг: kilogram,
  g: gram,
  gr: gram,
  г: gram,
  гр: gram,
  l: litre,
  л: litre,
  ml: counted('millilitr', ['millilitre', 'millilitres'], ['миллилитр', 'миллилитра', 'миллилитров']),
  мл: counted('millilitr', ['millilitre', 'millilitres'], ['миллилитр', 'миллилитра', 'миллилитров']),
  т: counted('tonna', ['tonne', 'tonnes'], ['тонна', 'тонны', 'тонн'], 'feminine'),
  'm²': squareMetre,
  'м²': squareMetre,
  'кв. м': squareMetre,
  'kv. m': squareMetre,
  'km²': squareKilometre,
  'км²': squareKilometre,
  'кв. км': squareKilometre,
  ha: hectare,
  ga: hectare,
  га: hectare,
  'km/h': speed,
  'km/soat': speed,
  'км/ч': speed,
  'км/соат': speed,
  kwh: kilowattHour,
  квт·ч: kilowattHour,
  'квт-ч': kilowattHour,
  kvt·soat: kilowattHour,
  '°c': degree,
  '°с': degree,
  '°': degree,
  'чел.': counted('kishi', ['person', 'people'], ['человек', 'человека', 'человек']),
  'шт.': counted('dona', ['piece', 'pieces'], ['штука', 'штуки', 'штук'], 'feminine'),
  ч: hour,
  'ч.': hour,
  ming: thousand,
  'тыс.': thousand,
  тыс: thousand,
  mln: million,
  'mln.': million,
  млн: million,
  'млн.': million,
  mlrd: billion,
  'mlrd.': billion,
  млрд: billion,
  'млрд.': billion,
  bn: billion,
  min: minute,
  мин: minute,
  'мин.': minute,
  daq: minute,
  'daq.': minute,
  sec: second,
  сек: second,
  'сек.': second,
  son: second,
  'son.': second,
};

export const abbreviations: Readonly<Record<SpeechLanguage, Readonly<Record<string, string>>>> = {
  uz: {
    'dr.': 'doktor',
    mchj: 'masʼuliyati cheklangan jamiyat',
    aj: 'aksiyadorlik jamiyati',
    'tel.': 'telefon',
    'va h.k.': 'va hokazo',
    'va b.': 'va boshqalar',
    'h.k.': 'hokazo',
    'm-n': 'masalan',
    'mas.': 'masalan',
    'koʻch.': 'koʻchasi',
    'prof.': 'professor',
    'akad.': 'akademik',
    'dots.': 'dotsent',
    't.f.d.': 'texnika fanlari doktori',
    'v.b.': 'vazifasini bajaruvchi',
  },
  ru: {
    'т. е.': 'то есть',
    'т.е.': 'то есть',
    'т. д.': 'так далее',
    'т.д.': 'так далее',
    'т. п.': 'тому подобное',
    'т.п.': 'тому подобное',
    'т. к.': 'так как',
    'т.к.': 'так как',
    'др.': 'другие',
    ооо: 'общество с ограниченной ответственностью',
    'тел.': 'телефон',
    'обл.': 'область',
    'гл.': 'глава',
    'см.': 'смотри',
    'ул.': 'улица',
    'пр.': 'проспект',
    'проф.': 'профессор',
    'акад.': 'академик',
    'стр.': 'страница',
    'напр.': 'например',
    'н. э.': 'нашей эры',
    'доб.': 'добавочный',
    квт·ч: 'киловатт-час',
    // Spelled letter by letter though they have a vowel, as the rule for capitals without one does it.
    сша: 'сэ шэ а',
    ес: 'е эс',
    оон: 'о о эн',
    оаэ: 'о а э',
    еаэс: 'е а э эс',
    цру: 'цэ эр у',
    юар: 'ю а эр',
    егэ: 'е гэ э',
    аэс: 'а э эс',
    ип: 'и пэ',
    ао: 'а о',
  },
  en: {
    'e.g.': 'for example',
    'i.e.': 'that is',
    'etc.': 'et cetera',
    'vs.': 'versus',
    'mr.': 'Mister',
    'mrs.': 'Missis',
    'ms.': 'Miz',
    'dr.': 'Doctor',
    'prof.': 'Professor',
    'st.': 'Street',
    'approx.': 'approximately',
    'dept.': 'department',
  },
};

/** Russian nouns that are shortened before a name or a number, with their forms after 1, 2 and 5. */
export const russianNouns = {
  named: {
    'ул.': ['улица', 'улицы', 'улиц'],
    'пр.': ['проспект', 'проспекта', 'проспектов'],
    'просп.': ['проспект', 'проспекта', 'проспектов'],
    'пер.': ['переулок', 'переулка', 'переулков'],
    'пл.': ['площадь', 'площади', 'площадей'],
    'мкр.': ['микрорайон', 'микрорайона', 'микрорайонов'],
    'г.': ['город', 'города', 'городов'],
  },
  numbered: {
    'д.': ['дом', 'дома', 'домов'],
    'кв.': ['квартира', 'квартиры', 'квартир'],
    'корп.': ['корпус', 'корпуса', 'корпусов'],
    'оф.': ['офис', 'офиса', 'офисов'],
    'каб.': ['кабинет', 'кабинета', 'кабинетов'],
    'стр.': ['страница', 'страницы', 'страниц'],
    'гл.': ['глава', 'главы', 'глав'],
    'рис.': ['рисунок', 'рисунка', 'рисунков'],
    'табл.': ['таблица', 'таблицы', 'таблиц'],
    'п.': ['пункт', 'пункта', 'пунктов'],
    'ст.': ['статья', 'статьи', 'статей'],
    'т.': ['том', 'тома', 'томов'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [string, string, string]>>>>;

/** Abbreviations whose full stop does not end a sentence, without those above. */
export const sentenceAbbreviations: readonly string[] = [
  'г',
  'гг',
  'в',
  'вв',
  'рис',
  'им',
  'кв',
  'пл',
  'пер',
  'тел',
  'гл',
  'ст',
  'п',
  'обл',
  'р-н',
  'т. н',
  'т.н',
  'no',
  'vol',
  'fig',
  'inc',
  'ltd',
  'jr',
  'sr',
  'y',
  'yy',
  'b',
  'q',
  'tel',
  'rasm',
];

/** Month names in lower case, in order. Russian ones are in the genitive, as after a day. */
export const months: Readonly<Record<SpeechLanguage, readonly string[]>> = {
  uz: ['yanvar', 'fevral', 'mart', 'aprel', 'may', 'iyun', 'iyul', 'avgust', 'sentabr', 'oktabr', 'noyabr', 'dekabr'],
  ru: [
    'января',
    'февраля',
    'марта',
    'апреля',
    'мая',
    'июня',
    'июля',
    'августа',
    'сентября',
    'октября',
    'ноября',
    'декабря',
  ],
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
};
