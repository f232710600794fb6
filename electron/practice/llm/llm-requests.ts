import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const llmRequestSchema = `
  CREATE TABLE IF NOT EXISTS llm_requests (
    id TEXT PRIMARY KEY,
    idempotency_key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'usage_pending')),
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    units INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
`;

const requestRow = z
  .object({
    id: z.string(),
    model: z.string(),
    status: z.enum(['running', 'completed', 'failed', 'usage_pending']),
    input_tokens: z.number(),
    output_tokens: z.number(),
    units: z.number(),
    created_at_ms: z.number(),
  })
  .transform((row) => ({
    id: row.id,
    model: row.model,
    status: row.status,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    units: row.units,
    createdAtMs: row.created_at_ms,
  }));
export type LlmRequest = z.output<typeof requestRow>;

/** Questions and their usage; never their text. */
export class LlmRequests {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(request: LlmRequest, idempotencyKey: string): void {
    this.#database
      .prepare(
        'INSERT INTO llm_requests (id, idempotency_key, model, status, input_tokens, output_tokens, units, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        request.id,
        idempotencyKey,
        request.model,
        request.status,
        request.inputTokens,
        request.outputTokens,
        request.units,
        request.createdAtMs,
      );
  }

  read(id: string): LlmRequest | null {
    const row = this.#database.prepare('SELECT * FROM llm_requests WHERE id = ?').get(id);
    return row === undefined ? null : requestRow.parse(row);
  }

  findByKey(idempotencyKey: string): LlmRequest | null {
    const row = this.#database.prepare('SELECT * FROM llm_requests WHERE idempotency_key = ?').get(idempotencyKey);
    return row === undefined ? null : requestRow.parse(row);
  }

  /** Questions whose use is not known yet. */
  withPendingUsage(): readonly LlmRequest[] {
    return this.#database
      .prepare("SELECT * FROM llm_requests WHERE status = 'usage_pending'")
      .all()
      .map((row) => requestRow.parse(row));
  }

  complete(id: string): void {
    this.#database.prepare("UPDATE llm_requests SET status = 'completed' WHERE id = ?").run(id);
  }
}
