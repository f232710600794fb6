import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { backUp, isBackupDue, restoreNewest, setAside } from './library-backups.ts';
import { lockLibrary, type LibraryLock } from './library-lock.ts';
import { ensurePrivateFolder } from './private-folder.ts';
import { inTransaction, openDatabase } from './sqlite-database.ts';
import { migrations } from './sqlite-migrations.ts';
import { libraryFailure } from './storage-failure.ts';

export interface LibraryFile {
  readonly database: DatabaseSync;
  /** E-182 when a damaged file was put aside; the library then holds what its newest good copy held. */
  readonly notice: Failure | null;
  /** Marks a clean end, closes and lets go of the lock. */
  close(): void;
}

/**
 * Opens `<folder>/library.db` as its only owner: private folder, lock, checks after an unclean end, backup when due,
 * migrations. E-183 when another process has it, E-184 when a newer version made it, E-182 is healed and told of.
 */
export function openLibraryFile(path: string, nowMs: number): Result<LibraryFile> {
  let lock: LibraryLock | null = null;
  try {
    ensurePrivateFolder(dirname(path));
    lock = lockLibrary(dirname(path));
    const opened = openChecked(path, nowMs);
    if (!opened.ok) {
      lock.release();
      return opened;
    }
    const { database, notice } = opened.value;
    const owned = lock;
    return ok({
      database,
      notice,
      close: () => {
        try {
          setMeta(database, 'clean_end', '1');
        } catch {
          // The next start then checks the file, which is all this mark saves.
        }
        database.close();
        owned.release();
      },
    });
  } catch (error) {
    lock?.release();
    return err(libraryFailure(error));
  }
}

function openChecked(path: string, nowMs: number): Result<{ database: DatabaseSync; notice: Failure | null }> {
  const first = tryOpen(path, nowMs);
  if (first.ok) return ok({ database: first.value, notice: null });
  if (first.error.row !== 'E-182') return first;
  setAside(path, nowMs);
  const restoredFrom = restoreNewest(path);
  const second = tryOpen(path, nowMs);
  if (!second.ok) return second;
  const notice = localFailure(
    'E-182',
    restoredFrom === null ? { code: 'library_new' } : { params: { date: Math.round(restoredFrom) } },
  );
  return ok({ database: second.value, notice });
}

function tryOpen(path: string, nowMs: number): Result<DatabaseSync> {
  const wasThere = existsSync(path);
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase(path);
    const version = schemaVersion(database);
    if (version > migrations.length) {
      database.close();
      return err(localFailure('E-184'));
    }
    if (wasThere && version > 0 && !endedCleanly(database)) {
      const check = database.prepare('PRAGMA quick_check').get();
      if (check?.['quick_check'] !== 'ok') {
        database.close();
        return err(localFailure('E-182'));
      }
    }
    if (version > 0 && (version < migrations.length || isBackupDue(path, nowMs))) backUp(database, path, nowMs);
    migrate(database, version);
    setMeta(database, 'clean_end', '0');
    return ok(database);
  } catch (error) {
    if (database?.isOpen) database.close();
    return err(libraryFailure(error));
  }
}

const schemaVersion = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

const endedCleanly = (database: DatabaseSync): boolean =>
  database.prepare('SELECT value FROM meta WHERE key = ?').get('clean_end')?.['value'] === '1';

function setMeta(database: DatabaseSync, key: string, value: string): void {
  database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

function migrate(database: DatabaseSync, from: number): void {
  for (const [index, step] of migrations.entries()) {
    if (index < from) continue;
    inTransaction(database, () => {
      database.exec(step);
      // The only statement that takes no parameters; the number is ours.
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
