import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { numberWriter, writeDate } from './write-locale.ts';

it('a date of Uzbek, which no browser knows, is in Uzbek', () => {
  const at = new Date(2026, 10, 20, 9, 5).getTime();
  expect([writeDate(at, 'uz'), writeDate(at, 'uz-Cyrl')]).toEqual(['2026-yil 20-noyabr', '2026-йил 20-ноябрь']);
});

it.each(['ru-RU', 'en-GB', 'de-DE'])('writes numbers of %s with no decimals or one as Intl does', (locale) => {
  const values = fc.oneof(
    fc.integer({ min: -2000, max: 2000 }),
    fc.integer({ min: 0, max: 120_000 }).map((hundredths) => hundredths / 100),
    fc.double({ min: 0, max: 1200 }),
    fc.constantFrom(0, 0.05, 0.25, 0.95, 1.45, 8.35, 999.4, 999.5, 999.94, 999.95, 1000, 1e21, 5e-324, Infinity),
  );
  forAllIn(1000, values, fc.constantFrom(0 as const, 1 as const), (value, decimals) => {
    const known = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
    expect(numberWriter(locale, decimals)(value)).toBe(known.format(value));
  });
});
