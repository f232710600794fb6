import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';
import type { TraceSweeper } from '../services/library/store.ts';
import { migrations } from './library-schema.ts';
import { inTransaction, isWhole, preparedIn, readFrom, runSteps, schemaVersion } from './sqlite-database.ts';
import { eraseRows } from './sqlite-erasure.ts';

const hourMs = 3_600_000;
const kept = { newest: 3, days: 4 };
const unfinished = '.part';

const stamp = (nowMs: number): string => new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');

const folderFor = (databasePath: string): string => join(dirname(databasePath), 'backups');

const withSqliteFiles = (path: string): readonly string[] => ['', '-wal', '-shm', '-journal'].map((end) => path + end);

const inFolder = (databasePath: string): readonly string[] => {
  const folder = folderFor(databasePath);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

/** The newest first. */
export const listBackups = (databasePath: string): readonly string[] =>
  inFolder(databasePath)
    .filter((path) => basename(path).startsWith(`${basename(databasePath, '.db')}-`) && path.endsWith('.db'))
    .toSorted()
    .toReversed();

export function isBackupDue(databasePath: string, nowMs: number): boolean {
  const [newest] = listBackups(databasePath);
  if (newest === undefined) return true;
  const { mtimeMs: madeAtMs } = statSync(newest);
  const isChanged = [databasePath, `${databasePath}-wal`].some((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.size > 0 && found.mtimeMs > madeAtMs;
  });
  return isChanged && nowMs - madeAtMs >= hourMs;
}

/** Copies the open database with SQLite itself, never as a live file. A backup counts only once it is complete. */
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
  const older = listBackups(databasePath).slice(kept.newest);
  const lastOfDays = new Map(older.toReversed().map((backup) => [basename(backup).split('T')[0], backup]));
  const stays = new Set([...lastOfDays.values()].slice(-kept.days));
  for (const backup of older) if (!stays.has(backup)) rmSync(backup, { force: true });
}

/** Deletes backups during which the program ended; the caller makes sure that none is being made. */
export function dropUnfinished(databasePath: string): void {
  for (const path of inFolder(databasePath)) if (path.endsWith(unfinished)) rmSync(path, { force: true });
}

function isGood(path: string): boolean {
  try {
    return readFrom(path, (copy) => isWhole(copy) && copy.prepare('SELECT count(*) FROM jobs').get() !== undefined);
  } catch {
    return false;
  }
}

export const asidePathOf = (databasePath: string, nowMs: number): string =>
  join(dirname(databasePath), `${basename(databasePath, '.db')}.corrupt-${stamp(nowMs)}`);

export function setAside(databasePath: string, nowMs: number): void {
  const aside = asidePathOf(databasePath, nowMs);
  for (const path of withSqliteFiles(databasePath)) {
    if (existsSync(path)) renameSync(path, path.replace(databasePath, aside));
  }
}

export function restoreNewest(databasePath: string, target: string): number | null {
  for (const path of withSqliteFiles(target)) rmSync(path, { force: true });
  for (const backup of listBackups(databasePath)) {
    if (!isGood(backup)) continue;
    copyFileSync(backup, target);
    chmodSync(target, 0o600);
    return Math.round(statSync(backup).mtimeMs);
  }
  return null;
}

/** A backup that can't be cleaned is deleted. Its time stays, which a restored library reports. */
export function eraseFromBackups(databasePath: string, ids: readonly string[]): void {
  dropUnfinished(databasePath);
  for (const backup of listBackups(databasePath)) {
    let database: DatabaseSync | null = null;
    try {
      const { atime, mtime } = statSync(backup);
      const copy = new DatabaseSync(backup, { enableForeignKeyConstraints: true, allowExtension: false });
      database = copy;
      copy.exec('PRAGMA journal_mode = DELETE');
      copy.exec('PRAGMA secure_delete = ON');
      if (schemaVersion(copy) === 0) throw new Error('no library');
      runSteps(copy, migrations);
      if (inTransaction(copy, () => eraseRows(preparedIn(copy), ids)).items.length > 0) copy.exec('VACUUM');
      copy.close();
      utimesSync(backup, atime, mtime);
    } catch {
      if (database?.isOpen === true) database.close();
      for (const path of withSqliteFiles(backup)) rmSync(path, { force: true });
    }
  }
}

const contentHash = /^[0-9a-f]{64}$/;

export const sweepTraces =
  (backups: { erase(ids: readonly string[]): Promise<void> }, byContent: readonly string[]): TraceSweeper =>
  async ({ transcriptIds, contents }) => {
    await backups.erase(transcriptIds);
    const hashes = new Set(contents.filter((hash) => contentHash.test(hash)));
    for (const folder of byContent) {
      const names = await readdir(folder).catch((): string[] => []);
      for (const name of names) if (hashes.has(name.slice(0, 64))) await rm(join(folder, name), { force: true });
    }
  };
