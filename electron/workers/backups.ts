import { failureNumbers } from '../../shared/result/failure-kinds.ts';
import { statSync } from 'node:fs';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';
import type { ClientClock } from '../service/transport.ts';
import { backUp, eraseFromBackups, isBackupDue, listBackups } from '../storage/library-backups.ts';
import { openLibraryFile, type LibraryFile } from '../storage/open-library-file.ts';
import { isWhole, readFrom } from '../storage/sqlite-database.ts';
import { openTasks, serveTasks } from '../threads/work-thread.ts';

const tasks = {
  /** Opens it, which restores it when it is damaged. */
  check(path: string, nowMs: number): Result<Failure | null> {
    const opened = openLibraryFile(path, nowMs);
    if (!opened.ok) return opened;
    opened.value.close();
    return ok(opened.value.notice);
  },
  /** Copies it while it is open elsewhere, when it is intact: a damaged backup would displace a good one. */
  copy(path: string, nowMs: number): 'done' | 'damaged' | 'failed' {
    try {
      return readFrom(path, (database) => {
        if (!isWhole(database)) return 'damaged';
        backUp(database, path, nowMs);
        return 'done';
      });
    } catch (error) {
      return openingFailure(error).kind === 'library-damaged' ? 'damaged' : 'failed';
    }
  },
  erase(path: string, ids: readonly string[]): 'done' {
    eraseFromBackups(path, ids);
    return 'done';
  },
};
const role = 'backups';
serveTasks(role, tasks);

/** A thread is silent while it works; a library of some gigabytes takes a fraction of this. */
const silenceLimitMs = 30 * 60_000;
const lookEveryMs = 5 * 60_000;
const patienceMs = 2_000;
const smallBytes = 4 * 1024 * 1024;

const openThreads = (workerUrl: URL) => openTasks<typeof tasks>(workerUrl, role, { silenceLimitMs });

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
  const checked = await openThreads(workerUrl).run('check', [path, nowMs]);
  if (checked?.ok === false) return checked;
  const opened = openLibraryFile(path, nowMs, { isChecked: checked !== null });
  return opened.ok && checked?.value != null ? ok({ ...opened.value, notice: checked.value }) : opened;
}

interface BackupOptions {
  readonly workerUrl: URL;
  readonly library: string;
  readonly clock: ClientClock;
  readonly log: Logger;
  readonly firstAfterMs: number;
}

export function startBackups({ workerUrl, library, clock, log, firstAfterMs }: BackupOptions) {
  const threads = openThreads(workerUrl);
  const copying = new AbortController();
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
    const copied = await threads.run('copy', [library, clock.now()], copying.signal);
    if (copied === 'done') log.write({ event: 'library-copied' });
    else if (copied === 'damaged') notCopied('library-damaged');
    else if (!isClosed) notCopied('disk-full');
  }

  async function erase(ids: readonly string[]): Promise<void> {
    const isLong = listBackups(library).length > 0;
    const done = isLong ? await threads.run('erase', [library, ids]) : null;
    if (done === null) eraseFromBackups(library, ids);
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
      const timer = setTimeout(() => copying.abort(), patienceMs);
      await last;
      clearTimeout(timer);
    },
  };
}
