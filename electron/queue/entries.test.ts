import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../tests/support/for-all.ts';
import { byRank } from '../../shared/domain/jobs/rank.ts';
import { createLine } from './entries.ts';

it('keeps the order of ranks whatever is added, moved and removed; positions count from one', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    rank: fc.integer({ min: -3, max: 3 }),
    leaves: fc.boolean(),
  });
  forAll(fc.array(step, { maxLength: 40 }), (steps) => {
    const line = createLine();
    const model = new Map<string, number>();
    for (const { id, rank, leaves } of steps) {
      if (leaves) {
        line.remove(id);
        model.delete(id);
      } else {
        line.put({ id, rank });
        model.set(id, rank);
      }
    }
    const expected = [...model].map(([id, rank]) => ({ id, rank })).toSorted(byRank);
    expect(line.first()).toEqual(expected.map(({ id }) => id));
    expect(line.size()).toBe(expected.length);
    for (const [at, { id }] of expected.entries()) expect(line.placeOf(id)).toBe(at + 1);
    expect(line.placeOf('nobody')).toBe(0);
  });
});
