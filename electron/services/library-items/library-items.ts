import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import {
  libraryKinds,
  refKey,
  trashDays,
  type ItemRef,
  type LibraryFolder,
  type LibraryItem,
  type LibraryKind,
} from '../../../shared/domain/library/library-item.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { LibraryStore } from '../library/store.ts';
import type { IndexedText, LibrarySearch, SearchAnswer, SearchRequest } from './library-search.ts';

/** What a kind of thing has to offer to be in the library. A new kind is one of these in `createLibraryItems`. */
export interface LibrarySource {
  readonly kind: LibraryKind;
  /** All of them, those in the trash too. */
  list(): Result<readonly LibraryItem[]>;
  rename(id: string, title: string): Promise<Result<unknown>>;
  /** A trash of its own; without one, the library keeps what of this kind is there. */
  readonly trash?: {
    put(ids: readonly string[]): Promise<Result<null>>;
    /** Ids that are not there are passed over. */
    restore(ids: readonly string[]): Promise<Result<unknown>>;
  };
  /** Where its audio is. */
  audio(id: string): Result<AudioPlace>;
  /** For good; only what is in the trash. */
  erase(ids: readonly string[], atService: boolean): Promise<Result<null>>;
  /** Words to be found, for kinds whose words the index does not read from the library itself. */
  texts?(): Result<readonly IndexedText[]>;
}

/** Audio to be heard; for main only. */
export interface AudioPlace {
  readonly path: string;
  readonly sha256: string;
  /** Of the file it was made from. */
  readonly name: string;
}

export interface LibraryListing {
  readonly items: readonly (LibraryItem & { readonly folderId: string | null })[];
  readonly folders: readonly LibraryFolder[];
}

/** Everything ever made, of every kind, as one list with folders, a trash and a search. */
export interface LibraryItems {
  list(): Result<LibraryListing>;
  search(request: SearchRequest): Promise<Result<SearchAnswer>>;
  audio(ref: ItemRef): Result<AudioPlace>;
  rename(ref: ItemRef, title: string): Promise<Result<unknown>>;
  trash(refs: readonly ItemRef[]): Promise<Result<null>>;
  restore(refs: readonly ItemRef[]): Promise<Result<null>>;
  erase(refs: readonly ItemRef[], atService: boolean): Promise<Result<null>>;
  /** Erases what has been in the trash for its term. */
  eraseDue(): Promise<void>;
  /** Null takes things out of their folder. */
  move(refs: readonly ItemRef[], folderId: string | null): Result<null>;
  /** Renames a folder, or makes one when `id` is null; answers its id. */
  saveFolder(id: string | null, name: string): Result<string>;
  /** What was in it is in no folder then. */
  removeFolder(id: string): Result<null>;
}

export interface LibraryItemsPorts {
  readonly sources: readonly LibrarySource[];
  readonly store: Pick<LibraryStore, 'note' | 'saveNote'>;
  readonly search: LibrarySearch;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const filing = lazySchema(() =>
  z.object({
    folders: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Folder by `refKey`. */
    placed: z.record(z.string(), z.string()),
    /** When it was put into the trash, by `refKey`; for kinds without a trash of their own. */
    trashed: z.record(z.string(), z.number()).default({}),
  }),
);
type Filing = z.output<ReturnType<typeof filing>>;

export function createLibraryItems({ sources, store, search, newId, now }: LibraryItemsPorts): LibraryItems {
  const readFiling = (): Filing => {
    const note = store.note('folders');
    const read = note.ok && note.value !== null ? filing().safeParse(JSON.parse(note.value)) : null;
    return read?.success === true ? read.data : { folders: [], placed: {}, trashed: {} };
  };
  const saveFiling = (changed: Filing): Result<null> => store.saveNote('folders', JSON.stringify(changed));

  const each = async (
    refs: readonly ItemRef[],
    work: (source: LibrarySource, ids: readonly string[]) => Promise<Result<unknown>>,
  ): Promise<Result<null>> => {
    for (const source of sources) {
      const ids = refs.filter(({ kind }) => kind === source.kind).map(({ id }) => id);
      // oxlint-disable-next-line no-await-in-loop -- one kind after another, so that a failure is told of one
      const done = ids.length === 0 ? ok(null) : await work(source, ids);
      if (!done.ok) return done;
    }
    return ok(null);
  };

  return {
    list() {
      const { folders, placed, trashed } = readFiling();
      const items: LibraryItem[] = [];
      for (const source of sources) {
        const listed = source.list();
        if (!listed.ok) return listed;
        items.push(...listed.value);
      }
      const there = new Set(folders.map(({ id }) => id));
      return ok({
        folders,
        items: items
          .toSorted((one, other) => other.createdAtMs - one.createdAtMs)
          .map((item) => {
            const folderId = placed[refKey(item)] ?? null;
            return {
              ...item,
              trashedAtMs: item.trashedAtMs ?? trashed[refKey(item)] ?? null,
              folderId: folderId !== null && there.has(folderId) ? folderId : null,
            };
          }),
      });
    },

    async search(request) {
      // What came since the last search is found too; without changes this is a look at the list of revisions.
      await search.sync();
      for (const source of sources) {
        const texts = source.texts?.();
        // oxlint-disable-next-line no-await-in-loop -- the index is one thread
        if (texts?.ok === true) await search.put(texts.value);
      }
      return search.search(request);
    },

    rename: async (ref, title) => {
      const source = sources.find(({ kind }) => kind === ref.kind);
      return source === undefined
        ? err(localFailure('E-040', { code: 'unknown_transcript' }))
        : source.rename(ref.id, title);
    },
    audio: (ref) =>
      sources.find(({ kind }) => kind === ref.kind)?.audio(ref.id) ??
      err(localFailure('E-040', { code: 'unknown_item' })),
    trash: (refs) =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.put(ids);
        const filed = readFiling();
        const atMs = now();
        const added = Object.fromEntries(ids.map((id) => [refKey({ kind, id }), atMs]));
        return saveFiling({ ...filed, trashed: { ...filed.trashed, ...added } });
      }),
    restore: (refs) =>
      each(refs, async ({ kind, trash }, ids) => {
        if (trash !== undefined) return trash.restore(ids);
        const filed = readFiling();
        for (const id of ids) delete filed.trashed[refKey({ kind, id })];
        return saveFiling(filed);
      }),
    async eraseDue() {
      const dueMs = now() - trashDays * 86_400_000;
      const { trashed } = readFiling();
      const due = Object.entries(trashed).filter(([, atMs]) => atMs <= dueMs);
      const refs = due.flatMap(([key]) => {
        const [name, ...id] = key.split(':');
        const kind = libraryKinds.find((known) => known === name);
        return kind === undefined ? [] : [{ kind, id: id.join(':') }];
      });
      if (refs.length > 0) await this.erase(refs, false);
    },
    async erase(refs, atService) {
      const erased = await each(refs, (source, ids) => source.erase(ids, atService));
      if (!erased.ok) return erased;
      await search.erase(refs.map(({ id }) => id));
      const filed = readFiling();
      for (const ref of refs) {
        delete filed.placed[refKey(ref)];
        delete filed.trashed[refKey(ref)];
      }
      return saveFiling(filed);
    },

    move(refs, folderId) {
      const filed = readFiling();
      for (const ref of refs) {
        if (folderId === null) delete filed.placed[refKey(ref)];
        else filed.placed[refKey(ref)] = folderId;
      }
      return saveFiling(filed);
    },
    saveFolder(id, name) {
      const { folders, ...rest } = readFiling();
      const own = id ?? newId();
      const renamed = folders.map((folder) => (folder.id === own ? { ...folder, name } : folder));
      const saved = saveFiling({ folders: id === null ? [...folders, { id: own, name }] : renamed, ...rest });
      return saved.ok ? ok(own) : saved;
    },
    removeFolder(id) {
      const { folders, placed, trashed } = readFiling();
      return saveFiling({
        trashed,
        folders: folders.filter((folder) => folder.id !== id),
        placed: Object.fromEntries(Object.entries(placed).filter(([, folderId]) => folderId !== id)),
      });
    },
  };
}
