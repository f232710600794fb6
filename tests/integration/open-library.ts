import { join } from 'node:path';
import type { Connection } from '../../electron/service/connection.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { writeText, type NewTranscript } from '../../electron/services/library/store.ts';
import { openLibraryFile, type LibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore, type LibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { openWorkspace, type Workspace, type OpenWorkspaceOptions } from '../../electron/workspace/open-workspace.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../shared/result/result.ts';
import { addedJob } from '../support/library-to-damage.ts';

export function valueOf<T>(found: Result<T, unknown>): T {
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

export const withStore = (file: LibraryFile) => ({ ...file, store: createSqliteLibraryStore(file) });
/** The library of a folder, without anything that works on it. */
export const openStore = (folder: string) =>
  withStore(valueOf(openLibraryFile(join(folder, 'library.db'), Date.now())));

/** Stores a text as if its recording had just been transcribed. */
export function storeText(store: LibraryStore, id: string, spoken: Transcript, more: Partial<NewTranscript> = {}) {
  const job = { ...addedJob(1), id: `job-${id}` };
  valueOf(store.addJobs([job]));
  const about = {
    title: 'a',
    sourceName: 'a.wav',
    createdAtMs: 5,
    mediaPath: '/a.wav',
    mediaSha256: id.padEnd(64, '0'),
  };
  const made = { remoteId: null, rawAnswerId: null, model: null, written: writeText(spoken) };
  valueOf(
    store.commit(job, { type: 'recovered' }, 1, { transcript: { id, jobId: job.id, ...about, ...made, ...more } }),
  );
  return job;
}

export const serviceAt =
  (baseUrl: string, key = 'sk-test-0000000001') =>
  (): Connection => ({
    kind: 'service',
    baseUrl,
    key: new Secret(key),
  });
/** The whole app without a window. */
export const openApp = async (
  dataDir: string,
  source: OpenWorkspaceOptions['source'],
  more: Partial<OpenWorkspaceOptions> = {},
): Promise<Workspace> =>
  valueOf(
    await openWorkspace({
      mode: 'service',
      dataDir,
      source,
      audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
      readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
      ...more,
    }),
  );
