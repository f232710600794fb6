import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { type Result, err, ok } from '../../shared/result/result.ts';
import type { Ledger } from '../services/account/ledger.ts';
import { isWhole, setAside } from './library-backups.ts';
import { openRequestsBeside } from './open-requests.ts';
import { ensurePrivateFolder } from '../platform/node/data-folder.ts';
import { inTransaction, openDatabase } from './sqlite-database.ts';
import { createSqliteLedger, lostKey } from './sqlite-ledger.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';

/** Steps of the ledger's schema, by the rules of the library's: run once, in order, never edited after a release. */
const ledgerMigrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE paid_actions (
    id TEXT PRIMARY KEY,
    route TEXT NOT NULL,
    product TEXT NOT NULL,
    -- Counts and choices by an allow-list (PaidAsked), as JSON.
    asked TEXT NOT NULL,
    -- How many units the route is charged by, as far as we know; for estimates.
    units INTEGER,
    estimate TEXT,
    began_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    attempts INTEGER NOT NULL,
    -- An earlier attempt had no end when this one began.
    was_interrupted INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    status INTEGER,
    row TEXT,
    code TEXT,
    request_id TEXT,
    llm_request_id TEXT,
    remote_id TEXT,
    credits TEXT,
    characters INTEGER,
    duration_ms INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paid_actions_by_time ON paid_actions (began_at_ms);
  CREATE INDEX paid_actions_by_remote_id ON paid_actions (remote_id) WHERE remote_id IS NOT NULL;
  CREATE INDEX paid_actions_by_question ON paid_actions (llm_request_id) WHERE llm_request_id IS NOT NULL;

  CREATE TABLE open_wishes (
    fingerprint TEXT PRIMARY KEY,
    action_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    remote_id TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A fingerprint of the recording (HMAC of its SHA-256), by which it is known again when the library lost its row.
  ALTER TABLE paid_actions ADD COLUMN content TEXT;
  CREATE INDEX paid_actions_by_content ON paid_actions (content) WHERE content IS NOT NULL;
  `,
];

interface OpenLedgerOptions {
  /** `<folder>/ledger.db`; created when missing. */
  readonly path: string;
  readonly now: () => number;
  /** A disk error during work, or a damaged ledger that was set aside (E-182). */
  readonly onTrouble: (failure: Failure) => void;
  /** What was paid for has changed. */
  readonly onChanged?: () => void;
}

/**
 * Opens the ledger. A damaged one is set aside under a name with the time and a new one begins with the open requests
 * and their keys, so that work goes on. E-184 when a newer version made it, E-180, E-181, E-183, E-185 as for a library.
 */
export function openLedger({ path, now, onTrouble, onChanged = () => undefined }: OpenLedgerOptions): Result<Ledger> {
  try {
    ensurePrivateFolder(dirname(path));
    const kept = openRequestsBeside(path);
    let opened = tryOpen(path);
    const isDamaged = !opened.ok && opened.error.row === 'E-182';
    if (!opened.ok && isDamaged) {
      setAside(path, now());
      onTrouble(opened.error);
      opened = tryOpen(path);
    }
    if (!opened.ok) return opened;
    const database = opened.value;
    const secret = inTransaction(database, () => resume(database, kept, isDamaged ? now() : null));
    return ok(
      createSqliteLedger({
        database,
        secret,
        keepRequests: () => kept.write(database, secret),
        now,
        onTrouble,
        onChanged,
      }),
    );
  } catch (error) {
    return err(openingFailure(error));
  }
}

function tryOpen(path: string): Result<DatabaseSync> {
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase(path);
    const version = versionOf(database);
    if (version > ledgerMigrations.length) {
      database.close();
      return err(localFailure('E-184'));
    }
    if (version < ledgerMigrations.length) migrate(database);
    // Damage is found here and not in the middle of a paid action.
    if (isWhole(database, false)) return ok(database);
    database.close();
    return err(localFailure('E-182'));
  } catch (error) {
    if (database?.isOpen) database.close();
    return err(openingFailure(error));
  }
}

/**
 * Returns the ledger's secret. A new ledger takes it and the open requests from the copy beside it; without a copy, one
 * that follows a damaged ledger notes since when nothing is known of earlier requests.
 */
function resume(
  database: DatabaseSync,
  kept: ReturnType<typeof openRequestsBeside>,
  damagedAtMs: number | null,
): string {
  const copy = kept.read();
  const own = database.prepare("SELECT value FROM meta WHERE key = 'secret'").get()?.['value'];
  const secret = typeof own === 'string' ? own : (copy?.secret ?? randomBytes(32).toString('hex'));
  const note = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  if (own === undefined) note.run('secret', secret);
  if (copy === null && damagedAtMs !== null) note.run(lostKey, String(damagedAtMs));
  const add = database.prepare('INSERT INTO open_wishes VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  if (copy?.secret === secret)
    for (const { fingerprint, action_id, created_at_ms, remote_id } of copy.requests)
      add.run(fingerprint, action_id, created_at_ms, remote_id);
  if (copy?.secret !== secret || own === undefined) kept.write(database, secret);
  return secret;
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);

/** The version is read again inside the transaction, because another process may have been faster. */
function migrate(database: DatabaseSync): void {
  inTransaction(database, () => {
    for (const [index, step] of ledgerMigrations.entries()) {
      if (index < versionOf(database)) continue;
      database.exec(step);
      // This statement accepts no parameters; the number is ours.
      database.exec(`PRAGMA user_version = ${index + 1}`);
    }
  });
}
