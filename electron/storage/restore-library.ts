import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { SalvagedCounts } from '../services/library/recovery.ts';
import { syncFolderNow } from '../platform/node/atomic-file.ts';
import { asidePathOf, restoreNewest, setAside } from './library-backups.ts';
import { countDamaged, rememberRecovery } from './library-recovery.ts';
import { migrate, schemaVersion } from './library-schema.ts';
import { salvageLibrary } from './salvage/salvage-library.ts';
import { openDatabase } from './sqlite-database.ts';

const workPathOf = (path: string): string => path.replace(/\.db$/, '.restoring');

const workCacheKiB = 128 * 1024;

function makeDurable(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a damaged library with what its newest good backup and the damaged file itself still contain, and sets the
 * damaged file aside. The replacement is completed next to the damaged file first: a backup is never used before it was
 * compared with what came after it, whenever the program dies. Returns when the backup was made (Unix ms); null without
 * one. `onShare` gets the progress, 0 to 1.
 */
export function restoreLibrary(path: string, nowMs: number, onShare: (share: number) => void): number | null {
  const work = workPathOf(path);
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(work + suffix, { force: true });
  const restoredFrom = restoreNewest(path, work);
  const restoredFromMs = restoredFrom === null ? null : Math.round(restoredFrom);
  const damagedTranscriptCount = countDamaged(path);
  const database = openDatabase(work);
  try {
    // Nothing needs this file before it is complete, so it is flushed once, at its end.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('PRAGMA synchronous = OFF');
    database.exec(`PRAGMA cache_size = ${-workCacheKiB}`);
    migrate(database, schemaVersion(database));
    const salvaged = salvage(database, path, restoredFromMs, onShare);
    const asidePath = asidePathOf(path, nowMs);
    rememberRecovery(database, { atMs: nowMs, restoredFromMs, damagedTranscriptCount, asidePath, salvaged });
  } finally {
    database.close();
  }
  makeDurable(work);
  setAside(path, nowMs);
  renameSync(work, path);
  syncFolderNow(dirname(path));
  return restoredFromMs;
}

/**
 * Completes a restore during which the program died after the damaged file was set aside. One that died earlier starts
 * over.
 */
export function finishRestore(path: string): void {
  const work = workPathOf(path);
  if (!existsSync(path) && existsSync(work) && !existsSync(`${work}-wal`)) renameSync(work, path);
}

/** An unreadable file must not prevent the use of the backup; then only the rows of the backup are processed. */
function salvage(
  database: DatabaseSync,
  path: string,
  knownAtMs: number | null,
  onShare: (share: number) => void,
): SalvagedCounts {
  try {
    return salvageLibrary(database, existsSync(path) ? path : null, knownAtMs, onShare);
  } catch {
    return salvageLibrary(database, null, knownAtMs, onShare);
  }
}
