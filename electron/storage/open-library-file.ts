import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { recoverAfterRestore } from '../../shared/domain/jobs/stored-job.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';
import { asidePathOf, backUp, listBackups, restoreNewest, setAside } from './library-backups.ts';
import { lockLibrary, type LibraryLock } from './library-folder.ts';
import { hasOwnSchema, migrations } from './library-schema.ts';
import {
  inTransaction,
  isWhole,
  jsonOf,
  openDatabase,
  openTables,
  openWithSteps,
  readFrom,
  rowsOf,
  runSteps,
  saveNote,
  schemaVersion,
} from './sqlite-database.ts';
import { syncFolderNow } from '../platform/node/place-file.ts';
import { readJobRow, selectJobs, type StoredJobRow } from './sqlite-rows.ts';

export interface LibraryFile {
  readonly database: DatabaseSync;
  readonly notice: Failure | null;
  readonly path: string;
  readonly isNew: boolean;
  readonly recovery: LibraryRecovery;
  readonly close: () => void;
}

/** already-open when another process has it, library-newer when a newer version made it; damage is repaired. */
export function openLibraryFile(
  path: string,
  nowMs: number,
  { isChecked = false }: { readonly isChecked?: boolean } = {},
): Result<LibraryFile> {
  let lock: LibraryLock | null = null;
  try {
    ensurePrivateFolder(dirname(path));
    const wasThere = existsSync(path) && statSync(path).size > 0;
    lock = lockLibrary(dirname(path));
    const tryOpen = () => openWithSteps(path, migrations, (database) => backUp(database, path, nowMs));
    finishRestore(path);
    const trouble = isChecked ? null : findTrouble(path);
    let opened = trouble === null ? tryOpen() : err(trouble);
    const wasRestored = !opened.ok && opened.error.kind === 'library-damaged';
    if (wasRestored) {
      restoreLibrary(path, nowMs);
      opened = tryOpen();
    }
    if (!opened.ok) {
      lock.release();
      return opened;
    }
    const database = opened.value;
    const owned = lock;
    const recovery = recoveryOf(database, path);
    return ok({
      database,
      notice: wasRestored ? recovery.report() : null,
      isNew: !wasThere,
      path,
      recovery,
      close: () => {
        database.close();
        owned.release();
      },
    });
  } catch (error) {
    lock?.release();
    return err(openingFailure(error));
  }
}

// Without writing: SQLite merges its log on closing, and a damaged file is kept as it was found.
// Next to backups an empty or missing file is a lost library, not a new one.
function findTrouble(path: string): Failure | null {
  const damaged = localFailure('library-damaged');
  if (!existsSync(path) || statSync(path).size === 0) return listBackups(path).length > 0 ? damaged : null;
  try {
    if (!hasKnownFormat(path)) return damaged;
    return readFrom(path, (database) => {
      const version = schemaVersion(database);
      if (version === 0) {
        const isForeign = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
        return isForeign || listBackups(path).length > 0 ? damaged : null;
      }
      if (version > migrations.length) return localFailure('library-newer');
      return hasOwnSchema(database, version) && isWhole(database) ? null : damaged;
    });
  } catch (error) {
    const failure = openingFailure(error);
    // Opening it reports any other problem better.
    return failure.kind === 'library-damaged' ? failure : null;
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

const workPathOf = (path: string): string => path.replace(/\.db$/, '.restoring');

/** The key under which the library stores that it was restored, until the user has read it. */
const metaKey = 'recovery';
const stored = lazySchema(() => z.object({ restoredFromMs: z.number().nullable(), aside: z.string() }));

/** The replacement is completed beside the damaged file first: the program may die at any moment. */
function restoreLibrary(path: string, nowMs: number): void {
  const work = workPathOf(path);
  const restoredFromMs = restoreNewest(path, work);
  const database = openDatabase(work);
  try {
    runSteps(database, migrations);
    if (restoredFromMs !== null) inTransaction(database, () => askBeforeSending(database, restoredFromMs));
    const aside = basename(asidePathOf(path, nowMs));
    const value = JSON.stringify({ restoredFromMs, aside } satisfies z.output<ReturnType<typeof stored>>);
    database.prepare(saveNote).run({ key: metaKey, value });
  } finally {
    database.close();
  }
  const file = openSync(work, 'r+');
  fsyncSync(file);
  closeSync(file);
  setAside(path, nowMs);
  renameSync(work, path);
  syncFolderNow(dirname(path));
}

/** Of a restore that died after the damaged file was set aside; one that died earlier starts over. */
function finishRestore(path: string): void {
  const work = workPathOf(path);
  if (!existsSync(path) && existsSync(work) && !existsSync(`${work}-wal`)) renameSync(work, path);
}

/** Rows that a backup knows as not sent may have been sent, and paid for, since it was made. */
function askBeforeSending(database: DatabaseSync, knownAtMs: number): void {
  const save = database.prepare('UPDATE jobs SET tag = ?, memory = ? WHERE id = ?');
  for (const job of rowsOf<StoredJobRow>(database.prepare(selectJobs)).map(readJobRow)) {
    const memory = recoverAfterRestore(job.memory, knownAtMs);
    if (memory !== job.memory) save.run(memory.state.tag, JSON.stringify(memory), job.id);
  }
}

/** What happened to a damaged library, kept in its replacement until the user has read it. */
function recoveryOf(database: DatabaseSync, path: string) {
  const { note, run } = openTables(database);
  const read = () => {
    const found = note(metaKey);
    return (found.ok && stored().safeParse(jsonOf(found.value)).data) || null;
  };
  return {
    report(): Failure | null {
      const found = read();
      if (found === null) return null;
      const { restoredFromMs: date } = found;
      const facts = date === null ? { code: 'library_new' } : { code: 'library_restored', params: { date } };
      return localFailure('library-damaged', facts);
    },
    /** For main only, because it is a path; null when it was removed. */
    damagedFile(): string | null {
      const found = read();
      const file = found && join(dirname(path), basename(found.aside));
      return file !== null && existsSync(file) ? file : null;
    },
    acknowledge: (): void => void run('DELETE FROM meta WHERE key = ?', metaKey),
  };
}

export type LibraryRecovery = ReturnType<typeof recoveryOf>;
