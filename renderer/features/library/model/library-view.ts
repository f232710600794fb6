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

export type ListedItem = LibraryItem & Filed & { readonly isUntitled?: true };

/** What of the library is shown. Empty sets and null mean no restriction. */
export interface LibraryFilter {
  /** `trash` shows only deleted items, `none` shows items in no folder; anything else is the id of a folder. */
  readonly place: 'all' | 'none' | 'trash' | (string & {});
  readonly tags: ReadonlySet<string>;
  readonly kinds: ReadonlySet<LibraryKind>;
  readonly languages: ReadonlySet<SpeechLanguage>;
  readonly speakers: ReadonlySet<string>;
  readonly states: ReadonlySet<ItemState>;
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

function placeTest(place: LibraryFilter['place'], folders: readonly LibraryFolder[]): (item: ListedItem) => boolean {
  if (place === 'trash') return ({ trashedAtMs }) => trashedAtMs !== null;
  if (place === 'all') return ({ trashedAtMs }) => trashedAtMs === null;
  if (place === 'none') return ({ trashedAtMs, folderId }) => trashedAtMs === null && folderId === null;
  const inside = withFoldersBelow(folders, place);
  return ({ trashedAtMs, folderId }) => trashedAtMs === null && folderId !== null && inside.has(folderId);
}

export type FilterPart = 'place' | 'tags' | 'kinds' | 'states' | 'languages' | 'speakers' | 'days';

/** The active parts of a filter. The trash is a place of its own and does not count as a filter. */
export const activeParts = (filter: LibraryFilter): readonly FilterPart[] =>
  (['place', 'tags', 'kinds', 'states', 'languages', 'speakers', 'days'] as const).filter((part) =>
    part === 'place'
      ? filter.place !== 'all' && filter.place !== 'trash'
      : part === 'days'
        ? filter.days !== null
        : filter[part].size > 0,
  );

export const without = (filter: LibraryFilter, part: FilterPart): LibraryFilter => ({
  ...filter,
  [part]: everything[part],
});

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

/** In the trash, an item's date is when it was deleted. */
const atOf = (item: ListedItem): number => item.trashedAtMs ?? item.createdAtMs;

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

export const selectedItems = (items: readonly ListedItem[], ids: ReadonlySet<string>): readonly ListedItem[] =>
  items.filter((item) => ids.has(refKey(item)));

/** A day heading is selected only while all its items are: actions never affect what does not look selected. */
export function nextSelection(
  rows: readonly LibraryRow[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  const days = rows.filter((row) => row.type === 'day');
  const next = new Set([...after].filter((id) => !days.some((day) => day.id === id)));
  // A range may span day headings without selecting them.
  const [changed, ...others] = [...before, ...after].filter((id) => before.has(id) !== after.has(id));
  const pressed = others.length === 0 ? days.find(({ id }) => id === changed) : undefined;
  for (const item of pressed?.items ?? []) {
    if (after.has(changed ?? '')) next.add(refKey(item));
    else next.delete(refKey(item));
  }
  return withDays(rows, next);
}

export function withDays(rows: readonly LibraryRow[], ids: ReadonlySet<string>): ReadonlySet<string> {
  const days = rows.filter((row) => row.type === 'day');
  if (ids.size === 0 || days.length === 0) return ids;
  const whole = days.filter(({ items }) => items.every((item) => ids.has(refKey(item)))).map(({ id }) => id);
  return new Set([...[...ids].filter((id) => !id.startsWith(dayPrefix)), ...whole]);
}

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
