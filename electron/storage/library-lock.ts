import { join } from 'node:path';
import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A restart may overlap with the end of the previous process. */
const patienceMs = 2_000;

/** An unreferenced database is closed by the garbage collector, which would release the lock. */
const held = new Set<DatabaseSync>();

/** Held as long as the process lives; the system releases it however the process ends. */
export interface LibraryLock {
  release(): void;
}

/**
 * Guarantees one owner: an exclusive transaction on a small separate database, which no other process can begin
 * meanwhile. Throws SQLITE_BUSY (E-183) when another process has it.
 */
export function lockLibrary(folder: string, waitMs = patienceMs): LibraryLock {
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
    release: () => {
      held.delete(database);
      if (database.isOpen) database.close();
    },
  };
}

/** Whether another process has the library open; nothing is created. */
export function isLibraryLocked(folder: string): boolean {
  if (!existsSync(join(folder, 'library.lock'))) return false;
  try {
    lockLibrary(folder, 0).release();
    return false;
  } catch {
    return true;
  }
}
