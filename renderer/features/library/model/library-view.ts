import { refKey, type LibraryItem, type LibraryKind } from '../../../../shared/domain/library/library-item.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';

export type ListedItem = LibraryItem & { readonly folderId: string | null };

/** What of the library is shown. Empty sets and null stand for everything. */
export interface LibraryFilter {
  /** `trash`: what is there, and nothing else. `none`: what is in no folder. Otherwise the id of a folder. */
  readonly place: 'all' | 'none' | 'trash' | (string & {});
  readonly kinds: ReadonlySet<LibraryKind>;
  readonly languages: ReadonlySet<SpeechLanguage>;
  readonly speaker: string | null;
  /** Made in the last so many days. */
  readonly days: number | null;
}

export const everything: LibraryFilter = {
  place: 'all',
  kinds: new Set(),
  languages: new Set(),
  speaker: null,
  days: null,
};

const dayMs = 86_400_000;
export const dayChoices = [7, 30, 365] as const;

const isInPlace = ({ trashedAtMs, folderId }: ListedItem, place: LibraryFilter['place']): boolean => {
  if (place === 'trash') return trashedAtMs !== null;
  if (trashedAtMs !== null) return false;
  return place === 'all' || (place === 'none' ? folderId === null : folderId === place);
};

/** The part of a filter that can be turned off alone. */
export type FilterPart = 'place' | 'kinds' | 'languages' | 'speaker' | 'days';

/** What is set of a filter; the trash is a place to be in and not a filter. */
export const activeParts = (filter: LibraryFilter): readonly FilterPart[] => [
  ...(filter.place === 'all' || filter.place === 'trash' ? [] : (['place'] as const)),
  ...(filter.kinds.size > 0 ? (['kinds'] as const) : []),
  ...(filter.languages.size > 0 ? (['languages'] as const) : []),
  ...(filter.speaker === null ? [] : (['speaker'] as const)),
  ...(filter.days === null ? [] : (['days'] as const)),
];

export const without = (filter: LibraryFilter, part: FilterPart): LibraryFilter => ({
  ...filter,
  [part]: everything[part],
});

export function filterItems(items: readonly ListedItem[], filter: LibraryFilter, nowMs: number): readonly ListedItem[] {
  const { place, kinds, languages, speaker, days } = filter;
  return items.filter(
    (item) =>
      isInPlace(item, place) &&
      (kinds.size === 0 || kinds.has(item.kind)) &&
      (languages.size === 0 || (item.language !== null && languages.has(item.language))) &&
      (speaker === null || item.speakers.includes(speaker)) &&
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
