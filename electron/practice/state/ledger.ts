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

/** Everything that was accepted, oldest first. For tests and checkers: no HTTP route leads here. */
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
