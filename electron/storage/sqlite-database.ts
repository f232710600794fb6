import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { parseStored } from '../../shared/result/failure-kinds.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { libraryFailure, openingFailure } from '../platform/node/storage-failure.ts';

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

/** Reads a file that may be open elsewhere. */
export function readFrom<T>(path: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

export const isWhole = (database: DatabaseSync): boolean =>
  database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';

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

/** With `secure_delete` freed pages are zeroes already, so only the log has to be emptied. */
export function emptyLog(database: DatabaseSync): void {
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
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

/** Opens a file and brings it to the last step; library-newer when a newer version made it. */
export function openWithSteps(
  path: string,
  steps: readonly string[],
  beforeSteps: (database: DatabaseSync) => void = () => undefined,
): Result<DatabaseSync> {
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase(path);
    const version = schemaVersion(database);
    if (version > 0 && version < steps.length) beforeSteps(database);
    runSteps(database, steps);
    if (version <= steps.length) return ok(database);
    database.close();
    return err(localFailure('library-newer'));
  } catch (error) {
    if (database?.isOpen) database.close();
    return err(openingFailure(error));
  }
}

export type Sql = (text: string) => StatementSync;

/** Each statement is prepared once. A value that a statement does not name is left out. */
export function preparedIn(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const made = database.prepare(text);
    made.setAllowUnknownNamedParameters(true);
    prepared.set(text, made);
    return made;
  };
}

/** In the order of their marks, or by their names. */
type Values = readonly SQLInputValue[] | readonly [Record<string, SQLInputValue>];

/** STRICT tables contain what their columns declare: the names in a query decide the shape of its rows. */
export const rowsOf = <T>(statement: StatementSync, ...values: Values): readonly T[] =>
  statement.all(...(values as readonly SQLInputValue[])).map((row) => ({ ...row }) as T);

export type Tables = ReturnType<typeof openTables>;

export function read<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    return err(libraryFailure(error));
  }
}

/** Reads and writes whose errors are failures. Each write is a transaction; `guard` may refuse or repeat it. */
export function openTables(
  database: DatabaseSync,
  guard: <T>(transact: () => Result<T>) => Result<T> = (transact) => transact(),
) {
  const sql = preparedIn(database);
  const write = <T>(work: () => T): Result<T> => guard(() => read(() => inTransaction(database, work)));
  const run = (text: string, ...values: Values): Result<null> =>
    write(() => {
      sql(text).run(...(values as readonly SQLInputValue[]));
      return null;
    });
  /** Rows of one shape; one that is read as null is passed over. */
  const rowsAs = <Row, T>(readRow: (row: Row) => T | null) => {
    const all = (text: string, ...values: Values): Result<readonly T[]> =>
      read(() =>
        rowsOf<Row>(sql(text), ...values)
          .map(readRow)
          .filter((row) => row !== null),
      );
    const one = (text: string, ...values: Values): Result<T | null> => {
      const found = all(text, ...values);
      return found.ok ? ok(found.value[0] ?? null) : found;
    };
    return { all, one };
  };
  return {
    sql,
    write,
    run,
    rowsAs,
    all: <T>(text: string, ...values: Values) => rowsAs((row: T) => row).all(text, ...values),
    one: <T>(text: string, ...values: Values) => rowsAs((row: T) => row).one(text, ...values),
    each: <T>(items: readonly T[], work: (item: T) => unknown): Result<null> =>
      write(() => {
        for (const item of items) work(item);
        return null;
      }),
    note: (key: string): Result<string | null> => {
      const found = read(() => sql('SELECT value FROM meta WHERE key = ?').get(key));
      return found.ok ? ok(typeof found.value?.['value'] === 'string' ? found.value['value'] : null) : found;
    },
    saveNote: (key: string, value: string) => run(saveNote, { key, value }),
  };
}

/** Columns are named after what is in them: `voiceId` is in `voice_id`. */
export const columns = (names: string, write: (column: string, name: string) => string): string =>
  names
    .split(' ')
    .map((name) =>
      write(
        name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name,
      ),
    )
    .join(', ');

export const selected = (names: string, table = ''): string =>
  columns(names, (column, name) => `${table}${column} AS ${name}`);
export const setting = (names: string): string => columns(names, (column, name) => `${column} = :${name}`);
export const insertInto = (table: string, names: string): string =>
  `INSERT INTO ${table} (${columns(names, (column) => column)}) VALUES (${columns(names, (_, name) => `:${name}`)})`;
export const elseSet = (key: string, names: string): string =>
  `ON CONFLICT (${key}) DO UPDATE SET ${columns(names, (column) => `${column} = excluded.${column}`)}`;

export const saveNote = `${insertInto('meta', 'key value')} ${elseSet('key', 'value')}`;

/** Adds the row that an item has among all items, or changes it. */
export const saveItem = `${insertInto('items', 'kind id title sourceName atMs')} ${elseSet('kind, id', 'title sourceName atMs')}`;

/** Rows of `T` in which these columns are JSON. */
export function withJson<T extends object>(names: string) {
  const change = (row: object, of: (value: unknown) => unknown) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value !== null && names.split(' ').includes(name) ? of(value) : (value as unknown),
      ]),
    );
  return {
    read: (row: object) => change(row, (text) => parseStored(String(text))) as T,
    write: (value: T) => change(value, (part) => JSON.stringify(part)) as Record<string, SQLInputValue>,
  };
}

/** Undefined for what is no JSON. */
export function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
