import { expect, it } from 'vitest';
import { byLastUse } from './recent-order.ts';

const text = (id: string, createdAtMs: number, openedAtMs: number | null = null) => ({ id, createdAtMs, openedAtMs });

it('transcripts are listed by when they were last opened or else made, also since the list was asked for', () => {
  const all = [text('imported', 50), text('never', 10), text('old', 1, 40)];
  expect(byLastUse(all, new Map()).map(({ id }) => id)).toEqual(['imported', 'old', 'never']);
  expect(byLastUse(all, new Map([['never', 60]])).map(({ id }) => id)).toEqual(['never', 'imported', 'old']);
});
