import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFormats } from './formats.ts';

const en = createFormats('en');
const ru = createFormats('ru');
const uz = createFormats('uz');
const uzCyrillic = createFormats('uz-Cyrl');
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/gu, ' ').replaceAll('\u2011', '-');

describe('formats', () => {
  it('write dates and numbers as each language does', () => {
    const at = new Date(2026, 10, 20, 9, 5).getTime();
    expect([en, ru, uz].map((formats) => plain(formats.date(at)))).toEqual([
      '20 Nov 2026',
      '20 нояб. 2026 г.',
      '2026-yil 20-noyabr',
    ]);
    expect([en, ru, uz].map((formats) => plain(formats.number(4218.5)))).toEqual(['4,218.5', '4 218,5', '4 218,5']);
    expect([1, 1.05, 1.1, 20].map((value) => en.factor(value))).toEqual(['1', '1.05', '1.1', '20']);
    expect([en, ru, uz].map((formats) => formats.fixed(19, 1))).toEqual(['19.0', '19,0', '19,0']);
    expect(plain(uzCyrillic.date(at))).toBe('2026-йил 20-ноябрь');
    expect(plain(uzCyrillic.number(4218.5))).toBe('4 218,5');
    expect([en, ru, uz].map((formats) => formats.time(at))).toEqual(['09:05', '09:05', '09:05']);
  });

  it('never write a cost as nothing, nor an upper bound below what it is', () => {
    const costs = ['0', '0.00000001', '0.0042', '0.04', '0.6', '1', '12.34', '4218.5'];
    expect(costs.map((cost) => en.credits(cost))).toEqual([
      '0',
      '0.00000001',
      '0.0042',
      '0.04',
      '0.6',
      '1',
      '12.3',
      '4,218.5',
    ]);
    expect(uz.credits('0.0042')).toBe('0,0042');
    expect(['0.0421', '0.996', '1.8192', '9.9'].map((cost) => en.creditsAtMost(cost))).toEqual([
      '0.043',
      '1',
      '1.9',
      '9.9',
    ]);
  });

  it('name sizes in the unit that keeps them short', () => {
    expect([0, 900, 999_499, 1_000_000, 2_100_000, 184_000_000, 5e12].map((size) => plain(en.bytes(size)))).toEqual([
      '0 B',
      '900 B',
      '999 KB',
      '1 MB',
      '2.1 MB',
      '184 MB',
      '5 TB',
    ]);
    expect([ru, uzCyrillic].map((formats) => plain(formats.bytes(2_100_000)))).toEqual(['2,1 МБ', '2,1 МБ']);
    expect(en.bytesOf(118_000_000, 184_000_000).map(plain)).toEqual(['118', '184 MB']);
    expect(plain(en.bytesPerSecond(2_100_000))).toBe('2.1 MB/s');
  });

  it('write lengths in two units at most', () => {
    const lengths = [0, 31_000, 72_000, 14_160_000, 3_600_000, 90_061_000];
    expect(lengths.map((length) => plain(en.duration(length)))).toEqual([
      '0 s',
      '31 s',
      '1 min 12 s',
      '3 h 56 min',
      '1 h',
      '1 d 1 h',
    ]);
    expect(plain(uz.duration(72_000))).toBe('1 daq. 12 s');
    expect(plain(uzCyrillic.duration(72_000))).toBe('1 дақ. 12 с');
    expect(plain(ru.duration(14_160_000))).toBe('3 ч 56 мин');
  });

  it('write clocks the same in every language', () => {
    for (const formats of [en, ru, uz, uzCyrillic]) {
      expect(formats.clock(2_832_000)).toBe('47:12');
      expect(formats.clock(5_560_000)).toBe('1:32:40');
    }
  });

  it('say 100% only when everything is done', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
        expect(en.percent(fraction) === '100%').toBe(fraction === 1);
      }),
    );
    expect(en.percent(-1)).toBe('0%');
    expect(en.percent(7)).toBe('100%');
  });
});

it.each([
  ['en', '14:02', '19 Nov 14:02', '20 Nov 2025'],
  ['ru', '14:02', '19 нояб. 14:02', '20 нояб. 2025 г.'],
  ['uz', '14:02', '19‑noyabr 14:02', '2025‑yil 20‑noyabr'],
] as const)('a moment in a list is as short as possible: %s', (language, today, thisYear, before) => {
  const formats = createFormats(language);
  const now = new Date(2026, 10, 20, 18).getTime();
  const said = [new Date(2026, 10, 20, 14, 2), new Date(2026, 10, 19, 14, 2), new Date(2025, 10, 20, 14, 2)].map((at) =>
    formats.moment(at.getTime(), now).replaceAll('\u00a0', ' '),
  );
  expect(said).toEqual([today, thisYear, before]);
});
