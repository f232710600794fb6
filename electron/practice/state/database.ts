import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

const schema = `
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

const databaseFile = (stateDir: string): string => join(stateDir, 'practice.sqlite');

/** Opens the state of the practice service; an answer is only given after its row survives a power cut. */
export function openDatabase(stateDir: string): DatabaseSync {
  const database = new DatabaseSync(databaseFile(stateDir));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  database.exec(schema);
  return database;
}

/** A second, reading connection for checkers, also while the service runs. */
export function openDatabaseToRead(stateDir: string): DatabaseSync {
  return new DatabaseSync(databaseFile(stateDir), { readOnly: true });
}
