import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { libraryKinds, refKey, type ItemRef } from '../../../shared/domain/library/library-item.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { LibraryStore } from '../library/store.ts';

const filing = lazySchema(() =>
  z.object({
    folders: z.array(z.object({ id: z.string(), name: z.string(), parentId: z.string().nullable().default(null) })),
    /** Folder by `refKey`. */
    placed: z.record(z.string(), z.string()),
    /** When each item was put into the trash, by `refKey`; for kinds without their own trash. */
    trashed: z.record(z.string(), z.number()).default({}),
    tags: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
    /** Ids of tags by `refKey`. */
    tagged: z.record(z.string(), z.array(z.string())).default({}),
  }),
);
export type FilingFacts = z.output<ReturnType<typeof filing>>;

/** Folders and tags of items, and which items are in the trash. */
export interface Filing {
  read(): FilingFacts;
  save(changed: FilingFacts): Result<null>;
  /** Whether the library keeps it in the trash; kinds with their own trash know that themselves. */
  isTrashed(ref: ItemRef): boolean;
}

export function createFiling(store: Pick<LibraryStore, 'note' | 'saveNote'>): Filing {
  const read = (): FilingFacts => {
    const note = store.note('folders');
    const parsed = note.ok && note.value !== null ? filing().safeParse(JSON.parse(note.value)) : null;
    return parsed?.success === true ? parsed.data : { folders: [], placed: {}, trashed: {}, tags: [], tagged: {} };
  };
  return {
    read,
    save: (changed) => store.saveNote('folders', JSON.stringify(changed)),
    isTrashed: (ref) => refKey(ref) in read().trashed,
  };
}

/** The item of a `refKey`; null for kinds of another version. */
export function refOf(key: string): ItemRef | null {
  const at = key.indexOf(':');
  const kind = libraryKinds.find((known) => known === key.slice(0, at));
  return kind === undefined ? null : { kind, id: key.slice(at + 1) };
}
