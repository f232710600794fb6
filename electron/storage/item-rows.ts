import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import {
  withFoldersBelow,
  type Filed,
  type ItemRef,
  type ItemState,
  type LibraryFolder,
  type LibraryItem,
  type LibraryTag,
} from '../../shared/domain/library/library-item.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { jsonOf, read, type Tables } from './sqlite-database.ts';
import { orderedFrom } from './sqlite-rows.ts';

export interface StoredItem {
  readonly item: LibraryItem & Filed;
  /** What a transcript is called at the service that fills the library now. */
  readonly remoteId: string | null;
}

/** An item that will be erased: in the trash, or gone already and still to be brought back. */
export interface LeavingItem extends ItemRef {
  readonly trashedAtMs: number | null;
  readonly eraseAtMs: number;
}

interface Removal {
  readonly id: string;
  readonly remoteId: string;
  readonly boundTo: string | null;
}

/** `eraseAtMs` of what is erased, as long as traces of it may be left outside the library. */
export const erased = 0;

const boundTo = "j.memory ->> '$.intent.boundTo'";

const query = {
  list: `SELECT i.kind, i.id, i.title, i.source_name AS sourceName, i.at_ms AS createdAtMs,
      i.trashed_at_ms AS trashedAtMs, f.id AS folderId,
      (SELECT json_group_array(g.tag_id ORDER BY g.number) FROM item_tags g WHERE g.kind = i.kind AND g.item_id = i.id) AS tagIds,
      t.language, coalesce(t.duration_ms, a.duration_ms) AS durationMs, coalesce(t.speakers, '[]') AS speakers, t.revision,
      coalesce(m.size_bytes, a.size_bytes) AS sizeBytes, m.path, a.credits, ${orderedFrom},
      iif(j.origin = ?1, t.remote_id, NULL) AS remoteId,
      j.is_hidden = 0 AND j.origin = ?1 AND j.options ->> '$.isExcerpt' AS isExcerpt
    FROM items i LEFT JOIN folders f ON f.id = i.folder_id
      LEFT JOIN transcripts t ON i.kind = 'transcript' AND t.id = i.id LEFT JOIN media m ON m.sha256 = t.media_sha256
      LEFT JOIN audio a ON i.kind = 'isolation' AND a.id = i.id LEFT JOIN jobs j ON j.id = coalesce(t.job_id, a.job_id)
    WHERE i.erase_at_ms IS NULL OR i.trashed_at_ms IS NOT NULL ORDER BY i.at_ms DESC, i.id`,
  folders: 'SELECT id, name, parent_id AS parentId FROM folders ORDER BY number',
  tags: 'SELECT id, name FROM tags ORDER BY number',
  fileDictation: "INSERT OR IGNORE INTO items (kind, id) VALUES ('dictation', ?)",
  rename: 'UPDATE items SET title = ? WHERE kind = ? AND id = ?',
  move: 'UPDATE items SET folder_id = ? WHERE kind = ? AND id = ?',
  saveFolder: `INSERT INTO folders (id, name, parent_id) VALUES (?, ?, (SELECT id FROM folders WHERE id = ?))
    ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
  moveFolder: 'UPDATE folders SET parent_id = ? WHERE id = ?',
  emptyFolder: [
    'UPDATE folders SET parent_id = (SELECT parent_id FROM folders WHERE id = ?1) WHERE parent_id = ?1',
    'UPDATE items SET folder_id = (SELECT parent_id FROM folders WHERE id = ?1) WHERE folder_id = ?1',
    'DELETE FROM folders WHERE id = ?',
  ],
  tag: 'INSERT OR IGNORE INTO item_tags (tag_id, kind, item_id) SELECT ?, kind, id FROM items WHERE kind = ? AND id = ?',
  untag: 'DELETE FROM item_tags WHERE tag_id = ? AND kind = ? AND item_id = ?',
  saveTag: 'INSERT INTO tags (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  mergeTags: 'UPDATE OR IGNORE item_tags SET tag_id = ? WHERE tag_id = ?',
  removeTag: 'DELETE FROM tags WHERE id = ?',
  leaving: `SELECT kind, id, trashed_at_ms AS trashedAtMs, erase_at_ms AS eraseAtMs FROM items
    WHERE erase_at_ms IS NOT NULL ORDER BY erase_at_ms, id`,
  isGone: 'SELECT 1 FROM items WHERE kind = ? AND id = ? AND erase_at_ms IS NOT NULL',
  isTrashed: 'SELECT 1 FROM items WHERE kind = ? AND id = ? AND trashed_at_ms IS NOT NULL',
  isRowGone: `SELECT 1 FROM transcripts t JOIN items i ON i.kind = 'transcript' AND i.id = t.id
    WHERE t.job_id = ? AND i.erase_at_ms IS NOT NULL`,
  jobOf: 'SELECT job_id FROM transcripts WHERE id = ?',
  putAway: `UPDATE items SET trashed_at_ms = ?, erase_at_ms = ?, queue_row = ?
    WHERE kind = ? AND id = ? AND erase_at_ms IS NULL`,
  endTrash: `UPDATE items SET trashed_at_ms = NULL, erase_at_ms = ? WHERE kind = 'transcript' AND id = ?
    AND erase_at_ms > ${String(erased)}`,
  bringBack: `UPDATE items SET trashed_at_ms = NULL, erase_at_ms = NULL WHERE kind = ? AND id = ?
    AND erase_at_ms > ${String(erased)} RETURNING queue_row`,
  elsewhere: `SELECT t.id FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE ${boundTo} <> ?`,
  removeAtService: `INSERT OR REPLACE INTO removals_at_service SELECT t.id, t.remote_id, ?1, ${boundTo} FROM transcripts t
    JOIN jobs j ON j.id = t.job_id WHERE t.id = ?2 AND j.origin = ?1 AND t.remote_id IS NOT NULL`,
  keepAtService: 'DELETE FROM removals_at_service WHERE transcript_id = ?',
  removals: `SELECT transcript_id AS id, remote_id AS remoteId, bound_to AS boundTo FROM removals_at_service WHERE origin = ?
    AND transcript_id NOT IN (SELECT id FROM items WHERE kind = 'transcript')`,
  // A dictation is erased with its files.
  forget: `DELETE FROM items WHERE kind = ? AND id = ? AND (kind = 'dictation' OR erase_at_ms = ${String(erased)})`,
} as const;

type ItemRow = Omit<LibraryItem & Filed, 'speakers' | 'characters' | 'states' | 'isAtService' | 'tagIds'> &
  Readonly<Record<'tagIds' | 'speakers', string>> &
  Readonly<Record<'path' | 'remoteId', string | null>> & {
    readonly revision: number | null;
    readonly origin: Origin | null;
    readonly isExcerpt: number | null;
  };
const speakerNames = lazySchema(() => z.array(z.object({ name: z.string().nullable() })));
const stateOfOrigin = { service: 'made-at-service', local: 'made-here' } as const;

/** Null for one without what its kind has; what no table of the library has is added by the services. */
function readItem(row: ItemRow): StoredItem | null {
  const { tagIds, speakers, revision, path, origin, remoteId, isExcerpt, ...facts } = row;
  const isTranscript = facts.kind === 'transcript';
  if ((isTranscript && path === null) || (facts.kind === 'isolation' && facts.sizeBytes === null)) return null;
  const hasRecording = path?.startsWith(noRecording) !== true;
  const states: ItemState[] = isTranscript ? [(revision ?? 0) > 0 ? 'edited' : 'unedited'] : [];
  if (!hasRecording) states.push('no-recording');
  if (isTranscript && origin !== null) states.push(stateOfOrigin[origin]);
  if (isExcerpt === 1 && facts.kind === 'isolation') states.push('excerpt');
  const item = {
    ...facts,
    speakers:
      speakerNames()
        .safeParse(jsonOf(speakers))
        .data?.map(({ name }) => name) ?? [],
    // Without a recording this is the size of the imported text.
    sizeBytes: hasRecording ? facts.sizeBytes : null,
    characters: null,
    states,
    isAtService: isTranscript ? remoteId !== null : null,
    tagIds: JSON.parse(tagIds) as string[],
  };
  return { item, remoteId };
}

const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0;

/** What all kinds of items have: title, folder, tags, and the way through the trash. */
export function itemTables({ sql, write, all, run, each, rowsAs }: Tables, origin: Origin) {
  const ofEach = (refs: readonly ItemRef[], text: string, ...values: readonly SQLInputValue[]): Result<null> =>
    each(refs, ({ kind, id }) => {
      if (kind === 'dictation') sql(query.fileDictation).run(id);
      sql(text).run(...values, kind, id);
    });
  const isThere = (text: string, ...values: readonly SQLInputValue[]): boolean => {
    const found = read(() => sql(text).get(...values) !== undefined);
    return found.ok && found.value;
  };
  const unknown = (code: string): Result<never> => err(localFailure('deleted-at-service', { code }));
  const readFolders = () => all<LibraryFolder>(query.folders);
  const readTags = () => all<LibraryTag>(query.tags);

  return {
    list: () => rowsAs(readItem).all(query.list, origin),
    folders: readFolders,
    tags: readTags,
    rename(ref: ItemRef, title: string): Result<null> {
      const renamed = write(() => Number(sql(query.rename).run(title, ref.kind, ref.id).changes));
      if (!renamed.ok) return renamed;
      return renamed.value === 0 ? unknown('unknown_item') : ok(null);
    },

    move: (refs: readonly ItemRef[], folderId: string | null): Result<null> => ofEach(refs, query.move, folderId),
    /** Renames a folder, or creates one in `parentId` when `id` is of none. */
    saveFolder: (id: string, name: string, parentId: string | null): Result<null> =>
      run(query.saveFolder, id, name, parentId),
    moveFolder: (id: string, parentId: string | null): Result<null> => {
      const folders = readFolders();
      if (!folders.ok) return folders;
      if (parentId !== null && withFoldersBelow(folders.value, id).has(parentId)) return unknown('folder_in_itself');
      return run(query.moveFolder, parentId, id);
    },
    /** What is in it goes to the folder around it. */
    removeFolder: (id: string): Result<null> => each(query.emptyFolder, (text) => sql(text).run(id)),

    tag: (refs: readonly ItemRef[], tagId: string, isOn: boolean): Result<null> => {
      const tags = readTags();
      if (!tags.ok) return tags;
      if (!tags.value.some(({ id }) => id === tagId)) return unknown('unknown_tag');
      return ofEach(refs, isOn ? query.tag : query.untag, tagId);
    },
    /** Renames a tag, or creates one when `id` is of none; returns the id of the tag with this name. */
    saveTag(id: string | null, name: string, newId: () => string): Result<string> {
      const tags = readTags();
      if (!tags.ok) return tags;
      const same = tags.value.find((tag) => isSameName(tag.name, name) && tag.id !== id);
      const own = id ?? newId();
      if (same !== undefined && id === null) return ok(same.id);
      const saved = write(() => {
        if (same === undefined) return sql(query.saveTag).run(own, name);
        // Two tags with one name are one tag.
        sql(query.mergeTags).run(same.id, own);
        return sql(query.removeTag).run(own);
      });
      return saved.ok ? ok(same?.id ?? own) : saved;
    },
    removeTag: (id: string): Result<null> => run(query.removeTag, id),

    leaving: () => all<LeavingItem>(query.leaving),
    /** Whether it was deleted here, even while that can still be undone. */
    isGone: ({ kind, id }: ItemRef): boolean => isThere(query.isGone, kind, id),
    isTrashed: ({ kind, id }: ItemRef): boolean => isThere(query.isTrashed, kind, id),
    isRowGone: (rowId: string): boolean => isThere(query.isRowGone, rowId),
    /** Returns the rows that leave the queue with them; ids that are gone or unknown are passed over. */
    putAway: (
      refs: readonly ItemRef[],
      { trashedAtMs, eraseAtMs }: Pick<LeavingItem, 'trashedAtMs' | 'eraseAtMs'>,
      isListed: (rowId: string) => boolean,
      atService: boolean,
    ): Result<readonly string[]> =>
      write(() =>
        refs.flatMap(({ kind, id }) => {
          if (kind === 'dictation') sql(query.fileDictation).run(id);
          const jobId = kind === 'transcript' ? String(sql(query.jobOf).get(id)?.['job_id']) : '';
          const row = isListed(jobId) ? jobId : null;
          const { changes } = sql(query.putAway).run(trashedAtMs, eraseAtMs, row, kind, id);
          if (changes > 0 && atService) sql(query.removeAtService).run(origin, id);
          return changes > 0 && row !== null ? [row] : [];
        }),
      ),
    /** From the trash to what is erased at once. */
    endTrash: (ids: readonly string[], nowMs: number, atService: boolean): Result<null> =>
      each(ids, (id) => {
        const { changes } = sql(query.endTrash).run(nowMs, id);
        if (changes > 0 && atService) sql(query.removeAtService).run(origin, id);
      }),
    /** Returns the rows that return to the queue, null for an item without one; what is erased stays so. */
    bringBack: (refs: readonly ItemRef[]): Result<readonly (string | null)[]> =>
      write(() =>
        refs.flatMap(({ kind, id }) => {
          const row = sql(query.bringBack).get(kind, id);
          if (row === undefined) return [];
          if (kind === 'transcript') sql(query.keepAtService).run(id);
          return [typeof row['queue_row'] === 'string' ? row['queue_row'] : null];
        }),
      ),
    /** Ends what is remembered of erased items, when no trace is left. */
    forget: (refs: readonly ItemRef[]): Result<null> => ofEach(refs, query.forget),
    /** What was erased here and is still to be deleted at the service. */
    removals: () => all<Removal>(query.removals, origin),
    /** Transcripts that were sent with another address or key than those of this fingerprint. */
    elsewhere(account: string | null): ReadonlySet<string> {
      const found = all<{ readonly id: string }>(query.elsewhere, account);
      return new Set(found.ok ? found.value.map(({ id }) => id) : []);
    },
    removedAtService: (id: string): Result<null> => run(query.keepAtService, id),
  };
}

export type ItemStore = ReturnType<typeof itemTables>;
