import type { DatabaseSync } from 'node:sqlite';
import type { IncomingMessage } from 'node:http';
import type { Ending } from '../faults/apply-faults.ts';

export const attemptsSchema = `
  -- Every request that carries an idempotency key, accepted or not; times are of this service's clock.
  CREATE TABLE IF NOT EXISTS attempts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    began_at_ms REAL NOT NULL,
    ended_at_ms REAL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    -- Null: no whole answer was given.
    status_code INTEGER,
    retry_after_ms REAL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS attempts_by_key ON attempts (idempotency_key, seq);
`;

/**
 * Records how each request with an idempotency key began and how it was answered, so that a checker can see what was
 * repeated, and when. Nothing of a body is stored.
 */
export class Attempts {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Null: a request without a key, which is not recorded. */
  begin({ headers, method = '', url = '' }: IncomingMessage, nowMs: number): number | null {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return null;
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO attempts (began_at_ms, method, path, idempotency_key) VALUES (?, ?, ?, ?)')
      .run(nowMs, method, url.split('?')[0] ?? '', key.toLowerCase().slice(0, 128));
    return Number(lastInsertRowid);
  }

  end(seq: number, ending: Ending | null, nowMs: number): void {
    const wire = ending?.kind === 'send' && ending.cutAt === undefined ? ending.wire : null;
    this.#database
      .prepare('UPDATE attempts SET ended_at_ms = ?, status_code = ?, retry_after_ms = ? WHERE seq = ?')
      .run(nowMs, wire?.status ?? null, askedWait(wire?.headers ?? {}, nowMs), seq);
  }
}

/** Seconds, or a date relative to the date of the answer. */
function askedWait(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const asked = headers['retry-after'];
  if (asked === undefined) return null;
  if (/^\d+(?:\.\d+)?$/u.test(asked)) return Number(asked) * 1000;
  const until = Date.parse(asked) - (headers['date'] === undefined ? nowMs : Date.parse(headers['date']));
  return Number.isFinite(until) ? Math.max(0, until) : null;
}
