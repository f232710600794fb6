import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { byRank, moveBefore, type Ranked } from './rank.ts';

const rows = fc
  .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
  .chain((ids) =>
    fc
      .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: ids.length, maxLength: ids.length })
      .map((ranks) => ids.map((id, at): Ranked => ({ id: `row-${String(id)}`, rank: ranks[at] ?? 0 }))),
  );

const orderOf = (list: readonly Ranked[]) => list.toSorted(byRank).map(({ id }) => id);
const taken = (list: readonly Ranked[], ranks: readonly Ranked[]) => {
  const next = new Map(ranks.map(({ id, rank }) => [id, rank]));
  return list.map(({ id, rank }) => ({ id, rank: next.get(id) ?? rank }));
};

describe('moving rows', () => {
  it('puts exactly the moved ones, in their order, right before the target; all others keep theirs', () => {
    forAll(rows, fc.infiniteStream(fc.boolean()), fc.nat(20), (list, coins, at) => {
      const moved = new Set(list.flatMap(({ id }) => (coins.next().value ? [id] : [])));
      const before = orderOf(list);
      const target = before[at] ?? null;
      const after = orderOf(taken(list, moveBefore(list, moved, target)));
      const cut = target === null ? before.length : before.indexOf(target);
      const stays = (id: string) => !moved.has(id);
      expect(after).toEqual([
        ...before.slice(0, cut).filter(stays),
        ...before.filter((id) => moved.has(id)),
        ...before.slice(cut).filter(stays),
      ]);
    });
  });

  it('a thousand moves to the same place never lose the order, though numbers between two get used up', () => {
    let list: readonly Ranked[] = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, rank: at + 1 }));
    for (let turn = 0; turn < 1000; turn += 1) {
      const last = orderOf(list).at(-2) ?? '';
      list = taken(list, moveBefore(list, new Set([last]), orderOf(list)[1] ?? null));
      expect(new Set(list.map(({ rank }) => rank)).size).toBe(4);
    }
    expect(orderOf(list)[0]).toBe('a');
    expect(orderOf(list)[3]).toBe('d');
  });
});
