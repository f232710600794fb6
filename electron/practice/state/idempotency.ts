import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const idempotencySchema = `
  CREATE TABLE IF NOT EXISTS idempotent_requests (
    area TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (area, idempotency_key)
  ) STRICT;
`;

const usedRow = z.object({ fingerprint: z.string(), subject: z.string() });

/** The use of an idempotency key; `fingerprint` identifies the content, `subject` the thing that was created. */
export type Used = z.output<typeof usedRow>;

/** Keys of the products without a key table of their own. An area is a product. */
export class Idempotency {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  find(area: string, key: string): Used | null {
    const row = this.#database
      .prepare('SELECT fingerprint, subject FROM idempotent_requests WHERE area = ? AND idempotency_key = ?')
      .get(area, key);
    return row === undefined ? null : usedRow.parse(row);
  }

  use(area: string, key: string, { fingerprint, subject }: Used): void {
    this.#database
      .prepare('INSERT INTO idempotent_requests (area, idempotency_key, fingerprint, subject) VALUES (?, ?, ?, ?)')
      .run(area, key, fingerprint, subject);
  }

  /** Work that failed for good may be requested again with its key. */
  forget(area: string, subject: string): void {
    this.#database.prepare('DELETE FROM idempotent_requests WHERE area = ? AND subject = ?').run(area, subject);
  }
}
