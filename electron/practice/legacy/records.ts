import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';

export const legacySchema = `
  CREATE TABLE IF NOT EXISTS older_speeches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCESS', 'FAILED')),
    transcript TEXT NOT NULL,
    language TEXT NOT NULL,
    model TEXT NOT NULL,
    mood TEXT NOT NULL,
    characters INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS older_transcriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCESS', 'FAILED')),
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    duration_ms INTEGER,
    segments TEXT NOT NULL,
    has_diarization INTEGER NOT NULL,
    has_offset INTEGER NOT NULL,
    is_summary INTEGER NOT NULL,
    is_meeting INTEGER NOT NULL,
    is_long INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
`;

const status = z.enum(['PENDING', 'SUCCESS', 'FAILED']);
const language = z.enum(speechLanguages);
const segment = z.object({ startMs: z.number(), endMs: z.number(), text: z.string(), speaker: z.string().optional() });
const flag = z.number().transform((value) => value === 1);

const speechRow = z
  .object({
    id: z.number(),
    task_id: z.string(),
    status,
    transcript: z.string(),
    language,
    model: z.string(),
    mood: z.string(),
    characters: z.number(),
    created_at_ms: z.number(),
  })
  .transform(({ task_id: taskId, created_at_ms: createdAtMs, ...row }) => ({ ...row, taskId, createdAtMs }));
export type LegacySpeechRecord = z.output<typeof speechRow>;

const transcriptionRow = z
  .object({
    id: z.number(),
    task_id: z.string(),
    status,
    title: z.string(),
    language,
    duration_ms: z.number().nullable(),
    segments: z.string().transform((text) => z.array(segment).parse(JSON.parse(text))),
    has_diarization: flag,
    has_offset: flag,
    is_summary: flag,
    is_meeting: flag,
    is_long: flag,
    created_at_ms: z.number(),
  })
  .transform((row) => ({
    id: row.id,
    taskId: row.task_id,
    status: row.status,
    title: row.title,
    language: row.language,
    durationMs: row.duration_ms,
    segments: row.segments,
    hasDiarization: row.has_diarization,
    hasOffset: row.has_offset,
    isSummary: row.is_summary,
    isMeeting: row.is_meeting,
    isLong: row.is_long,
    createdAtMs: row.created_at_ms,
  }));
export type LegacyTranscriptionRecord = z.output<typeof transcriptionRow>;

export type NewLegacySpeech = Omit<LegacySpeechRecord, 'id' | 'status'>;
export type NewLegacyTranscription = Omit<LegacyTranscriptionRecord, 'id' | 'status' | 'segments' | 'durationMs'>;

const countRow = z.object({ count: z.number() });

interface PageOf<T> {
  readonly items: readonly T[];
  readonly count: number;
}

/** Speeches and transcriptions of the legacy API (contract 2.11), numbered in order. */
export class LegacyRecords {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  addSpeech(entry: NewLegacySpeech): number {
    const { lastInsertRowid } = this.#database
      .prepare(
        "INSERT INTO older_speeches (task_id, status, transcript, language, model, mood, characters, created_at_ms) VALUES (?, 'PENDING', ?, ?, ?, ?, ?, ?)",
      )
      .run(
        entry.taskId,
        entry.transcript,
        entry.language,
        entry.model,
        entry.mood,
        entry.characters,
        entry.createdAtMs,
      );
    return Number(lastInsertRowid);
  }

  endSpeech(id: number, end: 'SUCCESS' | 'FAILED'): void {
    this.#database.prepare('UPDATE older_speeches SET status = ? WHERE id = ?').run(end, id);
  }

  speech(id: number): LegacySpeechRecord | null {
    const row = this.#database.prepare('SELECT * FROM older_speeches WHERE id = ?').get(id);
    return row === undefined ? null : speechRow.parse(row);
  }

  /** Newest first, page 1 on. */
  speeches(page: number, limit: number): PageOf<LegacySpeechRecord> {
    const rows = this.#database
      .prepare('SELECT * FROM older_speeches ORDER BY id DESC LIMIT ? OFFSET ?')
      .all(limit, (page - 1) * limit);
    return { items: rows.map((row) => speechRow.parse(row)), count: this.#count('older_speeches') };
  }

  #count(table: 'older_speeches' | 'older_transcriptions', where = '1'): number {
    return countRow.parse(this.#database.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`).get()).count;
  }

  addTranscription(entry: NewLegacyTranscription): number {
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO older_transcriptions (task_id, status, title, language, segments, has_diarization, has_offset, is_summary, is_meeting, is_long, created_at_ms)
         VALUES (?, 'PENDING', ?, ?, '[]', ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        entry.taskId,
        entry.title,
        entry.language,
        Number(entry.hasDiarization),
        Number(entry.hasOffset),
        Number(entry.isSummary),
        Number(entry.isMeeting),
        Number(entry.isLong),
        entry.createdAtMs,
      );
    return Number(lastInsertRowid);
  }

  completeTranscription(
    id: number,
    done: {
      readonly language: SpeechLanguage;
      readonly durationMs: number;
      readonly segments: readonly z.output<typeof segment>[];
    },
  ): void {
    this.#database
      .prepare(
        "UPDATE older_transcriptions SET status = 'SUCCESS', language = ?, duration_ms = ?, segments = ? WHERE id = ?",
      )
      .run(done.language, Math.round(done.durationMs), JSON.stringify(done.segments), id);
  }

  failTranscription(id: number): void {
    this.#database.prepare("UPDATE older_transcriptions SET status = 'FAILED' WHERE id = ?").run(id);
  }

  transcription(id: number): LegacyTranscriptionRecord | null {
    const row = this.#database.prepare('SELECT * FROM older_transcriptions WHERE id = ?').get(id);
    return row === undefined ? null : transcriptionRow.parse(row);
  }

  transcriptions(isLong: boolean, page: number, limit: number): PageOf<LegacyTranscriptionRecord> {
    const where = `is_long = ${isLong ? 1 : 0}`;
    const rows = this.#database
      .prepare(`SELECT * FROM older_transcriptions WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`)
      .all(limit, (page - 1) * limit);
    return { items: rows.map((row) => transcriptionRow.parse(row)), count: this.#count('older_transcriptions', where) };
  }

  /** Work that an earlier process left is not resumed. Returns the tasks whose held credits become available again. */
  failUnfinished(): readonly string[] {
    const tasks = ['older_speeches', 'older_transcriptions'].flatMap((table) =>
      this.#database
        .prepare(`UPDATE ${table} SET status = 'FAILED' WHERE status = 'PENDING' RETURNING task_id`)
        .all()
        .map((row) => z.object({ task_id: z.string() }).parse(row).task_id),
    );
    return tasks;
  }
}

/** Runs legacy work one task after another. The next start does not resume it. */
export class LegacyWork {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    await this.#last;
  }
}
