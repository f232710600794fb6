import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const llmFileSchema = `
  CREATE TABLE IF NOT EXISTS llm_files (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    filename TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('vision', 'document')),
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS llm_file_texts (file_id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS llm_upload_attempts (at_ms INTEGER NOT NULL) STRICT;
`;

const fileRow = z
  .object({
    seq: z.number(),
    id: z.string(),
    filename: z.string(),
    bytes: z.number(),
    purpose: z.enum(['vision', 'document']),
    created_at_ms: z.number(),
    expires_at_ms: z.number(),
  })
  .transform((row) => ({
    seq: row.seq,
    id: row.id,
    fileName: row.filename,
    bytes: row.bytes,
    purpose: row.purpose,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
  }));
export type LlmFile = z.output<typeof fileRow>;

const dayMs = 86_400_000;
const countRow = z.object({ count: z.number() });

/** Files that questions may include. Only the text of their content is kept, because answers use nothing else. */
export class LlmFiles {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Counts an upload, whatever becomes of it; returns the number in the last day, including this one. */
  countAttempt(nowMs: number): number {
    this.#database.prepare('DELETE FROM llm_upload_attempts WHERE at_ms <= ?').run(nowMs - dayMs);
    this.#database.prepare('INSERT INTO llm_upload_attempts (at_ms) VALUES (?)').run(nowMs);
    return countRow.parse(this.#database.prepare('SELECT count(*) AS count FROM llm_upload_attempts').get()).count;
  }

  countActive(nowMs: number): number {
    const sql = 'SELECT count(*) AS count FROM llm_files WHERE expires_at_ms > ?';
    return countRow.parse(this.#database.prepare(sql).get(nowMs)).count;
  }

  /** `text`: the text of the file; empty for a picture. */
  add(file: Omit<LlmFile, 'seq'>, text: string): void {
    this.#database.prepare('INSERT INTO llm_file_texts (file_id, text) VALUES (?, ?)').run(file.id, text);
    this.#database
      .prepare(
        'INSERT INTO llm_files (id, filename, bytes, purpose, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(file.id, file.fileName, file.bytes, file.purpose, file.createdAtMs, file.expiresAtMs);
  }

  read(id: string, nowMs: number): LlmFile | null {
    const row = this.#database.prepare('SELECT * FROM llm_files WHERE id = ? AND expires_at_ms > ?').get(id, nowMs);
    return row === undefined ? null : fileRow.parse(row);
  }

  /** Newest first, older than `beforeSeq`. */
  page(limit: number, beforeSeq: number | null, purpose: string | null, nowMs: number): readonly LlmFile[] {
    return this.#database
      .prepare(
        'SELECT * FROM llm_files WHERE seq < ? AND purpose = coalesce(?, purpose) AND expires_at_ms > ? ORDER BY seq DESC LIMIT ?',
      )
      .all(beforeSeq ?? Number.MAX_SAFE_INTEGER, purpose, nowMs, limit)
      .map((row) => fileRow.parse(row));
  }

  /** The text of a file; empty when there is none. */
  textOf(id: string): string {
    const row = this.#database.prepare('SELECT text FROM llm_file_texts WHERE file_id = ?').get(id);
    return row === undefined ? '' : z.object({ text: z.string() }).parse(row).text;
  }

  remove(id: string): boolean {
    this.#database.prepare('DELETE FROM llm_file_texts WHERE file_id = ?').run(id);
    return this.#database.prepare('DELETE FROM llm_files WHERE id = ?').run(id).changes === 1;
  }
}
