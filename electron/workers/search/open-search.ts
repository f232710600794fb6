import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { LibrarySearch } from '../../services/library-items/library-search.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { searchRole, type SearchOutcome, type SearchTask } from './search-work.ts';

/** Merging a large index after an erasure takes seconds. */
const silenceLimitMs = 120_000;

type Work = SearchTask extends infer Task ? (Task extends SearchTask ? Omit<Task, 'library' | 'index'> : never) : never;

/** The search of one library in a thread of its own. `library` and `index` are their files. */
export function openSearch(workerUrl: URL, library: string, index: string): LibrarySearch {
  const thread = new WorkThread<SearchTask, SearchOutcome>({
    workerUrl,
    workerData: searchRole,
    silenceLimitMs,
    lost: () => ({ kind: 'failed', failure: makeFailure('E-230', { code: 'search_ended' }) }),
  });
  const ended = makeFailure('E-230', { code: 'search_ended' });
  const failureOf = (outcome: SearchOutcome) => (outcome.kind === 'failed' ? outcome.failure : ended);
  const run = (work: Work) => thread.run({ ...work, library, index } as SearchTask);
  let syncing: Promise<void> | null = null;

  const syncAll = async (): Promise<void> => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a search may come between two parts
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
