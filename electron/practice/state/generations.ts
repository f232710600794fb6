import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';

export const generationSchema = `
  CREATE TABLE IF NOT EXISTS generations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    voice_id TEXT NOT NULL,
    speed REAL NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
    duration_ms INTEGER,
    is_hidden INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
`;

const generationRow = z
  .object({
    seq: z.number(),
    id: z.string(),
    text: z.string(),
    language: z.enum(speechLanguages),
    voice_id: z.string(),
    speed: z.number(),
    status: z.enum(['pending', 'completed', 'failed']),
    duration_ms: z.number().nullable(),
    created_at_ms: z.number(),
  })
  .transform((row) => ({
    seq: row.seq,
    id: row.id,
    text: row.text,
    language: row.language,
    voiceId: row.voice_id,
    speed: row.speed,
    status: row.status,
    durationMs: row.duration_ms,
    createdAtMs: row.created_at_ms,
  }));
export type Generation = z.output<typeof generationRow>;

export interface NewGeneration {
  readonly id: string;
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly speed: number;
  readonly atMs: number;
}

/** Generated speech. Hidden generations are kept, because their audio may still be in use. */
export class Generations {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add({ id, text, language, voiceId, speed, atMs }: NewGeneration): void {
    this.#database
      .prepare(
        "INSERT INTO generations (id, text, language, voice_id, speed, status, is_hidden, created_at_ms) VALUES (?, ?, ?, ?, ?, 'pending', 0, ?)",
      )
      .run(id, text, language, voiceId, speed, atMs);
  }

  /** Includes hidden ones, because a repeated request gets its answer. */
  readAny(id: string): Generation | null {
    const row = this.#database.prepare('SELECT * FROM generations WHERE id = ?').get(id);
    return row === undefined ? null : generationRow.parse(row);
  }

  read(id: string): Generation | null {
    const row = this.#database.prepare('SELECT * FROM generations WHERE id = ? AND is_hidden = 0').get(id);
    return row === undefined ? null : generationRow.parse(row);
  }

  page(limit: number, beforeSeq: number | null): readonly Generation[] {
    return this.#database
      .prepare('SELECT * FROM generations WHERE is_hidden = 0 AND seq < ? ORDER BY seq DESC LIMIT ?')
      .all(beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
      .map((row) => generationRow.parse(row));
  }

  complete(id: string, durationMs: number): void {
    this.#database
      .prepare("UPDATE generations SET status = 'completed', duration_ms = ? WHERE id = ?")
      .run(durationMs, id);
  }

  fail(id: string): void {
    this.#database.prepare("UPDATE generations SET status = 'failed' WHERE id = ?").run(id);
  }

  /** What an earlier process did not finish. */
  pending(): readonly Generation[] {
    return this.#database
      .prepare("SELECT * FROM generations WHERE status = 'pending'")
      .all()
      .map((row) => generationRow.parse(row));
  }

  hide(id: string): boolean {
    return (
      this.#database.prepare('UPDATE generations SET is_hidden = 1 WHERE id = ? AND is_hidden = 0').run(id).changes ===
      1
    );
  }
}
