import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { openDatabaseToRead } from './database.ts';
import type { LedgerEntry } from './records.ts';

const row = z.object({
  n: z.number(),
  at_ms: z.number(),
  route: z.string(),
  idempotency_key: z.string(),
  audio_sha256: z.string(),
  fields: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
  transcription_id: z.string(),
});

export interface Acceptance {
  readonly atMs: number;
  readonly route: string;
  readonly idempotencyKey: string;
  /** Of the file, or of whatever makes two requests the same. */
  readonly contentSha256: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The thing that was made. */
  readonly subject: string;
}

/** Records what was accepted; must run in the transaction that accepts it. */
export class Ledger {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add({ atMs, route, idempotencyKey, contentSha256, fields, subject }: Acceptance): void {
    this.#database
      .prepare(
        'INSERT INTO ledger (at_ms, route, idempotency_key, audio_sha256, fields, transcription_id) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(atMs, route, idempotencyKey, contentSha256, JSON.stringify(fields), subject);
  }
}

/** Everything that was accepted, oldest first. For tests and checkers: no HTTP route exposes it. */
export function readLedger(stateDir: string): readonly LedgerEntry[] {
  const database = openDatabaseToRead(stateDir);
  try {
    return database
      .prepare('SELECT * FROM ledger ORDER BY n')
      .all()
      .map((raw) => {
        const entry = row.parse(raw);
        return {
          n: entry.n,
          atMs: entry.at_ms,
          route: entry.route,
          idempotencyKey: entry.idempotency_key,
          audioSha256: entry.audio_sha256,
          fields: entry.fields,
          transcriptionId: entry.transcription_id,
        };
      });
  } finally {
    database.close();
  }
}
