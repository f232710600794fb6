import { expect, it } from 'vitest';
import { byLastUse, tellApart } from './recent-order.ts';

const text = (id: string, createdAtMs: number, openedAtMs: number | null = null) => ({ id, createdAtMs, openedAtMs });

it('transcripts are listed by when they were last opened, one that never was by when it was made', () => {
  const all = [text('imported', 50), text('never', 10), text('old', 1, 40), text('older', 2, 30)];
  expect(byLastUse(all, new Map()).map(({ id }) => id)).toEqual(['imported', 'old', 'older', 'never']);
});

it('an opening counts in a list that was asked for before it and comes later', () => {
  const all = [text('imported', 50), text('never', 10), text('old', 1, 40)];
  expect(byLastUse(all, new Map([['never', 60]])).map(({ id }) => id)).toEqual(['never', 'imported', 'old']);
});

it('only transcripts of one title have a note: the first fact that no other of them has', () => {
  const named = (id: string, title: string, day: string, file: string) => ({ id, title, day, file });
  const all = [
    named('a', 'Suhbat', '20 Nov', 'a.mp3'),
    named('b', 'Suhbat', '21 Nov', 'b.mp3'),
    named('c', 'Suhbat', '21 Nov', 'c.mp3'),
    named('d', 'Dars', '21 Nov', 'd.mp3'),
    named('e', 'Hikoya', '1 Nov', 'e.mp3'),
    named('f', 'Hikoya', '1 Nov', 'e.mp3'),
  ];
  expect([...tellApart(all, [({ day }) => day, ({ file }) => file])]).toEqual([
    ['a', '20 Nov'],
    ['b', 'b.mp3'],
    ['c', 'c.mp3'],
    ['e', '1 Nov'],
    ['f', '1 Nov'],
  ]);
});
