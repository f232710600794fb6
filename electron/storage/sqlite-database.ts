import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** We create the file, so that it and SQLite's files next to it belong to this user alone. */
export function openDatabase(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true, allowExtension: false });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA fullfsync = ON');
    database.exec('PRAGMA checkpoint_fullfsync = ON');
    database.exec('PRAGMA foreign_keys = ON');
    database.exec('PRAGMA trusted_schema = OFF');
    database.exec('PRAGMA cell_size_check = ON');
    // Deleted content is overwritten, not just released (S-43).
    database.exec('PRAGMA secure_delete = ON');
    // The log stays below half of the disk reserve, which has to hold it when the disk is full.
    database.exec('PRAGMA wal_autocheckpoint = 250');
    database.enableDefensive(true);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs `work` as one transaction: all of it or nothing, durable when this returns. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    // A failed COMMIT or a full disk may already have rolled back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export function hasFullTextSearch(): boolean {
  const memory = new DatabaseSync(':memory:');
  try {
    memory.exec("CREATE VIRTUAL TABLE probe USING fts5 (text, tokenize = 'unicode61')");
    return true;
  } catch {
    return false;
  } finally {
    memory.close();
  }
}
