import {
  refKey,
  withFoldersBelow,
  type Filed,
  type ItemState,
  type LibraryFolder,
  type LibraryItem,
  type LibraryKind,
  type LibraryTag,
} from '../../../../shared/domain/library/library-item.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';

export type ListedItem = LibraryItem & Filed;

/** What of the library is shown. Empty sets and null stand for everything. */
export interface LibraryFilter {
  /** `trash`: what is there, and nothing else. `none`: what is in no folder. Otherwise the id of a folder. */
  readonly place: 'all' | 'none' | 'trash' | (string & {});
  /** Ids; one of them is enough. */
  readonly tags: ReadonlySet<string>;
  readonly kinds: ReadonlySet<LibraryKind>;
  readonly languages: ReadonlySet<SpeechLanguage>;
  readonly speakers: ReadonlySet<string>;
  readonly states: ReadonlySet<ItemState>;
  /** Made in the last so many days. */
  readonly days: number | null;
}

export const everything: LibraryFilter = {
  place: 'all',
  tags: new Set(),
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
export type FilterPart = 'place' | 'tags' | 'kinds' | 'states' | 'languages' | 'speakers' | 'days';

/** What is set of a filter; the trash is a place to be in and not a filter. */
export const activeParts = (filter: LibraryFilter): readonly FilterPart[] => [
  ...(filter.place === 'all' || filter.place === 'trash' ? [] : (['place'] as const)),
  ...(filter.tags.size > 0 ? (['tags'] as const) : []),
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

/** The filter without a folder and tags that are not there any more. */
export function withoutGone(
  filter: LibraryFilter,
  folders: readonly LibraryFolder[],
  tags: readonly LibraryTag[],
): LibraryFilter {
  const isPlace = ['all', 'none', 'trash'].includes(filter.place) || folders.some(({ id }) => id === filter.place);
  const known = tags.filter(({ id }) => filter.tags.has(id)).map(({ id }) => id);
  if (isPlace && known.length === filter.tags.size) return filter;
  return { ...filter, place: isPlace ? filter.place : 'all', tags: new Set(known) };
}

/** The items that pass every part of the filter. */
export function filterItems(
  items: readonly ListedItem[],
  filter: LibraryFilter,
  folders: readonly LibraryFolder[],
  nowMs: number,
): readonly ListedItem[] {
  const { place, tags, kinds, states, languages, speakers, days } = filter;
  const isInPlace = placeTest(place, folders);
  return items.filter(
    (item) =>
      isInPlace(item) &&
      (tags.size === 0 || item.tagIds.some((id) => tags.has(id))) &&
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

const dayPrefix = 'day:';
const dayOf = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);

/** In the trash, when it was put there. */
const atOf = (item: ListedItem): number => item.trashedAtMs ?? item.createdAtMs;

/** How the list can be put in order; by time it has a row before each day. */
export const librarySorts = ['newest', 'oldest', 'title', 'longest', 'largest'] as const;
export type LibrarySort = (typeof librarySorts)[number];

const compare: Readonly<Record<LibrarySort, (one: ListedItem, other: ListedItem) => number>> = {
  newest: (one, other) => atOf(other) - atOf(one),
  oldest: (one, other) => atOf(one) - atOf(other),
  title: (one, other) => one.title.localeCompare(other.title, undefined, { numeric: true }),
  longest: (one, other) => (other.durationMs ?? -1) - (one.durationMs ?? -1),
  largest: (one, other) => (other.sizeBytes ?? -1) - (one.sizeBytes ?? -1),
};
export const sortItems = (items: readonly ListedItem[], sort: LibrarySort): readonly ListedItem[] =>
  items.toSorted((one, other) => compare[sort](one, other) || atOf(other) - atOf(one));

/** Rows of items that are in order, with one before each day where that order is of time. */
export function toRows(items: readonly ListedItem[], sort: LibrarySort): readonly LibraryRow[] {
  if (sort !== 'newest' && sort !== 'oldest') return items.map((item) => ({ type: 'item', id: refKey(item), item }));
  const days = Map.groupBy(items, (item) => dayOf(atOf(item)));
  return [...days].flatMap(([atMs, ofDay]): LibraryRow[] => [
    { type: 'day', id: `${dayPrefix}${String(atMs)}`, atMs, items: ofDay },
    ...ofDay.map((item) => ({ type: 'item' as const, id: refKey(item), item })),
  ]);
}

/** Whole days between a day and today; 0 for today. */
export const daysAgo = (atMs: number, nowMs: number): number => Math.round((dayOf(nowMs) - dayOf(atMs)) / dayMs);

/** The items of a selection, in the order of the list. */
export const selectedItems = (items: readonly ListedItem[], ids: ReadonlySet<string>): readonly ListedItem[] =>
  items.filter((item) => ids.has(refKey(item)));

/**
 * What is selected after a row was: a day takes all of its items along, and is selected itself only while all of them
 * are, so that nothing is acted on that does not show as selected.
 */
export function nextSelection(
  rows: readonly LibraryRow[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  const days = rows.filter((row) => row.type === 'day');
  const next = new Set([...after].filter((id) => !days.some((day) => day.id === id)));
  // A range goes over days without meaning them.
  const [changed, ...others] = [...before, ...after].filter((id) => before.has(id) !== after.has(id));
  const pressed = others.length === 0 ? days.find(({ id }) => id === changed) : undefined;
  for (const item of pressed?.items ?? []) {
    if (after.has(changed ?? '')) next.add(refKey(item));
    else next.delete(refKey(item));
  }
  return withDays(rows, next);
}

/** The selection with those days all of whose items are in it: a day that got another item is selected no more. */
export function withDays(rows: readonly LibraryRow[], ids: ReadonlySet<string>): ReadonlySet<string> {
  const days = rows.filter((row) => row.type === 'day');
  if (ids.size === 0 || days.length === 0) return ids;
  const whole = days.filter(({ items }) => items.every((item) => ids.has(refKey(item)))).map(({ id }) => id);
  return new Set([...[...ids].filter((id) => !id.startsWith(dayPrefix)), ...whole]);
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
export function withMissing(
  items: readonly ListedItem[],
  missing: readonly { readonly id: string; readonly isMoved: boolean }[],
) {
  const ids = new Set(missing.flatMap(({ id, isMoved }) => (isMoved ? id : [])));
  if (ids.size === 0) return items;
  return items.map((item): ListedItem =>
    item.kind === 'transcript' && ids.has(item.id) ? { ...item, states: [...item.states, 'no-audio'] } : item,
  );
}
