import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

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

/** Which steps of its schema a file has. */
export const schemaVersion = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Runs the missing steps, each completely or not at all; another process may run them meanwhile. */
export function runSteps(database: DatabaseSync, steps: readonly string[]): void {
  for (const [index, step] of steps.entries()) {
    if (schemaVersion(database) > index) continue;
    inTransaction(database, () => {
      if (schemaVersion(database) > index) return;
      database.exec(step);
      // The only statement that takes no parameters; the number is ours.
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}

/** STRICT tables contain what their columns declare: the names in a query decide the shape of its rows. */
export const rowsOf = <T>(statement: StatementSync, ...values: readonly SQLInputValue[]): readonly T[] =>
  statement.all(...values).map((row) => ({ ...row }) as T);

/** Undefined for what is no JSON. */
export function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
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
