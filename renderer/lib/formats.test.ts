import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../tests/support/for-all.ts';
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
    const costs = ['0', '0.00000001', '0.0042', '0.6', '12.34', '4218.5'].map((cost) => en.credits(cost));
    expect(costs).toEqual(['0', '0.00000001', '0.0042', '0.6', '12.3', '4,218.5']);
    expect(uz.credits('0.0042')).toBe('0,0042');
    const bounds = ['0.0421', '0.996', '1.8192', '9.9'].map((cost) => en.creditsAtMost(cost));
    expect(bounds).toEqual(['0.043', '1', '1.9', '9.9']);
  });

  it('say the time left in whole tens of seconds, and in whole minutes from a minute and a half', () => {
    const left = [0, 14_000, 89_000, 95_000, 372_000].map((ms) => plain(en.roughDuration(ms)));
    expect(left).toEqual(['10 s', '10 s', '1 min 30 s', '2 min', '6 min']);
  });

  it('say 100% only when everything is done', () => {
    forAll(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
      expect(en.percent(fraction) === '100%').toBe(fraction === 1);
    });
    expect(en.percent(-1)).toBe('0%');
    expect(en.percent(7)).toBe('100%');
  });
});
