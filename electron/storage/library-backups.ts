import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  copyFileSync,
  chmodSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';

const kept = 3;
const dayMs = 24 * 3_600_000;
const unfinished = '.part';

/** `20261120T175901234Z`: sorts by time and is a valid name everywhere. */
const stamp = (nowMs: number): string => new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');

const folderFor = (databasePath: string): string => join(dirname(databasePath), 'backups');

/** Backups of the library, newest first. */
export function listBackups(databasePath: string): readonly string[] {
  const folder = folderFor(databasePath);
  if (!existsSync(folder)) return [];
  const prefix = `${basename(databasePath, '.db')}-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.db'))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/** Whether the newest backup is older than a day. */
export function isBackupDue(databasePath: string, nowMs: number): boolean {
  const [newest] = listBackups(databasePath);
  return newest === undefined || nowMs - statSync(newest).mtimeMs > dayMs;
}

/**
 * Copies the open database into `backups/` with SQLite itself (never by copying a live file); keeps the last three. A
 * backup counts only once it is complete.
 */
export function backUp(database: DatabaseSync, databasePath: string, nowMs: number): void {
  const folder = folderFor(databasePath);
  ensurePrivateFolder(folder);
  dropUnfinished(databasePath);
  const target = join(folder, `${basename(databasePath, '.db')}-${stamp(nowMs)}.db`);
  const work = target + unfinished;
  // The backup contains the state at its start, and a restore goes by its time stamp.
  const begunAt = new Date();
  const file = openSync(work, 'wx', 0o600);
  try {
    database.prepare('VACUUM INTO ?').run(work);
    fsyncSync(file);
    utimesSync(work, begunAt, begunAt);
    renameSync(work, target);
  } catch (error) {
    rmSync(work, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  for (const old of listBackups(databasePath).slice(kept)) rmSync(old, { force: true });
}

/** Deletes backups during which the program ended; the caller makes sure that none is being made. */
export function dropUnfinished(databasePath: string): void {
  const folder = folderFor(databasePath);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(unfinished)) rmSync(join(folder, name), { force: true });
}

/** SQLite's integrity check of all pages; `thoroughly`: of the indexes too. */
export const isWhole = (database: DatabaseSync, thoroughly: boolean): boolean =>
  thoroughly
    ? database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok'
    : database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';

/** Whether a file is an intact database with our tables. */
function isGood(path: string): boolean {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    return isWhole(database, false) && database.prepare('SELECT count(*) FROM jobs').get() !== undefined;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}

/** The path to which a library found damaged at this time is moved (Unix ms). */
export const asidePathOf = (databasePath: string, nowMs: number): string =>
  join(dirname(databasePath), `${basename(databasePath, '.db')}.corrupt-${stamp(nowMs)}`);

/** Moves a damaged library (and SQLite's files next to it) to a name with the time; nothing is deleted. */
export function setAside(databasePath: string, nowMs: number): void {
  const aside = asidePathOf(databasePath, nowMs);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, aside + suffix);
  }
}

/** Writes the newest good backup to `target`; null when there is none. Returns the time it was made (Unix ms). */
export function restoreNewest(databasePath: string, target: string): number | null {
  for (const backup of listBackups(databasePath)) {
    if (!isGood(backup)) continue;
    copyFileSync(backup, target);
    chmodSync(target, 0o600);
    return statSync(backup).mtimeMs;
  }
  return null;
}
