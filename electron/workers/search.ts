import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { ItemRef } from '../../shared/domain/library/library-item.ts';
import { wordsOfNumberedSpeaker } from '../../shared/domain/search/search-query.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type {
  IndexedText,
  LibrarySearch,
  ReadMoment,
  SearchAnswer,
  SearchRequest,
} from '../services/library-items/library-items.ts';
import { openSearchIndex, type SearchIndex } from '../storage/search-index.ts';
import { wholeTranscripts } from '../storage/sqlite-rows.ts';
import { readMaskedTexts } from '../storage/transcript-rows.ts';
import { isInRole, serveThread, WorkThread } from '../threads/work-thread.ts';

export const searchRole = { role: 'search' } as const;

export type SearchTask = { readonly library: string; readonly index: string } & (
  | { readonly kind: 'sync' }
  | { readonly kind: 'put'; readonly texts: readonly IndexedText[] }
  | { readonly kind: 'search'; readonly request: SearchRequest }
  | { readonly kind: 'read'; readonly ref: ItemRef; readonly fromMs: number }
  | { readonly kind: 'erase'; readonly ids: readonly string[] }
);

export type SearchOutcome =
  | { readonly kind: 'done'; readonly remaining: number }
  | { readonly kind: 'found'; readonly answer: SearchAnswer }
  | { readonly kind: 'read'; readonly moments: readonly ReadMoment[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** How long it reads at a time, so that a search never waits for longer. */
const readForMs = 60;
const speakersColumn = z.array(z.object({ name: z.string().nullable() }));

let opened: { readonly path: string; readonly index: SearchIndex } | null = null;

function indexAt(path: string): SearchIndex {
  if (opened?.path === path) return opened.index;
  opened?.index.close();
  opened = { path, index: openSearchIndex(path) };
  return opened.index;
}

export function doSearchTask(task: SearchTask): SearchOutcome {
  try {
    // An index that was never created has nothing to erase.
    if (task.kind === 'erase' && !existsSync(task.index)) return { kind: 'done', remaining: 0 };
    const index = indexAt(task.index);
    switch (task.kind) {
      case 'sync':
        return { kind: 'done', remaining: sync(task.library, index) };
      case 'put': {
        const known = new Map(task.texts.map(({ kind }) => [kind, index.versions(kind)]));
        const changed = task.texts.filter(({ kind, id, version }) => known.get(kind)?.get(id) !== version);
        index.put(changed.map((text) => ({ ...text, speakers: [] })));
        return { kind: 'done', remaining: 0 };
      }
      case 'search':
        return { kind: 'found', answer: index.search(task.request) };
      case 'read':
        return { kind: 'read', moments: index.read(task.ref, task.fromMs) };
      case 'erase':
        index.erase(task.ids);
        return { kind: 'done', remaining: 0 };
    }
  } catch {
    opened?.index.close();
    opened = null;
    return { kind: 'failed', failure: localFailure('library-damaged', { code: 'search_index' }) };
  }
}

function sync(library: string, index: SearchIndex): number {
  const database = new DatabaseSync(library, { readOnly: true, timeout: 5_000, allowExtension: false });
  try {
    const known = index.versions('transcript');
    const rows = database
      .prepare(`SELECT t.id, t.revision, i.title FROM ${wholeTranscripts} ORDER BY i.at_ms, t.id`)
      .all();
    const there = new Map(rows.map(({ id, revision, title }) => [String(id), `${String(revision)} ${String(title)}`]));
    const gone = [...known.keys()].filter((id) => !there.has(id));
    if (gone.length > 0) index.remove('transcript', gone);
    const changed = [...there].filter(([id, version]) => known.get(id) !== version);
    const until = performance.now() + readForMs;
    let done = 0;
    for (const [id, version] of changed) {
      if (done > 0 && performance.now() > until) break;
      index.put([{ kind: 'transcript', id, version, ...wordsOf(database, id) }]);
      done += 1;
    }
    return changed.length - done;
  } finally {
    database.close();
  }
}

function wordsOf(database: DatabaseSync, id: string) {
  const head = database
    .prepare(`SELECT i.title, i.source_name, t.speakers FROM ${wholeTranscripts} WHERE t.id = ?`)
    .get(id);
  const speakers = speakersColumn.safeParse(JSON.parse(String(head?.['speakers'] ?? '[]')));
  return {
    title: String(head?.['title'] ?? ''),
    // What the screen shows of it is found too: speakers by the names they go by, and the file it was made from.
    speakers: [
      ...(speakers.success ? speakers.data.flatMap(({ name }, at) => name ?? wordsOfNumberedSpeaker(at + 1)) : []),
      String(head?.['source_name'] ?? ''),
    ],
    moments: readMaskedTexts(database, id),
  };
}

// Only this app sends messages here, and they are typed there.
if (!isMainThread && isInRole(searchRole.role)) serveThread(async (message) => doSearchTask(message as SearchTask));

const silenceLimitMs = 120_000;

type Work = SearchTask extends infer Task ? (Task extends SearchTask ? Omit<Task, 'library' | 'index'> : never) : never;

export function openSearch(workerUrl: URL, library: string, index: string): LibrarySearch {
  const thread = new WorkThread<SearchTask, SearchOutcome>({
    workerUrl,
    workerData: searchRole,
    silenceLimitMs,
    lost: () => ({ kind: 'failed', failure: makeFailure('internal-error', { code: 'search_ended' }) }),
  });
  const ended = makeFailure('internal-error', { code: 'search_ended' });
  const failureOf = (outcome: SearchOutcome) => (outcome.kind === 'failed' ? outcome.failure : ended);
  const run = (work: Work) => thread.run({ ...work, library, index } as SearchTask);
  let syncing: Promise<void> | null = null;

  const syncAll = async (): Promise<void> => {
    for (;;) {
      const outcome = await run({ kind: 'sync' });
      if (outcome.kind !== 'done' || outcome.remaining === 0) return;
    }
  };
  const sync = (): Promise<void> =>
    (syncing ??= syncAll().finally(() => {
      syncing = null;
    }));

  return {
    sync,
    async put(texts) {
      await run({ kind: 'put', texts });
    },
    async search(request) {
      const outcome = await run({ kind: 'search', request });
      return outcome.kind === 'found' ? ok(outcome.answer) : err(failureOf(outcome));
    },
    async read(ref, fromMs) {
      const outcome = await run({ kind: 'read', ref, fromMs });
      return outcome.kind === 'read' ? ok(outcome.moments) : err(failureOf(outcome));
    },
    async erase(ids) {
      await run({ kind: 'erase', ids });
    },
    close: () => thread.close(),
  };
}
