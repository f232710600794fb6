import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { apiKeySchema } from '../account/api-keys.ts';
import { requestLogSchema } from '../account/request-log.ts';
import { clonedVoiceSchema } from '../clone/cloned-voices.ts';
import { enrollmentSchema } from '../clone/enrollments.ts';
import { creditsSchema } from '../billing/credits.ts';
import { llmFileSchema } from '../llm/llm-files.ts';
import { llmRequestSchema } from '../llm/llm-requests.ts';
import { legacySchema } from '../legacy/records.ts';
import { webhookSchema } from '../webhooks/webhook-store.ts';
import { attemptsSchema } from './attempts.ts';
import { generationSchema } from './generations.ts';
import { idempotencySchema } from './idempotency.ts';
import { isolationSchema } from './isolations.ts';

const transcriptionSchema = `
  CREATE TABLE IF NOT EXISTS transcriptions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    include_speakers INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
    error_code TEXT,
    duration_ms INTEGER,
    revision INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    audio_sha256 TEXT NOT NULL,
    segments TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS used_keys (
    idempotency_key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status_code INTEGER NOT NULL,
    transcription_id TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ledger (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    route TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    audio_sha256 TEXT NOT NULL,
    fields TEXT NOT NULL,
    transcription_id TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER IF NOT EXISTS ledger_keeps_entries BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
  CREATE TRIGGER IF NOT EXISTS ledger_keeps_values BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
`;

const pieceSchema = `
  CREATE TABLE IF NOT EXISTS recognised_pieces (
    transcription_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    heard_ms INTEGER NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (transcription_id, ordinal)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS recognised_by (
    transcription_id TEXT PRIMARY KEY,
    model TEXT NOT NULL
  ) STRICT;
`;

const databaseFile = (stateDir: string): string => join(stateDir, 'practice.sqlite');

const schemas = [
  transcriptionSchema,
  pieceSchema,
  apiKeySchema,
  creditsSchema,
  requestLogSchema,
  attemptsSchema,
  idempotencySchema,
  generationSchema,
  isolationSchema,
  llmRequestSchema,
  llmFileSchema,
  webhookSchema,
  legacySchema,
  enrollmentSchema,
  clonedVoiceSchema,
];

/** Opens the state of the practice service; an answer is sent only after its row would survive a power cut. */
export function openDatabase(stateDir: string): DatabaseSync {
  const path = databaseFile(stateDir);
  // Created before SQLite opens it, so that it belongs to this user alone; SQLite's files next to it follow.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  for (const schema of schemas) database.exec(schema);
  return database;
}

/** A second connection for data that may be lost in a power cut, such as the request log: it waits for no disk. */
export function openDatabaseForLog(stateDir: string): DatabaseSync {
  const database = new DatabaseSync(databaseFile(stateDir));
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  return database;
}

/** A read-only connection for checkers, usable while the service runs. */
export function openDatabaseToRead(stateDir: string): DatabaseSync {
  return new DatabaseSync(databaseFile(stateDir), { readOnly: true });
}
