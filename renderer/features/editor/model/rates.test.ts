import { expect, it } from 'vitest';
import { fasterThan, rates, slowerThan } from './rates.ts';

it('the keys step through every speed of the menu and stay at its ends', () => {
  expect(rates.map((rate) => fasterThan(rate))).toEqual([...rates.slice(1), 3]);
  expect(rates.map((rate) => slowerThan(rate))).toEqual([0.25, ...rates.slice(0, -1)]);
});

it('from a speed of an older version, which no menu offers, a step leads to one that it offers', () => {
  expect(fasterThan(1.375)).toBe(1.5);
  expect(slowerThan(1.375)).toBe(1.25);
});
