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
 * Puts in the place of a damaged library what its newest good copy and the damaged file itself still hold, and the
 * damaged file aside. It is made whole beside the damaged one first: a copy never serves before it was compared with
 * what came after it, whenever the program dies. Gives when the copy was made (Unix ms); null without one. `onShare` hears
 * how much of it is done, 0 to 1.
 */
export function restoreLibrary(path: string, nowMs: number, onShare: (share: number) => void): number | null {
  const work = workPathOf(path);
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(work + suffix, { force: true });
  const restoredFrom = restoreNewest(path, work);
  const restoredFromMs = restoredFrom === null ? null : Math.round(restoredFrom);
  const damagedTranscriptCount = countDamaged(path);
  const database = openDatabase(work);
  try {
    // Nobody needs this file before it is whole, so it is made durable once, at its end.
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

/** Ends a restore in which the program died after the damaged file was put aside. An earlier one begins anew. */
export function finishRestore(path: string): void {
  const work = workPathOf(path);
  if (!existsSync(path) && existsSync(work) && !existsSync(`${work}-wal`)) renameSync(work, path);
}

/** What can't be read at all must not keep the copy from serving; then only the rows of the copy are looked after. */
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
