import { failureNumbers } from '../../shared/result/failure-kinds.ts';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';
import type { ClientClock } from '../api/http/transport.ts';
import { backUp, eraseFromBackups, isBackupDue, isWhole, listBackups } from '../storage/library-backups.ts';
import { openLibraryFile, type LibraryFile } from '../storage/open-library-file.ts';
import { isInRole, serveThread, WorkThread } from '../threads/work-thread.ts';

export const backupRole = { role: 'backups' } as const;

const task = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check'), path: z.string(), nowMs: z.number() }),
  /** Copies it while it is open elsewhere, when it is intact: a damaged backup would displace a good one. */
  z.object({ kind: z.literal('copy'), path: z.string(), nowMs: z.number() }),
  z.object({ kind: z.literal('erase'), path: z.string(), ids: z.array(z.string()) }),
]);
export type BackupTask = z.output<typeof task>;

/** `failed`: the disk refused, or the thread ended. */
export type BackupOutcome =
  | { readonly kind: 'checked'; readonly notice: Failure | null }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'done' | 'damaged' | 'failed' };

function work(asked: BackupTask): BackupOutcome {
  if (asked.kind === 'copy') return copy(asked.path, asked.nowMs);
  if (asked.kind === 'erase') {
    eraseFromBackups(asked.path, asked.ids);
    return { kind: 'done' };
  }
  const opened = openLibraryFile(asked.path, asked.nowMs);
  if (!opened.ok) return { kind: 'refused', failure: opened.error };
  opened.value.close();
  return { kind: 'checked', notice: opened.value.notice };
}

function copy(path: string, nowMs: number): BackupOutcome {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    if (!isWhole(database)) return { kind: 'damaged' };
    backUp(database, path, nowMs);
    return { kind: 'done' };
  } catch (error) {
    return { kind: openingFailure(error).kind === 'library-damaged' ? 'damaged' : 'failed' };
  } finally {
    database?.close();
  }
}

if (!isMainThread && isInRole(backupRole.role)) {
  serveThread((message) =>
    Promise.try(() => work(task.parse(message))).catch((): BackupOutcome => ({ kind: 'failed' })),
  );
}

/** A thread is silent while it works; a library of some gigabytes takes a fraction of this. */
const silenceLimitMs = 30 * 60_000;
const lookEveryMs = 5 * 60_000;
const patienceMs = 2_000;
const smallBytes = 4 * 1024 * 1024;

const openThread = (workerUrl: URL) =>
  new WorkThread<BackupTask, BackupOutcome>({
    workerUrl,
    workerData: backupRole,
    silenceLimitMs,
    lost: () => ({ kind: 'failed' }),
  });

const bytesOf = (path: string): number => {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
};

/** Like `openLibraryFile`, but a long check, and what it leads to, is done in a thread before the file is opened here. */
export async function openCheckedLibrary(workerUrl: URL, path: string, nowMs: number): Promise<Result<LibraryFile>> {
  if (bytesOf(path) + bytesOf(`${path}-wal`) < smallBytes) return openLibraryFile(path, nowMs);
  const thread = openThread(workerUrl);
  const outcome = await thread.run({ kind: 'check', path, nowMs });
  await thread.close();
  if (outcome.kind === 'refused') return err(outcome.failure);
  if (outcome.kind !== 'checked') return openLibraryFile(path, nowMs);
  const opened = openLibraryFile(path, nowMs, { isChecked: true });
  return opened.ok && outcome.notice !== null ? ok({ ...opened.value, notice: outcome.notice }) : opened;
}

interface BackupOptions {
  readonly workerUrl: URL;
  readonly library: string;
  readonly clock: ClientClock;
  readonly log: Logger;
  readonly firstAfterMs: number;
}

export function startBackups({ workerUrl, library, clock, log, firstAfterMs }: BackupOptions) {
  let copying: ReturnType<typeof openThread> | null = null;
  /** One after another: erasing would remove a backup that is being made. */
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;
  let cancel = clock.after(firstAfterMs, look);
  const notCopied = (kind: 'disk-full' | 'library-damaged') =>
    log.write({ event: 'library-not-copied', level: 'warn', row: failureNumbers[kind] });

  function look(): void {
    last = last
      .then(copyWhenDue)
      .catch(() => notCopied('disk-full'))
      .finally(() => {
        if (!isClosed) cancel = clock.after(lookEveryMs, look);
      });
  }

  async function copyWhenDue(): Promise<void> {
    if (isClosed || !isBackupDue(library, clock.now())) return;
    copying = openThread(workerUrl);
    const { kind } = await copying.run({ kind: 'copy', path: library, nowMs: clock.now() });
    await copying.close();
    copying = null;
    if (kind === 'done') log.write({ event: 'library-copied' });
    else if (kind === 'damaged') notCopied('library-damaged');
    else if (!isClosed) notCopied('disk-full');
  }

  async function erase(ids: readonly string[]): Promise<void> {
    if (listBackups(library).length > 0) {
      const thread = openThread(workerUrl);
      const { kind } = await thread.run({ kind: 'erase', path: library, ids: [...ids] });
      await thread.close();
      if (kind === 'done') return;
    }
    eraseFromBackups(library, ids);
  }

  return {
    settled: (): Promise<void> => last,
    erase(ids: readonly string[]): Promise<void> {
      const erased = last.then(() => erase(ids));
      last = erased.catch(() => undefined);
      return erased;
    },
    async close(): Promise<void> {
      isClosed = true;
      cancel();
      const timer = setTimeout(() => void copying?.close(), patienceMs);
      await last;
      clearTimeout(timer);
    },
  };
}
