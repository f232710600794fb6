import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { HeardWord } from '../../recogniser/greedy-words.ts';
import { inTransaction } from './in-transaction.ts';
import { Ledger } from './ledger.ts';
import type { NewTranscription, StoredSegment, TranscriptionRecord, UsedKey } from './records.ts';

const storedSegments = z.array(
  z.object({
    text: z.string(),
    startMs: z.number(),
    endMs: z.number(),
    speaker: z.string().optional(),
    words: z.array(z.object({ text: z.string(), startMs: z.number().optional(), endMs: z.number().optional() })),
  }),
);

const transcriptionRow = z
  .object({
    seq: z.number(),
    id: z.string(),
    title: z.string(),
    language: z.enum(speechLanguages),
    include_speakers: z.number(),
    status: z.enum(['queued', 'processing', 'completed', 'failed']),
    error_code: z.string().nullable(),
    duration_ms: z.number().nullable(),
    revision: z.number(),
    created_at_ms: z.number(),
    updated_at_ms: z.number(),
    audio_sha256: z.string(),
    segments: z.string(),
  })
  .transform((row): TranscriptionRecord => ({
    seq: row.seq,
    id: row.id,
    title: row.title,
    language: row.language,
    includeSpeakers: row.include_speakers === 1,
    status: row.status,
    errorCode: row.error_code,
    durationMs: row.duration_ms,
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    audioSha256: row.audio_sha256,
    segments: storedSegments.parse(JSON.parse(row.segments)) as readonly StoredSegment[],
  }));

const usedKeyRow = z
  .object({
    fingerprint: z.string(),
    status_code: z.union([z.literal(200), z.literal(202)]),
    transcription_id: z.string().nullable(),
  })
  .transform((row): UsedKey => ({
    fingerprint: row.fingerprint,
    statusCode: row.status_code,
    transcriptionId: row.transcription_id,
  }));

const pieceRow = z.object({
  heard_ms: z.number(),
  words: z.string().transform((json) => JSON.parse(json) as readonly HeardWord[]),
});

export type EditOutcome =
  | { readonly kind: 'edited'; readonly record: TranscriptionRecord }
  | { readonly kind: 'stale'; readonly revision: number }
  | { readonly kind: 'absent' };

/** The transcriptions of the service, in one file. Every method is one transaction. */
export class Transcriptions {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  usedKey(idempotencyKey: string): UsedKey | null {
    const row = this.#database.prepare('SELECT * FROM used_keys WHERE idempotency_key = ?').get(idempotencyKey);
    return row === undefined ? null : usedKeyRow.parse(row);
  }

  /** Stores transcription, used key, ledger entry and what `alsoWrite` writes together, or none of them. */
  accept(entry: NewTranscription, route: string, alsoWrite: () => void): TranscriptionRecord {
    return inTransaction(this.#database, () => {
      const done = entry.outcome.kind === 'completed' ? entry.outcome : null;
      this.#database
        .prepare(
          `INSERT INTO transcriptions (id, title, language, include_speakers, status, duration_ms, revision, created_at_ms, updated_at_ms, audio_sha256, segments)
           VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
        )
        .run(
          entry.id,
          entry.title,
          done?.language ?? entry.language,
          entry.includeSpeakers ? 1 : 0,
          entry.outcome.kind,
          done?.durationMs ?? null,
          entry.atMs,
          entry.atMs,
          entry.audioSha256,
          JSON.stringify(done?.segments ?? []),
        );
      this.#database
        .prepare(
          'INSERT INTO used_keys (idempotency_key, fingerprint, status_code, transcription_id) VALUES (?, ?, ?, ?)',
        )
        .run(entry.idempotencyKey, entry.fingerprint, done === null ? 202 : 200, entry.id);
      new Ledger(this.#database).add({
        atMs: entry.atMs,
        route,
        idempotencyKey: entry.idempotencyKey,
        contentSha256: entry.audioSha256,
        fields: { language: entry.language, include_speakers: entry.includeSpeakers },
        subject: entry.id,
      });
      alsoWrite();
      return this.#readSure(entry.id);
    });
  }

  read(id: string): TranscriptionRecord | null {
    const row = this.#database.prepare('SELECT * FROM transcriptions WHERE id = ?').get(id);
    return row === undefined ? null : transcriptionRow.parse(row);
  }

  #readSure(id: string): TranscriptionRecord {
    const record = this.read(id);
    if (record === null) throw new Error('a transcription vanished inside its own transaction');
    return record;
  }

  /**
   * Newest first, older than `beforeSeq`. Callers ask for one more than they show, to know whether there is another
   * page.
   */
  page(limit: number, beforeSeq: number | null): readonly TranscriptionRecord[] {
    return this.#database
      .prepare('SELECT * FROM transcriptions WHERE seq < ? ORDER BY seq DESC LIMIT ?')
      .all(beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
      .map((row) => transcriptionRow.parse(row));
  }

  /** Work that an earlier process left, oldest first. */
  unfinished(): readonly TranscriptionRecord[] {
    return this.#database
      .prepare("SELECT * FROM transcriptions WHERE status IN ('queued', 'processing') ORDER BY seq")
      .all()
      .map((row) => transcriptionRow.parse(row));
  }

  isKnown(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM transcriptions WHERE id = ?').get(id) !== undefined;
  }

  markProcessing(id: string, atMs: number): void {
    this.#database
      .prepare("UPDATE transcriptions SET status = 'processing', updated_at_ms = ? WHERE id = ?")
      .run(atMs, id);
  }

  /** The length of a recording, once it was decoded. */
  noteLength(id: string, durationMs: number): void {
    this.#database.prepare('UPDATE transcriptions SET duration_ms = ? WHERE id = ?').run(durationMs, id);
  }

  /** Keeps the words of the next piece; `heardMs` is where it ends. */
  addPiece(id: string, words: readonly HeardWord[], heardMs: number): void {
    this.#database
      .prepare(
        `INSERT INTO recognised_pieces
         SELECT ?, COUNT(*), ?, ? FROM recognised_pieces WHERE transcription_id = ?`,
      )
      .run(id, heardMs, JSON.stringify(words), id);
  }

  /** What was recognised so far, in order. */
  pieces(id: string): readonly { readonly heardMs: number; readonly words: readonly HeardWord[] }[] {
    return this.#database
      .prepare('SELECT heard_ms, words FROM recognised_pieces WHERE transcription_id = ? ORDER BY ordinal')
      .all(id)
      .map((row) => {
        const { heard_ms: heardMs, words } = pieceRow.parse(row);
        return { heardMs, words };
      });
  }

  /** The model at work on a recording: the last one, when another took over what an earlier one began. */
  noteModel(id: string, model: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO recognised_by VALUES (?, ?)').run(id, model);
  }

  /** The model that recognised a recording; null for words that were looked up. */
  modelOf(id: string): string | null {
    const row = this.#database.prepare('SELECT model FROM recognised_by WHERE transcription_id = ?').get(id);
    return typeof row?.['model'] === 'string' ? row['model'] : null;
  }

  complete(
    id: string,
    result: {
      readonly language: SpeechLanguage;
      readonly durationMs: number;
      readonly segments: readonly StoredSegment[];
    },
    atMs: number,
  ): void {
    inTransaction(this.#database, () => {
      this.#database
        .prepare(
          "UPDATE transcriptions SET status = 'completed', language = ?, duration_ms = ?, segments = ?, updated_at_ms = ? WHERE id = ?",
        )
        .run(result.language, result.durationMs, JSON.stringify(result.segments), atMs, id);
      this.#dropPieces(id);
    });
  }

  fail(id: string, errorCode: string, atMs: number): void {
    inTransaction(this.#database, () => {
      this.#database
        .prepare("UPDATE transcriptions SET status = 'failed', error_code = ?, updated_at_ms = ? WHERE id = ?")
        .run(errorCode, atMs, id);
      this.#dropPieces(id);
    });
  }

  #dropPieces(id: string): void {
    this.#database.prepare('DELETE FROM recognised_pieces WHERE transcription_id = ?').run(id);
  }

  rename(id: string, title: string, atMs: number): TranscriptionRecord | null {
    this.#database.prepare('UPDATE transcriptions SET title = ?, updated_at_ms = ? WHERE id = ?').run(title, atMs, id);
    return this.read(id);
  }

  /** Replaces the segments only if the revision is still `expectedRevision`. */
  edit(id: string, expectedRevision: number, segments: readonly StoredSegment[], atMs: number): EditOutcome {
    return inTransaction(this.#database, () => {
      const current = this.read(id);
      if (current === null) return { kind: 'absent' };
      if (current.revision !== expectedRevision) return { kind: 'stale', revision: current.revision };
      this.#database
        .prepare('UPDATE transcriptions SET segments = ?, revision = revision + 1, updated_at_ms = ? WHERE id = ?')
        .run(JSON.stringify(segments), atMs, id);
      return { kind: 'edited', record: this.#readSure(id) };
    });
  }

  /** Deletes text and title; the key stays used, so that a late repeat can't be billed again. */
  remove(id: string): boolean {
    return inTransaction(this.#database, () => {
      this.#dropPieces(id);
      this.#database.prepare('UPDATE used_keys SET transcription_id = NULL WHERE transcription_id = ?').run(id);
      return this.#database.prepare('DELETE FROM transcriptions WHERE id = ?').run(id).changes === 1;
    });
  }
}
