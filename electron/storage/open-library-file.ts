import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { LibraryRecovery } from '../services/library/recovery.ts';
import { backUp, isBackupDue, isWhole, listBackups } from './library-backups.ts';
import { recoveryOf } from './library-recovery.ts';
import { lockLibrary, type LibraryLock } from './library-lock.ts';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';
import { hasOwnSchema, migrate, schemaVersion, setMeta } from './library-schema.ts';
import { finishRestore, restoreLibrary } from './restore-library.ts';
import { openDatabase } from './sqlite-database.ts';
import { isLogDamaged } from './sqlite-log.ts';
import { migrations } from './sqlite-migrations.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';

export interface LibraryFile {
  readonly database: DatabaseSync;
  /** E-182 when a damaged file was set aside; the library then contains what its newest good backup contained. */
  readonly notice: Failure | null;
  /** False when the file was deleted or moved while it is open. */
  readonly isInPlace: () => boolean;
  /** There was nothing before. */
  readonly isNew: boolean;
  /** Called when damage was found in the open library: the next start checks all of it, and repairs it. */
  readonly distrust: () => void;
  /** The same until the user has read it, across restarts. */
  readonly recovery: LibraryRecovery;
  /** Records a clean end, closes and releases the lock. */
  close(): void;
}

/** What is done here, and who hears of it. */
export interface Healing {
  /** Leaves long work to a worker thread: E-182, with `workLeft` where only a full check could tell. */
  readonly isHasty?: boolean;
  /** Whether a daily backup that is due is made now, before the library is open. */
  readonly copiesDaily?: boolean;
  readonly onShare?: (share: number) => void;
}

/** The code for a library that may well be intact: it still has to be checked or migrated in a thread. */
export const workLeft = 'library_not_checked';

/** A library and a log smaller than this together are checked in some ten milliseconds. */
const smallBytes = 1024 * 1024;

/**
 * Opens `<folder>/library.db` as its only owner: private folder, lock, checks after an unclean end, backup when due,
 * migrations. E-183 when another process has it, E-184 when a newer version made it; E-182 is repaired and reported.
 * `onShare` gets the progress of the repair, 0 to 1.
 */
export function openLibraryFile(path: string, nowMs: number, healing: Healing = {}): Result<LibraryFile> {
  let lock: LibraryLock | null = null;
  try {
    ensurePrivateFolder(dirname(path));
    const wasThere = existsSync(path) && statSync(path).size > 0;
    lock = lockLibrary(dirname(path));
    const opened = openChecked(path, nowMs, healing);
    if (!opened.ok) {
      lock.release();
      return opened;
    }
    const { database, notice } = opened.value;
    const owned = lock;
    let isTrusted = true;
    return ok({
      database,
      notice,
      isNew: !wasThere,
      distrust: () => {
        isTrusted = false;
        setMeta(database, 'clean_end', foundDamaged);
      },
      isInPlace: watchFileIdentity(path),
      recovery: recoveryOf(database, path),
      close: () => {
        try {
          if (isTrusted) setMeta(database, 'clean_end', '1');
        } catch {
          // This mark only saves the check at the next start.
        }
        database.close();
        owned.release();
      },
    });
  } catch (error) {
    lock?.release();
    return err(openingFailure(error));
  }
}

function openChecked(
  path: string,
  nowMs: number,
  { isHasty = false, copiesDaily = true, onShare = () => undefined }: Healing,
): Result<{ database: DatabaseSync; notice: Failure | null }> {
  finishRestore(path);
  const trouble = findTrouble(path, isHasty);
  const first = trouble === null ? tryOpen(path, nowMs, copiesDaily) : err(trouble);
  if (first.ok) return ok({ database: first.value, notice: null });
  if (first.error.row !== 'E-182' || isHasty) return first;
  const restoredFromMs = restoreLibrary(path, nowMs, onShare);
  const second = tryOpen(path, nowMs, copiesDaily);
  if (!second.ok) return second;
  const notice = localFailure(
    'E-182',
    restoredFromMs === null ? { code: 'library_new' } : { params: { date: restoredFromMs } },
  );
  return ok({ database: second.value, notice });
}

/**
 * Checks the file without writing to it, because SQLite merges its log into a file on closing, and a damaged one must
 * be kept as it was found. An empty or missing file next to backups is a lost library, not a new one.
 */
function findTrouble(path: string, isHasty: boolean): Failure | null {
  const damaged = localFailure('E-182');
  const wasThere = existsSync(path);
  if (!wasThere || statSync(path).size === 0) return listBackups(path).length > 0 ? damaged : null;
  let database: DatabaseSync | null = null;
  try {
    if (!hasKnownFormat(path)) return damaged;
    const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const isLeft = isHasty && statSync(path).size + logBytes > smallBytes;
    // Only a library whose last run crashed has a log.
    if (isLeft && logBytes > 0) return localFailure('E-182', { code: workLeft });
    if (isLogDamaged(path)) return damaged;
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    const version = schemaVersion(database);
    if (version === 0) {
      const isForeign = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
      return isForeign || listBackups(path).length > 0 ? damaged : null;
    }
    if (version > migrations.length) return localFailure('E-184');
    if (!hasOwnSchema(database, version)) return damaged;
    const end = lastEnd(database);
    if (isLeft && (end !== '1' || version < migrations.length)) return localFailure('E-182', { code: workLeft });
    return end === '1' || isWhole(database, end === foundDamaged) ? null : damaged;
  } catch (error) {
    const failure = openingFailure(error);
    // Opening it reports any other problem better.
    return failure.row === 'E-182' ? failure : null;
  } finally {
    database?.close();
  }
}

/** SQLite opens a file with an unknown format number read-only, which would look like a locked folder. */
function hasKnownFormat(path: string): boolean {
  const header = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return [header[18], header[19]].every((format) => format === 1 || format === 2);
}

function tryOpen(path: string, nowMs: number, copiesDaily: boolean): Result<DatabaseSync> {
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase(path);
    const version = schemaVersion(database);
    if (version > 0) copyWhenDue(database, path, version, nowMs, copiesDaily);
    migrate(database, version);
    setMeta(database, 'clean_end', '0');
    return ok(database);
  } catch (error) {
    if (database?.isOpen) database.close();
    return err(openingFailure(error));
  }
}

/** A migration requires a backup; but the daily backup must not stop a start when the disk is full. */
function copyWhenDue(database: DatabaseSync, path: string, version: number, nowMs: number, copiesDaily: boolean): void {
  if (version < migrations.length) backUp(database, path, nowMs);
  else if (copiesDaily && isBackupDue(path, nowMs)) {
    try {
      backUp(database, path, nowMs);
    } catch (error) {
      if (openingFailure(error).row === 'E-182') throw error;
    }
  }
}

/** How the previous run ended: '1' cleanly, '0' in a crash, `foundDamaged` when it found damage. Null: not recorded. */
const lastEnd = (database: DatabaseSync): unknown =>
  database.prepare('SELECT value FROM meta WHERE key = ?').get('clean_end')?.['value'] ?? null;

const foundDamaged = 'damaged';

/**
 * Tells whether the file now at a path is still the same. SQLite goes on writing into a deleted or moved file without
 * an error, and all of that would be lost with the process. Windows does not let anybody remove an open file.
 */
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
