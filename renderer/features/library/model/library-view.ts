import {
  refKey,
  withFoldersBelow,
  type ItemState,
  type LibraryFolder,
  type LibraryItem,
  type LibraryKind,
} from '../../../../shared/domain/library/library-item.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';

export type ListedItem = LibraryItem & { readonly folderId: string | null };

/** What of the library is shown. Empty sets and null stand for everything. */
export interface LibraryFilter {
  /** `trash`: what is there, and nothing else. `none`: what is in no folder. Otherwise the id of a folder. */
  readonly place: 'all' | 'none' | 'trash' | (string & {});
  readonly kinds: ReadonlySet<LibraryKind>;
  readonly languages: ReadonlySet<SpeechLanguage>;
  readonly speakers: ReadonlySet<string>;
  readonly states: ReadonlySet<ItemState>;
  /** Made in the last so many days. */
  readonly days: number | null;
}

export const everything: LibraryFilter = {
  place: 'all',
  kinds: new Set(),
  languages: new Set(),
  speakers: new Set(),
  states: new Set(),
  days: null,
};

const dayMs = 86_400_000;
export const dayChoices = [7, 30, 365] as const;

/** Whether things are where the filter looks; a folder holds what is in the folders below it too. */
function placeTest(place: LibraryFilter['place'], folders: readonly LibraryFolder[]): (item: ListedItem) => boolean {
  if (place === 'trash') return ({ trashedAtMs }) => trashedAtMs !== null;
  if (place === 'all') return ({ trashedAtMs }) => trashedAtMs === null;
  if (place === 'none') return ({ trashedAtMs, folderId }) => trashedAtMs === null && folderId === null;
  const inside = withFoldersBelow(folders, place);
  return ({ trashedAtMs, folderId }) => trashedAtMs === null && folderId !== null && inside.has(folderId);
}

/** The part of a filter that can be turned off alone. */
export type FilterPart = 'place' | 'kinds' | 'states' | 'languages' | 'speakers' | 'days';

/** What is set of a filter; the trash is a place to be in and not a filter. */
export const activeParts = (filter: LibraryFilter): readonly FilterPart[] => [
  ...(filter.place === 'all' || filter.place === 'trash' ? [] : (['place'] as const)),
  ...(filter.kinds.size > 0 ? (['kinds'] as const) : []),
  ...(filter.states.size > 0 ? (['states'] as const) : []),
  ...(filter.languages.size > 0 ? (['languages'] as const) : []),
  ...(filter.speakers.size > 0 ? (['speakers'] as const) : []),
  ...(filter.days === null ? [] : (['days'] as const)),
];

export const without = (filter: LibraryFilter, part: FilterPart): LibraryFilter => ({
  ...filter,
  [part]: everything[part],
});

/** The items that pass every part of the filter. */
export function filterItems(
  items: readonly ListedItem[],
  filter: LibraryFilter,
  folders: readonly LibraryFolder[],
  nowMs: number,
): readonly ListedItem[] {
  const { place, kinds, states, languages, speakers, days } = filter;
  const isInPlace = placeTest(place, folders);
  return items.filter(
    (item) =>
      isInPlace(item) &&
      (kinds.size === 0 || kinds.has(item.kind)) &&
      (states.size === 0 || item.states.some((state) => states.has(state))) &&
      (languages.size === 0 || (item.language !== null && languages.has(item.language))) &&
      (speakers.size === 0 || item.speakers.some((name) => name !== null && speakers.has(name))) &&
      (days === null || item.createdAtMs > nowMs - days * dayMs),
  );
}

/** How many there are of each value, the most frequent first. */
export function countBy<T>(items: readonly ListedItem[], valuesOf: (item: ListedItem) => Iterable<T>) {
  const counts = new Map<T, number>();
  for (const item of items)
    for (const value of new Set(valuesOf(item))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((one, other) => other[1] - one[1]);
}

export type LibraryRow =
  | { readonly type: 'day'; readonly id: string; readonly atMs: number; readonly items: readonly ListedItem[] }
  | { readonly type: 'item'; readonly id: string; readonly item: ListedItem };

const dayOf = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);

/** The items with a row before each day. In the trash the day is that of deleting. */
export function toRows(items: readonly ListedItem[]): readonly LibraryRow[] {
  const atOf = (item: ListedItem) => item.trashedAtMs ?? item.createdAtMs;
  const days = Map.groupBy(
    items.toSorted((one, other) => atOf(other) - atOf(one)),
    (item) => dayOf(atOf(item)),
  );
  return [...days].flatMap(([atMs, ofDay]): LibraryRow[] => [
    { type: 'day', id: `day:${String(atMs)}`, atMs, items: ofDay },
    ...ofDay.map((item) => ({ type: 'item' as const, id: refKey(item), item })),
  ]);
}

/** Whole days between a day and today; 0 for today. */
export const daysAgo = (atMs: number, nowMs: number): number => Math.round((dayOf(nowMs) - dayOf(atMs)) / dayMs);

/** The ids of items among those of rows; that of a day stands for all of its items. */
export function selectedItems(rows: readonly LibraryRow[], ids: ReadonlySet<string>): readonly ListedItem[] {
  const items = rows.flatMap((row) =>
    row.type === 'day' ? (ids.has(row.id) ? row.items : []) : ids.has(row.id) ? [row.item] : [],
  );
  return [...new Set(items)];
}

/** Folders in the order of their names, each followed by those in it, with how deep it lies. */
export function folderTree(
  folders: readonly LibraryFolder[],
  parentId: string | null = null,
  depth = 0,
): readonly { readonly folder: LibraryFolder; readonly depth: number }[] {
  return folders
    .filter((folder) => folder.parentId === parentId)
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap((folder) => [{ folder, depth }, ...folderTree(folders, folder.id, depth + 1)]);
}

/** The items, with those marked whose recording is not where it was. */
export function withMissing(items: readonly ListedItem[], missing: readonly { readonly id: string }[]) {
  if (missing.length === 0) return items;
  const ids = new Set(missing.map(({ id }) => id));
  return items.map((item): ListedItem =>
    item.kind === 'transcript' && ids.has(item.id) ? { ...item, states: [...item.states, 'no-audio'] } : item,
  );
}
