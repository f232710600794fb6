import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { inTransaction } from '../state/in-transaction.ts';
import { isIP } from 'node:net';

export const webhookSchema = `
  CREATE TABLE IF NOT EXISTS webhooks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    event_types TEXT NOT NULL,
    secret TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    disabled_at_ms INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled')),
    attempt_count INTEGER NOT NULL,
    response_status INTEGER,
    error_code TEXT,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    delivered_at_ms INTEGER,
    next_attempt_at_ms INTEGER
  ) STRICT;
`;

const webhookRow = z
  .object({
    id: z.string(),
    url: z.string(),
    event_types: z.string(),
    secret: z.string(),
    revision: z.number(),
    created_at_ms: z.number(),
    updated_at_ms: z.number(),
    disabled_at_ms: z.number().nullable(),
  })
  .transform(({ event_types, ...row }) => ({ ...row, eventTypes: z.array(z.string()).parse(JSON.parse(event_types)) }));
export type Webhook = z.output<typeof webhookRow>;

const deliveryRow = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  url: z.string(),
  secret: z.string(),
  body: z.string(),
  status: z.enum(['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled']),
  attempt_count: z.number(),
  response_status: z.number().nullable(),
  error_code: z.string().nullable(),
  created_at_ms: z.number(),
  updated_at_ms: z.number(),
  delivered_at_ms: z.number().nullable(),
  next_attempt_at_ms: z.number().nullable(),
});
export type Delivery = z.output<typeof deliveryRow>;

const countRow = z.object({ count: z.number() });

/** How an attempt ended. */
export interface AttemptResult {
  readonly status: 'succeeded' | 'retrying' | 'failed' | 'canceled';
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly nextAttemptAtMs: number | null;
}

/** Subscriptions and their deliveries. A delivery keeps the address and the secret from when it was created. */
export class WebhookStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #count(sql: string, ...values: string[]): number {
    return countRow.parse(this.#database.prepare(sql).get(...values)).count;
  }

  countActive(): number {
    return this.#count('SELECT count(*) AS count FROM webhooks WHERE disabled_at_ms IS NULL');
  }

  count(): number {
    return this.#count('SELECT count(*) AS count FROM webhooks');
  }

  create(id: string, url: string, eventTypes: readonly string[], secret: string, atMs: number): void {
    this.#database
      .prepare(
        'INSERT INTO webhooks (id, url, event_types, secret, revision, created_at_ms, updated_at_ms) VALUES (?, ?, ?, ?, 1, ?, ?)',
      )
      .run(id, url, JSON.stringify(eventTypes), secret, atMs, atMs);
  }

  read(id: string): Webhook | null {
    const row = this.#database.prepare('SELECT * FROM webhooks WHERE id = ?').get(id);
    return row === undefined ? null : webhookRow.parse(row);
  }

  page(limit: number, offset: number): readonly Webhook[] {
    return this.#database
      .prepare('SELECT * FROM webhooks ORDER BY seq DESC LIMIT ? OFFSET ?')
      .all(limit, offset)
      .map((row) => webhookRow.parse(row));
  }

  active(): readonly Webhook[] {
    return this.#database
      .prepare('SELECT * FROM webhooks WHERE disabled_at_ms IS NULL ORDER BY seq')
      .all()
      .map((row) => webhookRow.parse(row));
  }

  /** Stores a changed subscription as its next revision. Disabling cancels what was not sent yet. */
  change(webhook: Webhook, atMs: number): void {
    inTransaction(this.#database, () => {
      this.#database
        .prepare(
          'UPDATE webhooks SET url = ?, event_types = ?, secret = ?, disabled_at_ms = ?, revision = revision + 1, updated_at_ms = ? WHERE id = ?',
        )
        .run(webhook.url, JSON.stringify(webhook.eventTypes), webhook.secret, webhook.disabled_at_ms, atMs, webhook.id);
      if (webhook.disabled_at_ms === null) return;
      this.#database
        .prepare(
          "UPDATE webhook_deliveries SET status = 'canceled', next_attempt_at_ms = NULL, updated_at_ms = ? WHERE webhook_id = ? AND status IN ('pending', 'retrying')",
        )
        .run(atMs, webhook.id);
    });
  }

  addDelivery(id: string, webhook: Webhook, event: { id: string; type: string; body: string }, atMs: number): void {
    this.#database
      .prepare(
        "INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, url, secret, body, status, attempt_count, created_at_ms, updated_at_ms, next_attempt_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?, ?)",
      )
      .run(id, webhook.id, event.id, event.type, webhook.url, webhook.secret, event.body, atMs, atMs, atMs);
  }

  readDelivery(id: string): Delivery | null {
    const row = this.#database.prepare('SELECT * FROM webhook_deliveries WHERE id = ?').get(id);
    return row === undefined ? null : deliveryRow.parse(row);
  }

  countDeliveries(webhookId: string): number {
    return this.#count('SELECT count(*) AS count FROM webhook_deliveries WHERE webhook_id = ?', webhookId);
  }

  deliveries(webhookId: string, limit: number, offset: number): readonly Delivery[] {
    return this.#database
      .prepare('SELECT * FROM webhook_deliveries WHERE webhook_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?')
      .all(webhookId, limit, offset)
      .map((row) => deliveryRow.parse(row));
  }

  /** What is to be sent, the earliest first. */
  waiting(): readonly Delivery[] {
    return this.#database
      .prepare(
        "SELECT * FROM webhook_deliveries WHERE status IN ('pending', 'retrying') ORDER BY next_attempt_at_ms, seq",
      )
      .all()
      .map((row) => deliveryRow.parse(row));
  }

  /** An attempt that an earlier process began may or may not have arrived, so it is repeated. */
  takeUpUnfinished(): void {
    this.#database.exec("UPDATE webhook_deliveries SET status = 'retrying' WHERE status = 'delivering'");
  }

  begin(id: string, atMs: number): void {
    this.#database
      .prepare(
        "UPDATE webhook_deliveries SET status = 'delivering', attempt_count = attempt_count + 1, next_attempt_at_ms = NULL, updated_at_ms = ? WHERE id = ?",
      )
      .run(atMs, id);
  }

  end(id: string, { status, responseStatus, errorCode, nextAttemptAtMs }: AttemptResult, atMs: number): void {
    this.#database
      .prepare(
        'UPDATE webhook_deliveries SET status = ?, response_status = ?, error_code = ?, next_attempt_at_ms = ?, delivered_at_ms = ?, updated_at_ms = ? WHERE id = ?',
      )
      .run(status, responseStatus, errorCode, nextAttemptAtMs, status === 'succeeded' ? atMs : null, atMs, id);
  }

  /** Queues a failed delivery for another attempt; its count goes on. */
  queueAgain(id: string, atMs: number): void {
    this.#database
      .prepare(
        "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at_ms = ?, updated_at_ms = ? WHERE id = ?",
      )
      .run(atMs, atMs, id);
  }
}

const mostCharacters = 2048;

/** Why an address can't receive events (contract 4.11); null: it can. */
export function callbackTrouble(text: string): string | null {
  if (text.length > mostCharacters) return `at most ${mostCharacters} characters`;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') return 'must be an https address';
  if (url.port !== '') return 'must use port 443';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (text.includes('#')) return 'must not hold a fragment';
  const host = url.hostname.replace(/\.$/, '');
  const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  const isPrivate = !host.includes('.') || /(?:^|\.)(?:localhost|local|internal|lan|home|arpa)$/.test(host);
  return isAddress || isPrivate ? 'must be a public name' : null;
}
