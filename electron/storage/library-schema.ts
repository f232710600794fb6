import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './sqlite-database.ts';
import { migrations } from './sqlite-migrations.ts';

/** How many migrations a database has been through; 0 for a new one. */
export const schemaVersion = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** Whether our tables and indexes are defined letter by letter; SQLite's own check accepts any other definition. */
export function hasOwnSchema(database: DatabaseSync, version: number): boolean {
  const model = new DatabaseSync(':memory:');
  try {
    for (const step of migrations.slice(0, version)) model.exec(step);
    const own = model.prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')",
    );
    const there = new Set(
      database
        .prepare('SELECT sql FROM sqlite_schema')
        .all()
        .map(({ sql }) => sql),
    );
    return own.all().every(({ sql }) => there.has(sql ?? null));
  } finally {
    model.close();
  }
}

/** Runs the missing migrations, each completely or not at all. */
export function setMeta(database: DatabaseSync, key: string, value: string): void {
  database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(key, value);
}

/** This statement accepts no parameters; the number is ours. */
export function migrate(database: DatabaseSync, from: number): void {
  for (const [index, step] of migrations.entries()) {
    if (index < from) continue;
    inTransaction(database, () => {
      database.exec(step);
      // The only statement that takes no parameters; the number is ours.
      database.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}
