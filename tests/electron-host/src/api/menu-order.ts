/** The items of a template in the order in which Electron's menu has them: docs/api/menu.md, "Menu item position". */
interface Positioned {
  readonly id?: string;
  readonly type?: string;
  readonly visible?: boolean;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly beforeGroupContaining?: readonly string[];
  readonly afterGroupContaining?: readonly string[];
}
type Place = 'before' | 'after' | 'beforeGroupContaining' | 'afterGroupContaining';
const places: readonly Place[] = ['before', 'after', 'beforeGroupContaining', 'afterGroupContaining'];

const idsOf = (item: object, place: Place): readonly string[] =>
  place in item ? ((item as Positioned)[place] ?? []) : [];
const idOf = (item: object): string | undefined => ('id' in item ? (item as Positioned).id : undefined);
const isSeparator = (item: object): boolean => (item as Positioned).type === 'separator';
const isDivider = (item: object): boolean =>
  isSeparator(item) && !places.some((place) => place in item && (item as Positioned)[place]);

/** The indices up to `count`, each after those that must precede it; what contradicts an earlier rule is ignored. */
function sorted(count: number, precede: ReadonlyMap<number, readonly number[]>): number[] {
  const order = new Set<number>();
  const entered = new Set<number>();
  const visit = (index: number) => {
    if (entered.has(index)) return;
    entered.add(index);
    for (const earlier of precede.get(index) ?? []) visit(earlier);
    order.add(index);
  };
  for (let index = 0; index < count; index += 1) visit(index);
  return [...order];
}

class Precedence extends Map<number, number[]> {
  put(earlier: number, later: number): void {
    this.set(later, [...(this.get(later) ?? []), earlier]);
  }
}

/** The index of another group than `own` that has an item with this id; -1 without one. */
const groupWith = (groups: readonly object[][], id: string, own: readonly object[]): number =>
  groups.findIndex((group) => group !== own && group.some((item) => idOf(item) === id));

/** Moves a group to the first one that an item of it refers to; false when no group has to move. */
function mergeOne(groups: object[][]): boolean {
  for (const [at, group] of groups.entries()) {
    for (const id of group.flatMap((item) => [...idsOf(item, 'before'), ...idsOf(item, 'after')])) {
      const target = groups[groupWith(groups, id, group)];
      if (target === undefined) continue;
      target.push(...group);
      groups.splice(at, 1);
      return true;
    }
  }
  return false;
}

function sortGroup(group: readonly object[]): object[] {
  const rules = new Precedence();
  // Of those with the same id the last counts.
  const at = new Map(group.map((item, index) => [idOf(item), index]));
  for (const [index, item] of group.entries()) {
    for (const id of idsOf(item, 'before')) if (at.has(id)) rules.put(index, at.get(id) ?? 0);
    for (const id of idsOf(item, 'after')) if (at.has(id)) rules.put(at.get(id) ?? 0, index);
  }
  return sorted(group.length, rules).flatMap((index) => group[index] ?? []);
}

function sortGroups(groups: readonly object[][]): object[][] {
  const rules = new Precedence();
  for (const [index, group] of groups.entries()) {
    const wishes = group.flatMap((item) => [
      ...idsOf(item, 'beforeGroupContaining').map((id) => ({ id, isBefore: true })),
      ...idsOf(item, 'afterGroupContaining').map((id) => ({ id, isBefore: false })),
    ]);
    // Only the first wish that can be met counts.
    const wish = wishes.find(({ id }) => groupWith(groups, id, group) >= 0);
    if (wish === undefined) continue;
    const other = groupWith(groups, wish.id, group);
    if (wish.isBefore) rules.put(index, other);
    else rules.put(other, index);
  }
  return sorted(groups.length, rules).flatMap((index) => [groups[index] ?? []]);
}

/** The groups between separators are moved, merged and sorted as their items ask. */
export function inOrder<T extends object>(items: readonly T[]): T[] {
  const dividers = items.filter(isDivider);
  const groups: object[][] = [[]];
  for (const item of items) {
    if (!isDivider(item)) groups.at(-1)?.push(item);
    else if (groups.at(-1)?.length !== 0) groups.push([]);
  }
  if (groups.at(-1)?.length === 0) groups.pop();
  while (mergeOne(groups));
  const ordered = sortGroups(groups.map(sortGroup));
  return ordered.flatMap((group, index) =>
    index === 0 ? group : [dividers.shift() ?? { type: 'separator' }, ...group],
  ) as T[];
}

/** Without separators that follow one another, or begin or end the menu; hidden items stay where they are. */
export function withoutSpareSeparators<T extends object>(items: readonly T[]): T[] {
  const isShown = (item: T) => (item as Positioned).visible !== false;
  return items
    .filter((item, at, all) => !isShown(item) || !isSeparator(item) || at === 0 || !isSeparator(all[at - 1] ?? {}))
    .filter((item, at, all) => !isShown(item) || !isSeparator(item) || (at !== 0 && at !== all.length - 1));
}
