import { existsSync } from 'node:fs';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { ItemRef } from '../../shared/domain/library/library-item.ts';
import { wordsOfNumberedSpeaker } from '../../shared/domain/search/search-query.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { IndexedText, LibrarySearch, SearchRequest } from '../services/library-items/library-items.ts';
import { openSearchIndex, type SearchIndex } from '../storage/search-index.ts';
import { preparedIn, readFrom, type Sql } from '../storage/sqlite-database.ts';
import { speakerNames, wholeTranscripts } from '../storage/sqlite-rows.ts';
import { readMaskedTexts } from '../storage/transcript-rows.ts';
import { openTasks, serveTasks } from '../threads/work-thread.ts';

/** How long it reads at a time, so that a search never waits for longer. */
const readForMs = 60;

let opened: { readonly path: string; readonly index: SearchIndex } | null = null;

function indexAt(path: string): SearchIndex {
  if (opened?.path === path) return opened.index;
  opened?.index.close();
  opened = { path, index: openSearchIndex(path) };
  return opened.index;
}

function withIndex<T>(path: string, work: (index: SearchIndex) => T): Result<T> {
  try {
    return ok(work(indexAt(path)));
  } catch {
    opened?.index.close();
    opened = null;
    return err(localFailure('library-damaged', { code: 'search_index' }));
  }
}

const tasks = {
  /** Returns how many transcripts are still to be read. */
  sync: (path: string, library: string) => withIndex(path, (index) => sync(library, index)),
  put: (path: string, texts: readonly IndexedText[]) =>
    withIndex(path, (index) => {
      const known = new Map(texts.map(({ kind }) => [kind, index.versions(kind)]));
      const changed = texts.filter(({ kind, id, version }) => known.get(kind)?.get(id) !== version);
      index.put(changed.map((text) => ({ ...text, speakers: [] })));
    }),
  search: (path: string, request: SearchRequest) => withIndex(path, (index) => index.search(request)),
  read: (path: string, ref: ItemRef, fromMs: number) => withIndex(path, (index) => index.read(ref, fromMs)),
  // An index that was never created has nothing to erase.
  erase: (path: string, ids: readonly string[]) =>
    existsSync(path) ? withIndex(path, (index) => index.erase(ids)) : ok(undefined),
};
const role = 'search';
serveTasks(role, tasks);

const sync = (library: string, index: SearchIndex): number =>
  readFrom(library, (database) => {
    const sql = preparedIn(database);
    const known = index.versions('transcript');
    const rows = sql(`SELECT t.id, t.revision, i.title FROM ${wholeTranscripts} ORDER BY i.at_ms, t.id`).all();
    const there = new Map(rows.map(({ id, revision, title }) => [String(id), `${String(revision)} ${String(title)}`]));
    const gone = [...known.keys()].filter((id) => !there.has(id));
    if (gone.length > 0) index.remove('transcript', gone);
    const changed = [...there].filter(([id, version]) => known.get(id) !== version);
    const until = performance.now() + readForMs;
    let done = 0;
    for (const [id, version] of changed) {
      if (done > 0 && performance.now() > until) break;
      index.put([{ kind: 'transcript', id, version, ...wordsOf(sql, id) }]);
      done += 1;
    }
    return changed.length - done;
  });

function wordsOf(sql: Sql, id: string) {
  const head = sql(`SELECT i.title, i.source_name, t.speakers FROM ${wholeTranscripts} WHERE t.id = ?`).get(id);
  return {
    title: String(head?.['title'] ?? ''),
    // What the screen shows of it is found too: speakers by the names they go by, and the file it was made from.
    speakers: [
      ...speakerNames(head?.['speakers']).flatMap((name, at) => name ?? wordsOfNumberedSpeaker(at + 1)),
      String(head?.['source_name'] ?? ''),
    ],
    moments: readMaskedTexts(sql, id),
  };
}

export function openSearch(workerUrl: URL, library: string, path: string): LibrarySearch {
  const thread = openTasks<typeof tasks>(workerUrl, role, { isKept: true });
  const ended = () => err(makeFailure('internal-error', { code: 'search_ended' }));
  let syncing: Promise<void> | null = null;

  const syncAll = async (): Promise<void> => {
    for (;;) {
      const left = await thread.run('sync', [path, library]);
      if (left?.ok !== true || left.value === 0) return;
    }
  };

  return {
    sync: () =>
      (syncing ??= syncAll().finally(() => {
        syncing = null;
      })),
    async put(texts) {
      await thread.run('put', [path, texts]);
    },
    search: async (request) => (await thread.run('search', [path, request])) ?? ended(),
    read: async (ref, fromMs) => (await thread.run('read', [path, ref, fromMs])) ?? ended(),
    async erase(ids) {
      await thread.run('erase', [path, ids]);
    },
    close: () => thread.close(),
  };
}
