import { expect, it } from 'vitest';
import { tellApart } from './tell-apart.ts';

it('of texts with one title each has the first fact that no other shares, and a title of its own needs none', () => {
  const all = [
    { id: 'a', title: 'Suhbat', language: 'uz', madeAt: '9:00' },
    { id: 'b', title: 'Suhbat', language: 'ru', madeAt: '9:00' },
    { id: 'c', title: 'Suhbat', language: 'uz', madeAt: '9:30' },
    { id: 'd', title: 'Majlis', language: 'uz', madeAt: '9:00' },
  ];
  const notes = tellApart(all, [({ language }) => language, ({ madeAt }) => madeAt]);
  expect([...notes]).toEqual([
    ['a', 'uz'],
    ['b', 'ru'],
    ['c', '9:30'],
  ]);
});
