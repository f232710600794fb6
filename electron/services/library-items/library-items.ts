import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import {
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
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { refOf, type Filing } from './filing.ts';
import { createTags, type Tags } from './tags.ts';
import type { IndexedText, LibrarySearch, ReadMoment, SearchAnswer, SearchRequest } from './library-search.ts';

/** What a kind of item must provide to be part of the library. New kinds are added in `createLibraryItems`. */
export interface LibrarySource {
  readonly kind: LibraryKind;
  /** All of them, those in the trash too. */
  list(): Result<readonly LibraryItem[]> | Promise<Result<readonly LibraryItem[]>>;
  rename(id: string, title: string): Promise<Result<unknown>>;
  /** Its own trash; without one, the library keeps track of trashed items of this kind. */
  readonly trash?: {
    put(ids: readonly string[]): Promise<Result<null>>;
    /** Ids that are not there are passed over. */
    restore(ids: readonly string[]): Promise<Result<unknown>>;
  };
  /** Where its audio is. */
  audio(id: string): Result<AudioPlace> | Promise<Result<AudioPlace>>;
  /** For good; only what is in the trash. */
  erase(ids: readonly string[], atService: boolean): Promise<Result<null>>;
  /** Searchable texts, for kinds whose texts the index does not read from the library itself. */
  texts?(): Promise<readonly TextSource[]>;
}

/** A text that is read only when the index does not have this version of it. */
export interface TextSource {
  readonly id: string;
  readonly version: string;
  read(): Pick<IndexedText, 'title' | 'moments'> | null;
}

/** Audio to be heard; for main only. */
export interface AudioPlace {
  readonly path: string;
  readonly sha256: string;
  /** Of the file it was made from. */
  readonly name: string;
}

export interface LibraryListing {
  readonly items: readonly (LibraryItem & Filed)[];
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
}

/** Everything ever made, of every kind, as one list with folders, tags, a trash and a search. */
export interface LibraryItems extends Tags {
  list(): Promise<Result<LibraryListing>>;
  search(request: SearchRequest): Promise<Result<SearchAnswer>>;
  /** Its first words, or those from a time on; nothing where it has none. */
  read(ref: ItemRef, fromMs: number): Promise<Result<readonly ReadMoment[]>>;
  audio(ref: ItemRef): Promise<Result<AudioPlace>>;
  rename(ref: ItemRef, title: string): Promise<Result<unknown>>;
  trash(refs: readonly ItemRef[]): Promise<Result<null>>;
  restore(refs: readonly ItemRef[]): Promise<Result<null>>;
  erase(refs: readonly ItemRef[], atService: boolean): Promise<Result<null>>;
  /** Erases what has been in the trash for its full term. */
  eraseDue(): Promise<void>;
  /** Null takes things out of their folder. */
  move(refs: readonly ItemRef[], folderId: string | null): Result<null>;
  /** Renames a folder, or creates one in `parentId` when `id` is null or of no folder; returns its id. */
  saveFolder(id: string | null, name: string, parentId?: string | null): Result<string>;
  /** Moves a folder into another one, or to the top level; E-040 when that would put it into itself. */
  moveFolder(id: string, parentId: string | null): Result<null>;
  /** Its content moves to the surrounding folder, or out of any. */
  removeFolder(id: string): Result<null>;
}

export interface LibraryItemsPorts {
  readonly sources: readonly LibrarySource[];
  readonly filing: Filing;
  readonly search: LibrarySearch;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export function createLibraryItems({ sources, filing, search, newId, now }: LibraryItemsPorts): LibraryItems {
  /** Versions of the texts that the index received in this run, by `refKey`. */
  const given = new Map<string, string>();

  const each = async (
    refs: readonly ItemRef[],
    work: (source: LibrarySource, ids: readonly string[]) => Promise<Result<unknown>>,
  ): Promise<Result<null>> => {
    for (const source of sources) {
      const ids = refs.filter(({ kind }) => kind === source.kind).map(({ id }) => id);
      // oxlint-disable-next-line no-await-in-loop -- one kind after another, so that a failure belongs to one
      const done = ids.length === 0 ? ok(null) : await work(source, ids);
      if (!done.ok) return done;
    }
    return ok(null);
  };
  const sourceOf = (ref: ItemRef): Result<LibrarySource> => {
    const source = sources.find(({ kind }) => kind === ref.kind);
    return source === undefined ? err(localFailure('E-040', { code: 'unknown_item' })) : ok(source);
  };

  /** Sends new and changed texts to the index that it does not read by itself, and removes deleted ones. */
  const giveTexts = async (): Promise<void> => {
    const changed: IndexedText[] = [];
    const there = new Set<string>();
    for (const source of sources) {
      const { kind } = source;
      if (source.texts === undefined || kind === 'transcript') continue;
      // oxlint-disable-next-line no-await-in-loop -- kinds are few
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
    async list() {
      const { folders, placed, trashed, tags, tagged } = filing.read();
      const items: LibraryItem[] = [];
      for (const source of sources) {
        // oxlint-disable-next-line no-await-in-loop -- kinds are few
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

    async search(request) {
      await bringUpToDate();
      return search.search(request);
    },
    async read(ref, fromMs) {
      await bringUpToDate();
      return search.read(ref, fromMs);
    },

    async rename(ref, title) {
      const source = sourceOf(ref);
      return source.ok ? source.value.rename(ref.id, title) : source;
    },
    async audio(ref) {
      const source = sourceOf(ref);
      return source.ok ? source.value.audio(ref.id) : source;
    },
    trash: (refs) =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.put(ids);
        const filed = filing.read();
        const atMs = now();
        const added = Object.fromEntries(ids.map((id) => [refKey({ kind, id }), atMs]));
        return filing.save({ ...filed, trashed: { ...filed.trashed, ...added } });
      }),
    restore: (refs) =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.restore(ids);
        const filed = filing.read();
        for (const id of ids) delete filed.trashed[refKey({ kind, id })];
        return filing.save(filed);
      }),
    async eraseDue() {
      const dueMs = now() - trashDays * 86_400_000;
      const { trashed } = filing.read();
      const due = Object.entries(trashed).filter(([, atMs]) => atMs <= dueMs);
      const refs = due.flatMap(([key]) => refOf(key) ?? []);
      if (refs.length > 0) await this.erase(refs, false);
    },
    async erase(refs, atService) {
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

    move(refs, folderId) {
      const filed = filing.read();
      for (const ref of refs) {
        if (folderId === null) delete filed.placed[refKey(ref)];
        else filed.placed[refKey(ref)] = folderId;
      }
      return filing.save(filed);
    },
    saveFolder(id, name, parentId = null) {
      const { folders, ...rest } = filing.read();
      const own = id ?? newId();
      const renamed = folders.map((folder) => (folder.id === own ? { ...folder, name } : folder));
      const made = { id: own, name, parentId: folders.some((folder) => folder.id === parentId) ? parentId : null };
      const isThere = folders.some((folder) => folder.id === own);
      const saved = filing.save({ folders: isThere ? renamed : [...folders, made], ...rest });
      return saved.ok ? ok(own) : saved;
    },
    moveFolder(id, parentId) {
      const { folders, ...rest } = filing.read();
      if (parentId !== null && withFoldersBelow(folders, id).has(parentId))
        return err(localFailure('E-040', { code: 'folder_in_itself' }));
      return filing.save({
        folders: folders.map((folder) => (folder.id === id ? { ...folder, parentId } : folder)),
        ...rest,
      });
    },
    removeFolder(id) {
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
