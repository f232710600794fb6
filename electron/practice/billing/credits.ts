import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { ApiKey } from '../account/api-keys.ts';
import { inTransaction } from '../state/in-transaction.ts';
import { toUnits } from './units.ts';
import { problem, type Answer } from '../http/answer.ts';

export const creditsSchema = `
  CREATE TABLE IF NOT EXISTS account (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    granted_units INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS charges (
    subject TEXT PRIMARY KEY,
    request_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    product TEXT NOT NULL,
    operation TEXT NOT NULL,
    characters INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    units INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('held', 'settled', 'released')),
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS charges_by_request ON charges (request_id);
  CREATE INDEX IF NOT EXISTS charges_by_key ON charges (key_id);
`;

/** A billable thing that was accepted. `subject` identifies the work and is charged once. */
export interface Charge {
  readonly subject: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly product: 'tts' | 'stt' | 'llm' | 'voice_enhancer';
  readonly operation: string;
  readonly characters?: number;
  readonly durationMs?: number;
  readonly units: number;
  readonly atMs: number;
}

export type Unaffordable = 'insufficient_credits' | 'api_key_credit_limit';

const sumRow = z.object({ sum: z.number() });

/** Credits of the account: the grant, minus what is held for running work and what finished work has cost. */
export class Credits {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #sum(where: string, ...values: string[]): number {
    return sumRow.parse(
      this.#database.prepare(`SELECT coalesce(sum(units), 0) AS sum FROM charges WHERE ${where}`).get(...values),
    ).sum;
  }

  /** Each start begins with this balance, whatever was spent before. */
  fill(units: number): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO account (only_one, granted_units) VALUES (1, ?)')
      .run(this.#sum("state <> 'released'") + units);
  }

  balanceUnits(): number {
    const row = this.#database.prepare('SELECT granted_units AS sum FROM account').get();
    return (row === undefined ? 0 : sumRow.parse(row).sum) - this.#sum("state <> 'released'");
  }

  /** Why this key can't spend that much now; null: it can. */
  refusal(key: Pick<ApiKey, 'id' | 'creditLimit'>, units: number): Unaffordable | null {
    if (this.balanceUnits() < units) return 'insufficient_credits';
    if (key.creditLimit === null) return null;
    const spent = this.#sum("key_id = ? AND state <> 'released'", key.id);
    return spent + units > toUnits(key.creditLimit) ? 'api_key_credit_limit' : null;
  }

  /** Keeps credits back until the work ends. */
  hold(charge: Charge): void {
    this.#write(charge, 'held');
  }

  /** Charges work that is finished when its request is answered. */
  spend(charge: Charge): void {
    this.#write(charge, 'settled');
  }

  #write(charge: Charge, state: 'held' | 'settled'): void {
    this.#database
      .prepare(
        'INSERT INTO charges (subject, request_id, key_id, product, operation, characters, duration_ms, units, state, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        charge.subject,
        charge.requestId,
        charge.keyId,
        charge.product,
        charge.operation,
        charge.characters ?? 0,
        charge.durationMs ?? 0,
        charge.units,
        state,
        charge.atMs,
      );
  }

  /** The work succeeded and cost this much, which may be less than was held. A settled charge does not change. */
  settle(subject: string, actual: { readonly units: number; readonly durationMs?: number }): void {
    this.#database
      .prepare(
        "UPDATE charges SET state = 'settled', units = ?, duration_ms = coalesce(?, duration_ms) WHERE subject = ? AND state = 'held'",
      )
      .run(actual.units, actual.durationMs ?? null, subject);
  }

  /** The work failed for good: the held credits become available again. */
  release(subject: string): void {
    this.#database.prepare("UPDATE charges SET state = 'released' WHERE subject = ? AND state = 'held'").run(subject);
  }

  isKeyInUse(keyId: string): boolean {
    return this.#database.prepare('SELECT 1 FROM charges WHERE key_id = ? LIMIT 1').get(keyId) !== undefined;
  }

  /** Holds credits for all charges, or for none with the reason. */
  holdAll(key: ApiKey, charges: readonly Charge[]): Unaffordable | null {
    return inTransaction(this.#database, () => {
      const refusal = this.refusal(
        key,
        charges.reduce((sum, { units }) => sum + units, 0),
      );
      if (refusal === null) for (const charge of charges) this.hold(charge);
      return refusal;
    });
  }
}

const words: Readonly<Record<Unaffordable, string>> = {
  insufficient_credits: 'The account has not enough credits for this.',
  api_key_credit_limit: 'The credit limit of this key does not allow this.',
};

/** The answer for work that can't be paid for; null when it can. */
export const refuseUnaffordable = (reason: Unaffordable | null): Answer | null =>
  reason === null ? null : problem(402, reason, words[reason]);
