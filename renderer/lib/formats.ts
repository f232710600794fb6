import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { lengthClock, timeCode, wholeSeconds } from '../../shared/domain/time/time-code.ts';
import { numberLocales, numberWriter, writeDate, writeList, writeTime } from '../../shared/domain/text/write-locale.ts';

export type Formats = ReturnType<typeof createFormats>;

const units = {
  en: { bytes: ['B', 'KB', 'MB', 'GB', 'TB'], time: ['d', 'h', 'min', 's'], perSecond: '/s' },
  ru: { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'], time: ['дн.', 'ч', 'мин', 'с'], perSecond: '/с' },
  uz: { bytes: ['B', 'KB', 'MB', 'GB', 'TB'], time: ['kun', 'soat', 'daq.', 's'], perSecond: '/s' },
  'uz-Cyrl': { bytes: ['Б', 'КБ', 'МБ', 'ГБ', 'ТБ'], time: ['кун', 'соат', 'дақ.', 'с'], perSecond: '/с' },
} as const satisfies Record<InterfaceLanguage, unknown>;

const nbsp = '\u00a0';
const unbrokenHyphen = '\u2011';

const two = (value: number): string => String(value).padStart(2, '0');

function unitIndex(sizeBytes: number): number {
  let index = 0;
  for (let rest = sizeBytes; rest >= 999.5 && index < 4; rest /= 1000) index += 1;
  return index;
}

export function createFormats(language: InterfaceLanguage) {
  const locale = numberLocales[language];
  const unit = units[language];
  const plain = numberWriter(locale, 1);
  const whole = numberWriter(locale, 0);
  const decimalSign: '.' | ',' = plain(0.5).charAt(1) === ',' ? ',' : '.';

  const scaled = (sizeBytes: number, index: number): string => {
    const value = sizeBytes / 1000 ** index;
    return index > 0 && value < 10 ? plain(value) : whole(value);
  };
  const bytes = (sizeBytes: number): string => {
    const index = unitIndex(sizeBytes);
    return `${scaled(sizeBytes, index)}${nbsp}${unit.bytes[index]}`;
  };

  const date = (atMs: number): string =>
    writeDate(atMs, language).replaceAll(' ', nbsp).replaceAll('-', unbrokenHyphen);
  const time = (atMs: number): string => writeTime(atMs, language);
  const timeWithSeconds = (atMs: number): string => `${time(atMs)}:${two(new Date(atMs).getSeconds())}`;
  const day = (atMs: number): string => date(atMs).replace(/^\d{4}\u2011\p{L}+\s|,?\s\d{4}(?:\sг\.)?$/u, '');

  const credits = (amount: number | string, round: (value: number) => number): string => {
    const value = Number(amount);
    // The service counts in hundred-millionths of a credit.
    const decimals = value > 0 && value < 1 ? Math.min(8, 1 - Math.floor(Math.log10(value))) : 1;
    const unit = 10 ** decimals;
    const rounded = round(Number((value * unit).toPrecision(12))) / unit;
    return rounded < 1 ? fixed(rounded, decimals).replace(/\D?0+$/u, '') : plain(rounded);
  };

  const fixed = (value: number, decimals: number): string => value.toFixed(decimals).replace('.', decimalSign);
  const atMost = (value: number, decimals: number): string => fixed(value, decimals).replace(/\D?0+$/u, '');

  /** Two units at most: 3 h 56 min · 1 min 12 s */
  const duration = (durationMs: number): string => {
    const seconds = wholeSeconds(durationMs);
    const counts = [
      Math.floor(seconds / 86_400),
      Math.floor(seconds / 3600) % 24,
      Math.floor(seconds / 60) % 60,
      seconds % 60,
    ];
    const first = counts.findIndex((count) => count > 0);
    if (first === -1) return `0${nbsp}${unit.time[3]}`;
    return counts
      .map((count, index) => ({ count, name: unit.time[index] }))
      .slice(first, first + 2)
      .filter((part) => part.count > 0)
      .map((part) => `${whole(part.count)}${nbsp}${part.name}`)
      .join(' ');
  };

  return {
    decimalSign,
    number: plain,
    /** Below one credit with two figures, because a cost is never nothing: 4,218.5 · 12 · 0.0042 */
    credits: (amount: number | string) => credits(amount, Math.round),
    creditsAtMost: (amount: number | string) => credits(amount, Math.ceil),
    /** For values that must not jump while they change: 12.0 · 12,0 */
    fixed,
    timeCode: (ms: number) => timeCode(ms).replace('.', decimalSign),
    /** As it is typed, without spaces: 0.833 · 7 · 1250 */
    exact: (value: number) => atMost(value, 3),
    factor: (value: number) => atMost(value, 2),
    /** Rounded down so that 100% means finished. */
    percent: (fraction: number) => `${whole(Math.floor(Math.min(1, Math.max(0, fraction)) * 100))}%`,
    /** Decimal units as file managers show them: 118 MB */
    bytes,
    /** In the unit of the larger one, for "118 of 184 MB": `['118', '184 MB']` */
    bytesOf: (partBytes: number, totalBytes: number): readonly [string, string] => [
      scaled(partBytes, unitIndex(totalBytes)),
      bytes(totalBytes),
    ],
    bytesPerSecond: (rate: number) => `${bytes(rate)}${unit.perSecond}`,
    duration,
    /** For an estimate, accurate to a minute at best. */
    roughDuration: (ms: number) => {
      const step = ms >= 90_000 ? 60_000 : 10_000;
      return duration(Math.max(step, Math.round(ms / step) * step));
    },
    /** The same in every language: 47:12 · 1:32:40 */
    clock: lengthClock,
    /** Without line breaks: 20 Nov 2026 · 20 нояб. 2026 г. · 2026-yil 20-noyabr */
    date,
    time,
    day,
    timeWithSeconds,
    /** Today's time, a day of this year with its time, otherwise the date: 14:02 · 20 Nov 14:02 */
    moment: (atMs: number, nowMs: number, hasSecondsToday = false) => {
      const [at, now] = [new Date(atMs), new Date(nowMs)];
      if (at.toDateString() === now.toDateString()) return hasSecondsToday ? timeWithSeconds(atMs) : time(atMs);
      if (at.getFullYear() !== now.getFullYear()) return date(atMs);
      return `${day(atMs)}${nbsp}${time(atMs)}`;
    },
    list: (items: readonly string[]) => writeList(items, language),
  };
}
