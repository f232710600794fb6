import { syncFolderNow, writeWholeNow } from '../platform/node/place-file.ts';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, type Result } from '../../shared/result/result.ts';
import { read } from './sqlite-database.ts';

const placeName = 'library-place';
export const takesFolderName = 'dictation';

/** In a file of its own, so that damaged settings never make a moved library look empty. */
export function libraryRootOf(root: string): string {
  const path = join(root, placeName);
  if (!existsSync(path)) return root;
  const text = readFileSync(path, 'utf8').trim();
  return isAbsolute(text) ? text : join(root, 'library-place-unreadable');
}

/** Stores the folder, durable when this returns; the data folder itself needs no file. */
export function rememberLibraryRoot(root: string, libraryRoot: string): void {
  const path = join(root, placeName);
  if (libraryRoot === root) rmSync(path, { force: true });
  else writeWholeNow(path, libraryRoot);
  syncFolderNow(root);
}

const patienceMs = 2_000;

/** An unreferenced database is closed by the garbage collector, which would release the lock. */
const held = new Set<DatabaseSync>();

export type LibraryLock = ReturnType<typeof lockLibrary>;

/** An exclusive transaction on a database of its own. Throws SQLITE_BUSY (already-open). */
export function lockLibrary(folder: string, waitMs = patienceMs) {
  const path = join(folder, 'library.lock');
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  held.add(database);
  return {
    release: (): void => {
      held.delete(database);
      if (database.isOpen) database.close();
    },
  };
}

export function isLibraryLocked(folder: string): boolean {
  if (!existsSync(join(folder, 'library.lock'))) return false;
  try {
    lockLibrary(folder, 0).release();
    return false;
  } catch {
    return true;
  }
}

const reserveBytes = 2 * 1024 * 1024;

/** Reserved disk space of 2 MiB, so that states can still be written when the disk is full (disk-full). */
export function keepReserve(folder: string) {
  const path = join(folder, 'reserve.bin');
  let isMissing = !existsSync(path);
  let triedAtMs = 0;

  const take = () => {
    try {
      writeFileSync(path, Buffer.alloc(reserveBytes, 1), { mode: 0o600, flush: true });
      isMissing = false;
    } catch {
      rmSync(path, { force: true });
    }
  };
  if (isMissing) take();
  return {
    release: (): void => {
      isMissing = true;
      rmSync(path, { force: true });
    },
    refill: (): void => {
      const nowMs = performance.now();
      if (!isMissing || nowMs - triedAtMs < 10_000) return;
      triedAtMs = nowMs;
      try {
        const { bavail, bsize } = statfsSync(folder);
        // Almost full, the disk would be filled by it again, and the next write fail.
        if (bavail * bsize > 4 * reserveBytes) take();
      } catch {
        // Nobody knows how much room there is.
      }
    },
  };
}

/** SQLite goes on writing into a deleted or moved file without an error; Windows forbids removing it. */
function watchFileIdentity(path: string): () => boolean {
  if (process.platform === 'win32') return () => true;
  const at = () => {
    try {
      return statSync(path, { bigint: true });
    } catch {
      return null;
    }
  };
  const first = at();
  return () => {
    const now = at();
    return now !== null && now.ino === first?.ino && now.dev === first.dev;
  };
}

/** Refuses writes to a file that is no longer in place (data-folder-unwritable). */
export function guardWrites({ database, path }: { readonly database: DatabaseSync; readonly path: string }) {
  const isInPlace = watchFileIdentity(path);
  const reserve = keepReserve(dirname(path));
  /** On a full disk the reserve is released; from then on the log is merged often and stays short. */
  return <T>(transact: () => Result<T>): Result<T> => {
    if (!isInPlace()) return err(localFailure('data-folder-unwritable'));
    const first = transact();
    if (first.ok) reserve.refill();
    if (first.ok || first.error.kind !== 'disk-full') return first;
    reserve.release();
    const merged = read(() => database.exec('PRAGMA wal_autocheckpoint = 25; PRAGMA wal_checkpoint(PASSIVE)'));
    return merged.ok ? transact() : merged;
  };
}
