import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberLocales, numberWriter, writeDate, writeList, writeTime } from './write-locale.ts';

const at = new Date(2026, 10, 20, 9, 5).getTime();

describe('text formatted by a page', () => {
  it('uses only locales that every browser has, because others fall back to English', () => {
    expect(Object.values(numberLocales).every((locale) => /^(ru|en)-/.test(locale))).toBe(true);
    expect(new Intl.NumberFormat(numberLocales.uz).format(4218.5)).toBe('4\u00a0218,5');
  });

  it('has dates, times and lists of Uzbek in Uzbek', () => {
    expect(writeDate(at, 'uz')).toBe('2026-yil 20-noyabr');
    expect(writeTime(at, 'uz')).toBe('09:05');
    expect(writeList(['a', 'b', 'c'], 'uz')).toBe('a, b va c');
    expect([writeList([], 'uz'), writeList(['a'], 'uz')]).toEqual(['', 'a']);
  });

  it('uses Cyrillic if that was chosen', () => {
    expect(writeDate(at, 'uz-Cyrl')).toBe('2026-йил 20-ноябрь');
    expect(writeList(['a', 'b', 'c'], 'uz-Cyrl')).toBe('a, b ва c');
  });

  it('follows the other two languages', () => {
    expect(writeDate(at, 'ru')).toBe('20 нояб. 2026 г.');
    expect(writeList(['a', 'b'], 'ru')).toBe('a и b');
    expect(writeDate(at, 'en')).toBe('20 Nov 2026');
    expect(writeDate(at, 'ru', 'long')).toBe('20 ноября 2026 г.');
    expect(writeDate(at, 'en', 'long')).toBe('20 November 2026');
  });
});

it.each(['ru-RU', 'en-GB', 'de-DE'])('writes numbers of %s with no decimals or one as Intl does', (locale) => {
  for (const decimals of [0, 1] as const) {
    const write = numberWriter(locale, decimals);
    const known = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
    const values = fc.oneof(
      fc.integer({ min: -2000, max: 2000 }),
      fc.integer({ min: 0, max: 120_000 }).map((hundredths) => hundredths / 100),
      fc.double({ min: 0, max: 1200 }),
      fc.constantFrom(0, 0.05, 0.25, 0.95, 1.45, 8.35, 999.4, 999.5, 999.94, 999.95, 1000, 1e21, 5e-324, Infinity),
    );
    fc.assert(
      fc.property(values, (value) => write(value) === known.format(value)),
      { numRuns: 2000 },
    );
  }
});
