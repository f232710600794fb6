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

/** `20261120T175901234Z`: sorts by time and is a legal name everywhere. */
const stamp = (nowMs: number): string => new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');

const folderFor = (databasePath: string): string => join(dirname(databasePath), 'backups');

/** Whole copies of the library, newest first. */
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

/** Whether the newest copy is older than a day. */
export function isBackupDue(databasePath: string, nowMs: number): boolean {
  const [newest] = listBackups(databasePath);
  return newest === undefined || nowMs - statSync(newest).mtimeMs > dayMs;
}

/**
 * Copies the open database into `backups/` by SQLite itself (never a copy of a live file); keeps the last three. It is
 * none of them before it is whole.
 */
export function backUp(database: DatabaseSync, databasePath: string, nowMs: number): void {
  const folder = folderFor(databasePath);
  ensurePrivateFolder(folder);
  dropUnfinished(databasePath);
  const target = join(folder, `${basename(databasePath, '.db')}-${stamp(nowMs)}.db`);
  const work = target + unfinished;
  // What the copy holds was true when it was begun: whoever restores it takes its age for that.
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

/** Removes copies in whose making the program ended; nobody may be making one. */
export function dropUnfinished(databasePath: string): void {
  const folder = folderFor(databasePath);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(unfinished)) rmSync(join(folder, name), { force: true });
}

/** What SQLite says of all pages; `thoroughly`: of the indexes too. */
export const isWhole = (database: DatabaseSync, thoroughly: boolean): boolean =>
  thoroughly
    ? database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok'
    : database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';

/** Whether a file is a whole database with our tables. */
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

/** Where a damaged library is put that was found at this time (Unix ms). */
export const asidePathOf = (databasePath: string, nowMs: number): string =>
  join(dirname(databasePath), `${basename(databasePath, '.db')}.corrupt-${stamp(nowMs)}`);

/** Puts a damaged library (and what SQLite keeps beside it) aside under a name that says when; nothing is deleted. */
export function setAside(databasePath: string, nowMs: number): void {
  const aside = asidePathOf(databasePath, nowMs);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, aside + suffix);
  }
}

/** Writes the newest good copy to `target`; null when there is none. Gives the time it was made (Unix ms). */
export function restoreNewest(databasePath: string, target: string): number | null {
  for (const backup of listBackups(databasePath)) {
    if (!isGood(backup)) continue;
    copyFileSync(backup, target);
    chmodSync(target, 0o600);
    return statSync(backup).mtimeMs;
  }
  return null;
}
