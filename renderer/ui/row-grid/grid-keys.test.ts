import { expect, it } from 'vitest';
import { rowForKey, rowForTyped, rowsBetween, type GridKey } from './grid-keys.ts';

const press = (key: string, change: Partial<GridKey> = {}): GridKey => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...change,
});

it('arrows stop at the ends, a page keeps one row of the previous page visible', () => {
  expect(rowForKey(press('ArrowDown'), 999, 1000, 8)).toBe(999);
  expect(rowForKey(press('ArrowUp'), 0, 1000, 8)).toBe(0);
  expect(rowForKey(press('PageDown'), 10, 1000, 8)).toBe(17);
  expect(rowForKey(press('PageUp'), 3, 1000, 8)).toBe(0);
  expect(rowForKey(press('PageDown'), 0, 1000, 1)).toBe(1);
});

it('the ends are one key away, with or without Control', () => {
  expect(rowForKey(press('End'), 5, 1000, 8)).toBe(999);
  expect(rowForKey(press('Home', { ctrlKey: true }), 5, 1000, 8)).toBe(0);
});

it('keys with Alt, arrows with Control and any key in an empty list are not handled', () => {
  expect(rowForKey(press('ArrowDown', { altKey: true }), 5, 1000, 8)).toBeNull();
  expect(rowForKey(press('ArrowDown', { ctrlKey: true }), 5, 1000, 8)).toBeNull();
  expect(rowForKey(press('End'), 0, 0, 8)).toBeNull();
});

it('typing finds the next row with that beginning, and wraps around', () => {
  const labels = ['Andijon', 'buxoro', 'Buvayda', 'Andijon 2'];
  expect(rowForTyped(labels, 'a', 0)).toBe(3);
  expect(rowForTyped(labels, 'a', 3)).toBe(0);
  expect(rowForTyped(labels, 'BUV', 1)).toBe(2);
  expect(rowForTyped(labels, 'bu', 1)).toBe(1);
  expect(rowForTyped(labels, 'x', 1)).toBeNull();
});

it('rows between two rows are the same from either end', () => {
  const rows = ['a', 'b', 'c', 'd'];
  expect(rowsBetween(rows, 3, 1)).toEqual(['b', 'c', 'd']);
  expect(rowsBetween(rows, 1, 3)).toEqual(['b', 'c', 'd']);
});
