import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const isolationSchema = `
  CREATE TABLE IF NOT EXISTS isolations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    error_code TEXT,
    duration_ms INTEGER NOT NULL,
    units INTEGER NOT NULL,
    speech_restoration INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS isolation_exports (
    isolation_id TEXT NOT NULL,
    format TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    PRIMARY KEY (isolation_id, format)
  ) STRICT;
`;

const isolationRow = z
  .object({
    seq: z.number(),
    id: z.string(),
    title: z.string(),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    error_code: z.string().nullable(),
    duration_ms: z.number(),
    units: z.number(),
    speech_restoration: z.number(),
    created_at_ms: z.number(),
    updated_at_ms: z.number(),
  })
  .transform((row) => ({
    seq: row.seq,
    id: row.id,
    title: row.title,
    status: row.status,
    errorCode: row.error_code,
    durationMs: row.duration_ms,
    units: row.units,
    speechRestoration: row.speech_restoration === 1,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  }));
export type Isolation = z.output<typeof isolationRow>;

export interface NewIsolation {
  readonly id: string;
  readonly title: string;
  readonly durationMs: number;
  readonly units: number;
  readonly speechRestoration: boolean;
  readonly atMs: number;
}

const exportStatus = z.enum(['processing', 'completed', 'failed']);
export type ExportStatus = z.output<typeof exportStatus>;

/** Recordings to isolate, and the requested formats. */
export class Isolations {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add({ id, title, durationMs, units, speechRestoration, atMs }: NewIsolation): void {
    this.#database
      .prepare(
        "INSERT INTO isolations (id, title, status, duration_ms, units, speech_restoration, is_hidden, created_at_ms, updated_at_ms) VALUES (?, ?, 'queued', ?, ?, ?, 0, ?, ?)",
      )
      .run(id, title, durationMs, units, speechRestoration ? 1 : 0, atMs, atMs);
  }

  /** Includes hidden ones: their work goes on, and a repeated request gets its answer. */
  readAny(id: string): Isolation | null {
    const row = this.#database.prepare('SELECT * FROM isolations WHERE id = ?').get(id);
    return row === undefined ? null : isolationRow.parse(row);
  }

  read(id: string): Isolation | null {
    const row = this.#database.prepare('SELECT * FROM isolations WHERE id = ? AND is_hidden = 0').get(id);
    return row === undefined ? null : isolationRow.parse(row);
  }

  page(limit: number, beforeSeq: number | null): readonly Isolation[] {
    return this.#database
      .prepare('SELECT * FROM isolations WHERE is_hidden = 0 AND seq < ? ORDER BY seq DESC LIMIT ?')
      .all(beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
      .map((row) => isolationRow.parse(row));
  }

  unfinished(): readonly Isolation[] {
    return this.#database
      .prepare("SELECT * FROM isolations WHERE status IN ('queued', 'processing') ORDER BY seq")
      .all()
      .map((row) => isolationRow.parse(row));
  }

  #move(id: string, status: Isolation['status'], errorCode: string | null, atMs: number): void {
    this.#database
      .prepare('UPDATE isolations SET status = ?, error_code = ?, updated_at_ms = ? WHERE id = ?')
      .run(status, errorCode, atMs, id);
  }

  markProcessing(id: string, atMs: number): void {
    this.#move(id, 'processing', null, atMs);
  }

  complete(id: string, atMs: number): void {
    this.#move(id, 'completed', null, atMs);
  }

  fail(id: string, errorCode: string, atMs: number): void {
    this.#move(id, 'failed', errorCode, atMs);
  }

  hide(id: string): boolean {
    return (
      this.#database.prepare('UPDATE isolations SET is_hidden = 1 WHERE id = ? AND is_hidden = 0').run(id).changes === 1
    );
  }

  exportStatus(id: string, format: string): ExportStatus | null {
    const row = this.#database
      .prepare('SELECT status FROM isolation_exports WHERE isolation_id = ? AND format = ?')
      .get(id, format);
    return row === undefined ? null : z.object({ status: exportStatus }).parse(row).status;
  }

  setExport(id: string, format: string, status: ExportStatus): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO isolation_exports (isolation_id, format, status) VALUES (?, ?, ?)')
      .run(id, format, status);
  }

  /** Conversions that an earlier process left can be requested again. */
  forgetUnfinishedExports(): void {
    this.#database.exec("DELETE FROM isolation_exports WHERE status <> 'completed'");
  }
}
