import { z } from 'zod';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import {
  libraryKinds,
  refKey,
  trashDays,
  withFoldersBelow,
  type Filed,
  type ItemRef,
  type LibraryFolder,
  type LibraryItem,
  type LibraryKind,
  type LibraryTag,
} from '../../../shared/domain/library/library-item.ts';
import type { Ranges } from '../../../shared/domain/search/search-query.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { readNote } from '../library/store.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

/** An item with its text, as stored in the index. The index reads transcripts from the library by itself. */
export interface IndexedText {
  readonly kind: Exclude<LibraryKind, 'transcript'>;
  readonly id: string;
  /** A different version means that the text must be read again. */
  readonly version: string;
  readonly title: string;
  readonly moments: readonly ReadMoment[];
}

export interface ReadMoment {
  readonly startMs: number;
  readonly text: string;
}

export interface FoundItem extends ItemRef {
  readonly titleRanges: Ranges;
  readonly moments: readonly (ReadMoment & { readonly ranges: Ranges })[];
  readonly momentCount: number;
}

export interface SearchRequest {
  readonly text: string;
  readonly among: readonly string[];
  readonly mostItems: number;
  readonly isByMoments?: boolean | undefined;
}

export interface SearchAnswer {
  readonly items: readonly FoundItem[];
  readonly momentCount: number;
  readonly itemCount: number;
  /** There are more results than were counted: only recently added items were searched. */
  readonly isPartial: boolean;
  readonly nearest: { readonly text: string; readonly momentCount: number } | null;
}

export interface LibrarySearch {
  readonly sync: () => Promise<void>;
  readonly put: (texts: readonly IndexedText[]) => Promise<void>;
  readonly search: (request: SearchRequest) => Promise<Result<SearchAnswer>>;
  readonly read: (ref: ItemRef, fromMs: number) => Promise<Result<readonly ReadMoment[]>>;
  /** Removes items so that nothing of their text is left in the file. */
  readonly erase: (ids: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const filing = lazySchema(() =>
  z.object({
    folders: z.array(z.object({ id: z.string(), name: z.string(), parentId: z.string().nullable().default(null) })),
    placed: z.record(z.string(), z.string()),
    /** When each item was put into the trash, by `refKey`; for kinds without their own trash. */
    trashed: z.record(z.string(), z.number()).default({}),
    tags: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
    tagged: z.record(z.string(), z.array(z.string())).default({}),
  }),
);
export type FilingFacts = z.output<ReturnType<typeof filing>>;

export function createFiling(store: Pick<LibraryStore, 'note' | 'saveNote'>) {
  const read = (): FilingFacts =>
    readNote<FilingFacts>(store, 'folders', filing(), { folders: [], placed: {}, trashed: {}, tags: [], tagged: {} });
  return {
    read,
    save: (changed: FilingFacts): Result<null> => store.saveNote('folders', JSON.stringify(changed)),
    /** Whether the library keeps it in the trash; kinds with their own trash know that themselves. */
    isTrashed: (ref: ItemRef): boolean => refKey(ref) in read().trashed,
  };
}

export type Filing = ReturnType<typeof createFiling>;

export function refOf(key: string): ItemRef | null {
  const at = key.indexOf(':');
  const kind = libraryKinds.find((known) => known === key.slice(0, at));
  return kind === undefined ? null : { kind, id: key.slice(at + 1) };
}

const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0;

export interface LibrarySource {
  readonly kind: LibraryKind;
  list(): Result<readonly LibraryItem[]> | Promise<Result<readonly LibraryItem[]>>;
  rename(id: string, title: string): Promise<Result<unknown>>;
  /** Its own trash; without one, the library keeps track of trashed items of this kind. */
  readonly trash?: {
    put(ids: readonly string[]): Promise<Result<null>>;
    /** Ids that are not there are passed over. */
    restore(ids: readonly string[]): Promise<Result<unknown>>;
  };
  audio(id: string): Result<AudioPlace> | Promise<Result<AudioPlace>>;
  erase(ids: readonly string[], atService: boolean): Promise<Result<null>>;
  texts?(): Promise<readonly TextSource[]>;
}

export interface TextSource {
  readonly id: string;
  readonly version: string;
  read(): Pick<IndexedText, 'title' | 'moments'> | null;
}

export interface AudioPlace {
  readonly path: string;
  readonly sha256: string;
  readonly name: string;
}

export interface LibraryListing {
  readonly items: readonly (LibraryItem & Filed)[];
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
}

interface LibraryItemsPorts {
  readonly sources: readonly LibrarySource[];
  readonly filing: Filing;
  readonly search: LibrarySearch;
  readonly newId: () => string;
  readonly now: () => number;
}

export function createLibraryItems({ sources, filing, search, newId, now }: LibraryItemsPorts) {
  const given = new Map<string, string>();

  const each = async (
    refs: readonly ItemRef[],
    work: (source: LibrarySource, ids: readonly string[]) => Promise<Result<unknown>>,
  ): Promise<Result<null>> => {
    for (const source of sources) {
      const ids = refs.filter(({ kind }) => kind === source.kind).map(({ id }) => id);
      const done = ids.length === 0 ? ok(null) : await work(source, ids);
      if (!done.ok) return done;
    }
    return ok(null);
  };
  const sourceOf = (ref: ItemRef): Result<LibrarySource> => {
    const source = sources.find(({ kind }) => kind === ref.kind);
    return source === undefined ? err(localFailure('deleted-at-service', { code: 'unknown_item' })) : ok(source);
  };

  /** Sends new and changed texts to the index that it does not read by itself, and removes deleted ones. */
  const giveTexts = async (): Promise<void> => {
    const changed: IndexedText[] = [];
    const there = new Set<string>();
    for (const source of sources) {
      const { kind } = source;
      if (source.texts === undefined || kind === 'transcript') continue;
      for (const text of await source.texts()) {
        const { id, version } = text;
        const key = refKey({ kind, id });
        there.add(key);
        if (given.get(key) === version) continue;
        const words = text.read();
        given.set(key, version);
        if (words !== null) changed.push({ kind, id, version, ...words });
      }
    }
    const gone = [...given.keys()].filter((key) => !there.has(key));
    for (const key of gone) given.delete(key);
    if (changed.length > 0) await search.put(changed);
    if (gone.length > 0) await search.erase(gone.flatMap((key) => refOf(key)?.id ?? []));
  };

  /** Items added since the last search are found too; without changes this only compares revisions. */
  const bringUpToDate = async (): Promise<void> => {
    await search.sync();
    await giveTexts();
  };

  return {
    ...createTags(filing, newId),
    async list(): Promise<Result<LibraryListing>> {
      const { folders, placed, trashed, tags, tagged } = filing.read();
      const items: LibraryItem[] = [];
      for (const source of sources) {
        const listed = await source.list();
        if (!listed.ok) return listed;
        items.push(...listed.value);
      }
      const there = new Set(folders.map(({ id }) => id));
      return ok({
        folders,
        tags,
        items: items
          .toSorted((one, other) => other.createdAtMs - one.createdAtMs)
          .map((item) => {
            const folderId = placed[refKey(item)] ?? null;
            return {
              ...item,
              trashedAtMs: item.trashedAtMs ?? trashed[refKey(item)] ?? null,
              folderId: folderId !== null && there.has(folderId) ? folderId : null,
              tagIds: tagged[refKey(item)] ?? [],
            };
          }),
      });
    },

    async search(request: SearchRequest): Promise<Result<SearchAnswer>> {
      await bringUpToDate();
      return search.search(request);
    },
    async read(ref: ItemRef, fromMs: number): Promise<Result<readonly ReadMoment[]>> {
      await bringUpToDate();
      return search.read(ref, fromMs);
    },

    async rename(ref: ItemRef, title: string): Promise<Result<unknown>> {
      const source = sourceOf(ref);
      return source.ok ? source.value.rename(ref.id, title) : source;
    },
    async audio(ref: ItemRef): Promise<Result<AudioPlace>> {
      const source = sourceOf(ref);
      return source.ok ? source.value.audio(ref.id) : source;
    },
    trash: (refs: readonly ItemRef[]): Promise<Result<null>> =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.put(ids);
        const filed = filing.read();
        const atMs = now();
        const added = Object.fromEntries(ids.map((id) => [refKey({ kind, id }), atMs]));
        return filing.save({ ...filed, trashed: { ...filed.trashed, ...added } });
      }),
    restore: (refs: readonly ItemRef[]): Promise<Result<null>> =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.restore(ids);
        const filed = filing.read();
        for (const id of ids) delete filed.trashed[refKey({ kind, id })];
        return filing.save(filed);
      }),
    async eraseDue(): Promise<void> {
      const dueMs = now() - trashDays * 86_400_000;
      const { trashed } = filing.read();
      const due = Object.entries(trashed).filter(([, atMs]) => atMs <= dueMs);
      const refs = due.flatMap(([key]) => refOf(key) ?? []);
      if (refs.length > 0) await this.erase(refs, false);
    },
    async erase(refs: readonly ItemRef[], atService: boolean): Promise<Result<null>> {
      const erased = await each(refs, (source, ids) => source.erase(ids, atService));
      if (!erased.ok) return erased;
      await search.erase(refs.map(({ id }) => id));
      const filed = filing.read();
      for (const ref of refs) {
        given.delete(refKey(ref));
        delete filed.placed[refKey(ref)];
        delete filed.trashed[refKey(ref)];
        delete filed.tagged[refKey(ref)];
      }
      return filing.save(filed);
    },

    move(refs: readonly ItemRef[], folderId: string | null): Result<null> {
      const filed = filing.read();
      for (const ref of refs) {
        if (folderId === null) delete filed.placed[refKey(ref)];
        else filed.placed[refKey(ref)] = folderId;
      }
      return filing.save(filed);
    },
    /** Renames a folder, or creates one in `parentId` when `id` is of none; returns its id. */
    saveFolder(id: string | null, name: string, parentId: string | null = null): Result<string> {
      const { folders, ...rest } = filing.read();
      const own = id ?? newId();
      const renamed = folders.map((folder) => (folder.id === own ? { ...folder, name } : folder));
      const made = { id: own, name, parentId: folders.some((folder) => folder.id === parentId) ? parentId : null };
      const isThere = folders.some((folder) => folder.id === own);
      const saved = filing.save({ folders: isThere ? renamed : [...folders, made], ...rest });
      return saved.ok ? ok(own) : saved;
    },
    moveFolder(id: string, parentId: string | null): Result<null> {
      const { folders, ...rest } = filing.read();
      if (parentId !== null && withFoldersBelow(folders, id).has(parentId))
        return err(localFailure('deleted-at-service', { code: 'folder_in_itself' }));
      return filing.save({
        folders: folders.map((folder) => (folder.id === id ? { ...folder, parentId } : folder)),
        ...rest,
      });
    },
    removeFolder(id: string): Result<null> {
      const { folders, placed, ...rest } = filing.read();
      const around = folders.find((folder) => folder.id === id)?.parentId ?? null;
      return filing.save({
        ...rest,
        folders: folders
          .filter((folder) => folder.id !== id)
          .map((folder) => (folder.parentId === id ? { ...folder, parentId: around } : folder)),
        placed: Object.fromEntries(
          Object.entries(placed).flatMap(([key, folderId]) =>
            folderId !== id ? [[key, folderId]] : around === null ? [] : [[key, around]],
          ),
        ),
      });
    },
  };
}

function createTags(filing: Filing, newId: () => string) {
  const without = (tagged: Record<string, string[]>, tagId: string, keys = Object.keys(tagged)) => {
    const all = { ...tagged };
    for (const key of keys) {
      const left = all[key]?.filter((one) => one !== tagId) ?? [];
      if (left.length === 0) delete all[key];
      else all[key] = left;
    }
    return all;
  };
  return {
    tag(refs: readonly ItemRef[], tagId: string, isOn: boolean): Result<null> {
      const filed = filing.read();
      if (!filed.tags.some(({ id }) => id === tagId))
        return err(localFailure('deleted-at-service', { code: 'unknown_tag' }));
      const keys = refs.map(refKey);
      const tagged = without(filed.tagged, tagId, keys);
      if (isOn) for (const key of keys) tagged[key] = [...(tagged[key] ?? []), tagId];
      return filing.save({ ...filed, tagged });
    },
    /** Renames a tag, or creates one when `id` is of none; returns the id of the tag with this name. */
    saveTag(id: string | null, name: string): Result<string> {
      const filed = filing.read();
      const same = filed.tags.find((tag) => isSameName(tag.name, name) && tag.id !== id);
      if (same === undefined) {
        const own = id ?? newId();
        const tags = filed.tags.some((tag) => tag.id === own)
          ? filed.tags.map((tag) => (tag.id === own ? { id: own, name } : tag))
          : [...filed.tags, { id: own, name }];
        const saved = filing.save({ ...filed, tags });
        return saved.ok ? ok(own) : saved;
      }
      if (id === null) return ok(same.id);
      // Two tags with one name are one tag.
      const keys = Object.keys(filed.tagged).filter((key) => filed.tagged[key]?.includes(id));
      const tagged = without(filed.tagged, id);
      for (const key of keys) tagged[key] = [...new Set([...(tagged[key] ?? []), same.id])];
      const saved = filing.save({ ...filed, tags: filed.tags.filter((tag) => tag.id !== id), tagged });
      return saved.ok ? ok(same.id) : saved;
    },
    removeTag(id: string): Result<null> {
      const filed = filing.read();
      return filing.save({
        ...filed,
        tags: filed.tags.filter((tag) => tag.id !== id),
        tagged: without(filed.tagged, id),
      });
    },
  };
}
