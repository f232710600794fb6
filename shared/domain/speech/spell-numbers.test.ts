import { expect, it } from 'vitest';
import { countOf } from './spell-numbers.ts';

it('a Russian noun after a number has the form of the whole number, not of its last digit', () => {
  const rouble = {
    uz: 'rubl',
    en: ['rouble', 'roubles'],
    ru: ['рубль', 'рубля', 'рублей'],
    gender: 'masculine',
  } as const;
  const form = (number: string) => countOf(number, 'ru', rouble).split(' ').at(-1);
  const forms = ['1', '2', '5', '11', '12', '21', '111', '1 001'].map((number) => form(number));
  expect(forms.join(' ')).toBe('рубль рубля рублей рублей рублей рубль рублей рубль');
});
