import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { storedMetadata, type VoiceMetadata } from './metadata.ts';

export const clonedVoiceSchema = `
  CREATE TABLE IF NOT EXISTS cloned_voices (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    metadata TEXT NOT NULL,
    pitch_hz REAL,
    deleted_at_ms INTEGER
  ) STRICT;
`;

const row = z
  .object({
    number: z.number(),
    id: z.string(),
    language: z.enum(speechLanguages),
    metadata: z.string(),
    pitch_hz: z.number().nullable(),
  })
  .transform((one) => ({
    number: one.number,
    id: one.id,
    language: one.language,
    metadata: storedMetadata.parse(JSON.parse(one.metadata)),
    pitchHz: one.pitch_hz,
  }));

/** A voice of the account. `number` is its id in the legacy API. */
export interface ClonedVoice {
  readonly number: number;
  readonly id: string;
  readonly language: SpeechLanguage;
  readonly metadata: VoiceMetadata;
  readonly pitchHz: number | null;
}

/** Voices that were verified and not deleted since. */
export class ClonedVoices {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #read(where: string, ...values: (string | number)[]): readonly ClonedVoice[] {
    return this.#database
      .prepare(`SELECT * FROM cloned_voices WHERE deleted_at_ms IS NULL AND ${where} ORDER BY number`)
      .all(...values)
      .flatMap((found) => {
        const { metadata, ...rest } = row.parse(found);
        return metadata === null ? [] : [{ ...rest, metadata }];
      });
  }

  all(): readonly ClonedVoice[] {
    return this.#read('TRUE');
  }

  find(id: string): ClonedVoice | null {
    return this.#read('id = ?', id)[0] ?? null;
  }

  findByNumber(number: number): ClonedVoice | null {
    return this.#read('number = ?', number)[0] ?? null;
  }

  add({ id, language, metadata, pitchHz }: Omit<ClonedVoice, 'number'>): void {
    this.#database
      .prepare('INSERT INTO cloned_voices (id, language, metadata, pitch_hz) VALUES (?, ?, ?, ?)')
      .run(id, language, JSON.stringify(metadata), pitchHz);
  }

  replaceMetadata(id: string, metadata: VoiceMetadata): void {
    this.#database
      .prepare('UPDATE cloned_voices SET metadata = ? WHERE id = ? AND deleted_at_ms IS NULL')
      .run(JSON.stringify(metadata), id);
  }

  /** False: such a voice never existed. Deleting it again succeeds. */
  remove(id: string, atMs: number): boolean {
    // Only the fact that the voice existed is kept, so that a repeated deletion is recognised.
    const { changes } = this.#database
      .prepare(
        "UPDATE cloned_voices SET deleted_at_ms = coalesce(deleted_at_ms, ?), metadata = 'null', pitch_hz = NULL WHERE id = ?",
      )
      .run(atMs, id);
    return changes === 1;
  }
}
