import { rmSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TraceSweeper } from '../services/transcripts/deletion.ts';
import { dropUnfinished, listBackups } from './library-backups.ts';
import { inTransaction } from './sqlite-database.ts';
import { eraseRows } from './sqlite-erasure.ts';

export interface TracePlaces {
  readonly database: string;
  /** Peaks and extracted audio, named by the hash of their recording. */
  readonly byContent: readonly string[];
}

const contentHash = /^[0-9a-f]{64}$/;

/**
 * Removes the rows from a backup and rewrites the file, so that no free page of it contains them. Its time stamp stays,
 * because a restored library reports its content as of then. A backup that can't be cleaned is deleted, because it
 * would keep the words.
 */
function cleanCopy(path: string, transcriptIds: readonly string[]): void {
  const { atime, mtime } = statSync(path);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { enableForeignKeyConstraints: true, allowExtension: false });
    const copy = database;
    copy.exec('PRAGMA journal_mode = DELETE');
    copy.exec('PRAGMA secure_delete = ON');
    const { jobIds, otherIds } = inTransaction(copy, () => eraseRows(copy, transcriptIds));
    if (jobIds.length + otherIds.length > 0) copy.exec('VACUUM');
    copy.close();
    utimesSync(path, atime, mtime);
  } catch {
    if (database?.isOpen === true) database.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  }
}

/** Removes traces of erased transcripts outside the open database. */
export const sweepTraces =
  ({ database, byContent }: TracePlaces): TraceSweeper =>
  async ({ transcriptIds, contents }) => {
    dropUnfinished(database);
    for (const copy of listBackups(database)) cleanCopy(copy, transcriptIds);
    const hashes = new Set(contents.filter((hash) => contentHash.test(hash)));
    for (const folder of byContent) {
      const names = await readdir(folder).catch((): string[] => []);
      for (const name of names) if (hashes.has(name.slice(0, 64))) await rm(join(folder, name), { force: true });
    }
  };
