import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const requestLogSchema = `
  CREATE TABLE IF NOT EXISTS requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    status_code INTEGER NOT NULL,
    latency_ms INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    key_prefix TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS requests_by_time ON requests (at_ms);
`;

/** One request with a developer key. There are no columns for bodies, keys or addresses with secrets. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly atMs: number;
  readonly method: string;
  /** The template of the route, never the address itself. */
  readonly route: string;
  readonly statusCode: number;
  readonly latencyMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly keyId: string;
  readonly keyPrefix: string;
}

const entryRow = z.object({
  seq: z.number(),
  request_id: z.string(),
  at_ms: z.number(),
  method: z.string(),
  route: z.string(),
  status_code: z.number(),
  latency_ms: z.number(),
  request_bytes: z.number(),
  response_bytes: z.number(),
  key_id: z.string(),
  key_prefix: z.string(),
  product: z.string().nullable(),
  operation: z.string().nullable(),
  characters: z.number().nullable(),
  duration_ms: z.number().nullable(),
  units: z.number().nullable(),
  state: z.enum(['held', 'settled', 'released']).nullable(),
});
export type LogEntry = z.output<typeof entryRow>;

export interface LogFilter {
  readonly fromMs: number;
  readonly toMs: number;
  readonly beforeSeq?: number;
  readonly status?: number;
  readonly method?: string;
  readonly route?: string;
  readonly keyId?: string;
}

/** Requests and their costs, for the account pages. Charges of one request are summed up. */
export class RequestLog {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(entry: LoggedRequest): void {
    this.#database
      .prepare(
        'INSERT INTO requests (request_id, at_ms, method, route, status_code, latency_ms, request_bytes, response_bytes, key_id, key_prefix) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        entry.requestId,
        entry.atMs,
        entry.method,
        entry.route,
        entry.statusCode,
        entry.latencyMs,
        entry.requestBytes,
        entry.responseBytes,
        entry.keyId,
        entry.keyPrefix,
      );
    this.#database.prepare('UPDATE api_keys SET last_used_at_ms = ? WHERE id = ?').run(entry.atMs, entry.keyId);
  }

  /** Newest first; without a limit, everything that matches the filter. */
  entries(filter: LogFilter, limit = -1): readonly LogEntry[] {
    const { fromMs, toMs, beforeSeq, status, method, route, keyId } = filter;
    return this.#database
      .prepare(
        `SELECT requests.*, min(product) AS product, min(operation) AS operation, sum(characters) AS characters,
                sum(duration_ms) AS duration_ms, sum(CASE state WHEN 'settled' THEN units ELSE 0 END) AS units, min(state) AS state
         FROM requests LEFT JOIN charges USING (request_id)
         WHERE requests.at_ms >= ? AND requests.at_ms < ? AND seq < ? AND status_code = coalesce(?, status_code)
           AND method = coalesce(?, method) AND route = coalesce(?, route) AND requests.key_id = coalesce(?, requests.key_id)
         GROUP BY seq ORDER BY seq DESC LIMIT ?`,
      )
      .all(
        fromMs,
        toMs,
        beforeSeq ?? Number.MAX_SAFE_INTEGER,
        status ?? null,
        method ?? null,
        route ?? null,
        keyId ?? null,
        limit,
      )
      .map((row) => entryRow.parse(row));
  }
}
