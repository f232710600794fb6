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
  /** E-182 when a damaged file was put aside; the library then holds what its newest good copy held. */
  readonly notice: Failure | null;
  /** False when somebody deleted or moved the file while it is open. */
  readonly isInPlace: () => boolean;
  /** There was nothing before. */
  readonly isNew: boolean;
  /** Damage was found while it is open: the next start looks into all of it, and heals it. */
  readonly distrust: () => void;
  /** The same for as long as nobody has read it, over restarts. */
  readonly recovery: LibraryRecovery;
  /** Marks a clean end, closes and lets go of the lock. */
  close(): void;
}

/** What is done here, and who hears of it. */
export interface Healing {
  /** Leaves whatever may take long to a worker thread: E-182, with `workLeft` where only a look tells more. */
  readonly isHasty?: boolean;
  /** Whether a daily copy that is due is made now, before the library is open. */
  readonly copiesDaily?: boolean;
  readonly onShare?: (share: number) => void;
}

/** The code of a library that may well be whole: it is to be checked, or brought to this version, at leisure. */
export const workLeft = 'library_not_checked';

/** A library and a log that are smaller together are checked in some ten milliseconds. */
const smallBytes = 1024 * 1024;

/**
 * Opens `<folder>/library.db` as its only owner: private folder, lock, checks after an unclean end, backup when due,
 * migrations. E-183 when another process has it, E-184 when a newer version made it, E-182 is healed and reported.
 * `onShare` hears how far healing is, 0 to 1.
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
          // The next start then checks the file, which is all this mark saves.
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
 * Looks at the file without writing to it, because SQLite merges its log into a file when it is closed, and a damaged
 * one is to be kept as it was found. An empty or missing file beside copies is a library that was lost, not a new one.
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
    // Only a library whose last run ended badly has a log.
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
    // Whatever else is wrong, opening it says so better.
    return failure.row === 'E-182' ? failure : null;
  } finally {
    database?.close();
  }
}

/** SQLite opens a file whose format number it does not know for reading only, which would look like a locked folder. */
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

/** Before a migration there is a copy or no migration; the daily one must not stop a start when the disk is full. */
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

/** How the run before ended: '1' well, '0' in a crash, `foundDamaged` when it found damage. Null: it does not say. */
const lastEnd = (database: DatabaseSync): unknown =>
  database.prepare('SELECT value FROM meta WHERE key = ?').get('clean_end')?.['value'] ?? null;

const foundDamaged = 'damaged';

/**
 * Answers whether the file that is at a path now is still there. SQLite goes on writing into a file that was deleted
 * or moved away, and says nothing; all of that would be gone with the program. Windows lets nobody take an open file
 * away.
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
