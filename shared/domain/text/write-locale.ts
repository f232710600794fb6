import type { InterfaceLanguage } from '../languages.ts';

/** Chromium has no Uzbek data; Russian groups digits the same way, and words are written by our own code. */
export const numberLocales: Readonly<Record<InterfaceLanguage, string>> = {
  uz: 'ru-RU',
  'uz-Cyrl': 'ru-RU',
  ru: 'ru-RU',
  en: 'en-GB',
};

/** The decimal signs of the locales above, which all use these digits. */
const decimalSigns: Readonly<Record<string, string>> = { 'ru-RU': ',', 'en-GB': '.' };

/** Below a thousand without `Intl`, whose data takes 15 ms of a start to load. */
export function numberWriter(locale: string, decimals: 0 | 1): (value: number) => string {
  const formatter = oncePerKey(() => new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }));
  const sign = decimalSigns[locale];
  const unit = 10 ** decimals;
  return (value) => {
    // Via decimal digits instead of multiplying, which would make 1.45 slightly smaller than written.
    const scaled = Math.round(Number(`${String(value)}e${String(decimals)}`));
    if (!(value >= 0 && scaled < 1000 * unit) || sign === undefined) return formatter('').format(value);
    const rest = scaled % unit;
    return rest === 0 ? String(scaled / unit) : `${String((scaled - rest) / unit)}${sign}${String(rest)}`;
  };
}

export const isUzbek = (language: InterfaceLanguage): language is 'uz' | 'uz-Cyrl' =>
  language === 'uz' || language === 'uz-Cyrl';

const uzbekMonths = {
  uz: 'yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr'.split(' '),
  'uz-Cyrl': 'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь'.split(' '),
};
const uzbekYear = { uz: 'yil', 'uz-Cyrl': 'йил' };
const uzbekAnd = { uz: 'va', 'uz-Cyrl': 'ва' };

/** Caches `make` by key: a formatter costs more to create than formatting a hundred dates. */
export function oncePerKey<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/** Local time as if it were UTC, because a formatter keeps the time zone of its creation. */
const onTheWall = (atMs: number): number => atMs - new Date(atMs).getTimezoneOffset() * 60_000;
const timeZone = 'UTC';

const daysWith = (month: 'short' | 'long') =>
  oncePerKey((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone }));
const days = { short: daysWith('short'), long: daysWith('long') };
const times = oncePerKey(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }),
);
const lists = oncePerKey((locale) => new Intl.ListFormat(locale, { style: 'long' }));

/** 20 Nov 2026 · 20 нояб. 2026 г. · 2026-yil 20-noyabr · 2026-йил 20-ноябрь, in the computer's time zone. */
export function writeDate(atMs: number, language: InterfaceLanguage, month: 'short' | 'long' = 'short'): string {
  if (!isUzbek(language)) return days[month](numberLocales[language]).format(onTheWall(atMs));
  const at = new Date(atMs);
  const day = `${String(at.getDate())}-${uzbekMonths[language][at.getMonth()] ?? ''}`;
  return `${String(at.getFullYear())}-${uzbekYear[language]} ${day}`;
}

export const writeTime = (atMs: number, language: InterfaceLanguage): string =>
  times(numberLocales[language]).format(onTheWall(atMs));

/** A list of names: a, b and c · a, b и c · a, b va c · a, b ва c. */
export function writeList(items: readonly string[], language: InterfaceLanguage): string {
  if (!isUzbek(language)) return lists(numberLocales[language]).format(items);
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${uzbekAnd[language]} ${last}`;
}
