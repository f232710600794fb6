import { join } from 'node:path';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** A restart may overlap with the last breath of the process before it. */
const patienceMs = 2_000;

/** A database that nobody refers to is closed by the garbage collector, and the lock would be gone with it. */
const held = new Set<DatabaseSync>();

/** Held as long as the process lives; the system lets go of it at any kind of death. */
export interface LibraryLock {
  release(): void;
}

/**
 * One owner at a time: an exclusive transaction on a small database of its own, which other processes can't begin
 * while it lasts. Throws SQLITE_BUSY (E-183) when somebody else has it.
 */
export function lockLibrary(folder: string): LibraryLock {
  const path = join(folder, 'library.lock');
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: patienceMs });
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
