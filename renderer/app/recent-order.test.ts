import { expect, it } from 'vitest';
import { byLastUse } from './recent-order.ts';

const text = (id: string, createdAtMs: number, openedAtMs: number | null = null) => ({ id, createdAtMs, openedAtMs });

it('transcripts are listed by when they were last opened, one that never was by when it was made', () => {
  const all = [text('imported', 50), text('never', 10), text('old', 1, 40), text('older', 2, 30)];
  expect(byLastUse(all, new Map()).map(({ id }) => id)).toEqual(['imported', 'old', 'older', 'never']);
});

it('an opening counts in a list that was asked for before it and comes later', () => {
  const all = [text('imported', 50), text('never', 10), text('old', 1, 40)];
  expect(byLastUse(all, new Map([['never', 60]])).map(({ id }) => id)).toEqual(['never', 'imported', 'old']);
});
