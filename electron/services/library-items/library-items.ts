import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import {
  libraryKinds,
  refKey,
  type Filed,
  type ItemRef,
  type LibraryFolder,
  type LibraryItem,
  type LibraryKind,
  type LibraryTag,
} from '../../../shared/domain/library/library-item.ts';
import type { Ranges } from '../../../shared/domain/search/search-query.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ItemStore, StoredItem } from '../../storage/item-rows.ts';
import type { DeletionService } from './deletion.ts';

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
  /** No moment has all the words: the moments are the first of each word. */
  readonly isApart?: boolean;
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
  /** The keys of all that were found, also of those that are only counted. */
  readonly keys: readonly string[];
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

export function refOf(key: string): ItemRef | null {
  const at = key.indexOf(':');
  const kind = libraryKinds.find((known) => known === key.slice(0, at));
  return kind === undefined ? null : { kind, id: key.slice(at + 1) };
}

type ListedItem = LibraryItem & Filed;

export interface LibrarySource {
  readonly kind: LibraryKind;
  /** What is shown of the stored items of this kind, in their order. */
  list(stored: readonly StoredItem[]): Result<readonly ListedItem[]> | Promise<Result<readonly ListedItem[]>>;
  /** Where a title is more than the one among the items. */
  rename?(id: string, title: string): Promise<Result<unknown>>;
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
  readonly items: readonly ListedItem[];
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
}

interface LibraryItemsPorts {
  readonly sources: readonly LibrarySource[];
  readonly store: ItemStore;
  readonly deletion: Pick<DeletionService, 'trashAll' | 'restoreAll'>;
  readonly search: LibrarySearch;
  readonly newId: () => string;
}

/** Everything in the library, whatever its kind: listed, found, filed, named, and through the trash. */
export function createLibraryItems({ sources, store, deletion, search, newId }: LibraryItemsPorts) {
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
    move: store.move,
    moveFolder: store.moveFolder,
    removeFolder: store.removeFolder,
    tag: store.tag,
    removeTag: store.removeTag,
    saveTag: (id: string | null, name: string): Result<string> => store.saveTag(id, name, newId),
    saveFolder(id: string | null, name: string, parentId: string | null = null): Result<string> {
      const own = id ?? newId();
      const saved = store.saveFolder(own, name, parentId);
      return saved.ok ? ok(own) : saved;
    },

    async list(): Promise<Result<LibraryListing>> {
      const [folders, tags, stored] = [store.folders(), store.tags(), store.list()];
      if (!folders.ok) return folders;
      if (!tags.ok) return tags;
      if (!stored.ok) return stored;
      const items: ListedItem[] = [];
      for (const source of sources) {
        const listed = await source.list(stored.value.filter(({ item }) => item.kind === source.kind));
        if (!listed.ok) return listed;
        items.push(...listed.value);
      }
      return ok({
        folders: folders.value,
        tags: tags.value,
        items: items.toSorted((one, other) => other.createdAtMs - one.createdAtMs),
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
      if (!source.ok) return source;
      return source.value.rename === undefined ? store.rename(ref, title) : source.value.rename(ref.id, title);
    },
    async audio(ref: ItemRef): Promise<Result<AudioPlace>> {
      const source = sourceOf(ref);
      return source.ok ? source.value.audio(ref.id) : source;
    },
    trash: (refs: readonly ItemRef[]): Promise<Result<null>> =>
      each(refs, ({ kind }, ids) => deletion.trashAll(ids, kind)),
    restore: (refs: readonly ItemRef[]): Promise<Result<null>> =>
      each(refs, ({ kind }, ids) => deletion.restoreAll(ids, kind)),
    async erase(refs: readonly ItemRef[], atService: boolean): Promise<Result<null>> {
      const erased = await each(refs, (source, ids) => source.erase(ids, atService));
      if (!erased.ok) return erased;
      await search.erase(refs.map(({ id }) => id));
      for (const ref of refs) given.delete(refKey(ref));
      return store.forget(refs);
    },
  };
}
