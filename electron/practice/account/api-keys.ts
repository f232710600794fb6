import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { permissionIds, type Grants } from '../access/permissions.ts';
import { inTransaction } from '../state/in-transaction.ts';

export const apiKeySchema = `
  CREATE TABLE IF NOT EXISTS api_keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    secret_sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    last_four TEXT NOT NULL,
    permissions TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    expires_at_ms INTEGER,
    enabled INTEGER NOT NULL,
    revoked_at_ms INTEGER,
    restrict_key INTEGER NOT NULL,
    credit_limit INTEGER,
    allowed_ips TEXT NOT NULL,
    auto_disable_if_leaked INTEGER NOT NULL
  ) STRICT;
`;

/** The settings of a key that its owner chooses. `creditLimit` in credits. */
export interface KeySettings {
  readonly name: string;
  readonly permissions: Grants;
  readonly expiresAtMs: number | null;
  readonly restrictKey: boolean;
  readonly creditLimit: number | null;
  readonly allowedIps: readonly string[];
  readonly autoDisableIfLeaked: boolean;
  readonly enabled: boolean;
}

/** The defaults of a new key. */
export const newKeySettings: KeySettings = {
  name: '',
  permissions: {},
  expiresAtMs: null,
  restrictKey: true,
  creditLimit: null,
  allowedIps: [],
  autoDisableIfLeaked: true,
  enabled: true,
};

export interface ApiKey extends KeySettings {
  readonly seq: number;
  readonly id: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

const grants = z.partialRecord(z.enum(permissionIds), z.enum(['none', 'read', 'write', 'access']));

const keyRow = z
  .object({
    seq: z.number(),
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    last_four: z.string(),
    permissions: z.string(),
    created_at_ms: z.number(),
    last_used_at_ms: z.number().nullable(),
    expires_at_ms: z.number().nullable(),
    enabled: z.number(),
    revoked_at_ms: z.number().nullable(),
    restrict_key: z.number(),
    credit_limit: z.number().nullable(),
    allowed_ips: z.string(),
    auto_disable_if_leaked: z.number(),
  })
  .transform((row): ApiKey => ({
    seq: row.seq,
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    permissions: grants.parse(JSON.parse(row.permissions)) as Grants,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    expiresAtMs: row.expires_at_ms,
    enabled: row.enabled === 1,
    revokedAtMs: row.revoked_at_ms,
    restrictKey: row.restrict_key === 1,
    creditLimit: row.credit_limit,
    allowedIps: z.array(z.string()).parse(JSON.parse(row.allowed_ips)),
    autoDisableIfLeaked: row.auto_disable_if_leaked === 1,
  }));

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** 256 bits, with a prefix that shows people where the key belongs. */
export const mintSecret = (): string => `practice_${randomBytes(32).toString('base64url')}`;

/** The key that the service hands to the process that started it; each start renews its secret. */
const ownKeyId = 'key_practice';

const settingsColumns = (settings: KeySettings) =>
  [
    settings.name,
    JSON.stringify(settings.permissions),
    settings.expiresAtMs,
    settings.enabled ? 1 : 0,
    settings.restrictKey ? 1 : 0,
    settings.creditLimit,
    JSON.stringify(settings.allowedIps),
    settings.autoDisableIfLeaked ? 1 : 0,
  ] as const;

/** The keys of the one account of practice mode. Only hashes of their secrets are kept. */
export class ApiKeys {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  create(settings: KeySettings, secret: string, atMs: number, id = `key_${randomUUID().replaceAll('-', '')}`): ApiKey {
    return inTransaction(this.#database, () => {
      this.#database
        .prepare(
          `INSERT INTO api_keys (id, secret_sha256, prefix, last_four, created_at_ms, name, permissions, expires_at_ms, enabled, restrict_key, credit_limit, allowed_ips, auto_disable_if_leaked)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(id, digest(secret), secret.slice(0, 13), secret.slice(-4), atMs, ...settingsColumns(settings));
      const created = this.read(id);
      if (created === null) throw new Error('a key vanished inside its own transaction');
      return created;
    });
  }

  /** Gives this start's key its secret, with the grants that this version of practice mode offers. */
  renewOwn(secret: string, permissions: Grants, atMs: number): void {
    inTransaction(this.#database, () => {
      this.#database.prepare('DELETE FROM api_keys WHERE id = ?').run(ownKeyId);
      const settings = { ...newKeySettings, name: 'Practice mode', permissions };
      this.create(settings, secret, atMs, ownKeyId);
    });
  }

  read(id: string): ApiKey | null {
    const row = this.#database.prepare('SELECT * FROM api_keys WHERE id = ?').get(id);
    return row === undefined ? null : keyRow.parse(row);
  }

  /** Searches by hash, so that the timing reveals nothing about a secret. */
  find(secret: string): ApiKey | null {
    const row = this.#database.prepare('SELECT * FROM api_keys WHERE secret_sha256 = ?').get(digest(secret));
    return row === undefined ? null : keyRow.parse(row);
  }

  /** Newest first. */
  page(limit: number, beforeSeq: number | null): readonly ApiKey[] {
    return this.#database
      .prepare('SELECT * FROM api_keys WHERE seq < ? ORDER BY seq DESC LIMIT ?')
      .all(beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
      .map((row) => keyRow.parse(row));
  }

  update(id: string, settings: KeySettings): ApiKey | null {
    this.#database
      .prepare(
        `UPDATE api_keys SET name = ?, permissions = ?, expires_at_ms = ?, enabled = ?, restrict_key = ?, credit_limit = ?, allowed_ips = ?, auto_disable_if_leaked = ? WHERE id = ?`,
      )
      .run(...settingsColumns(settings), id);
    return this.read(id);
  }

  /** False: there is no such key. Revoking again keeps the time of the first revocation. */
  revoke(id: string, atMs: number): boolean {
    const { changes } = this.#database
      .prepare('UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?) WHERE id = ?')
      .run(atMs, id);
    return changes === 1;
  }

  remove(id: string): boolean {
    return this.#database.prepare('DELETE FROM api_keys WHERE id = ?').run(id).changes === 1;
  }
}
