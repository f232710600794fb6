import { createHash, randomBytes } from 'node:crypto';

export type LiveService = 'stt' | 'tts';

interface Ticket {
  readonly keyId: string;
  /** What it opens; it opens nothing else. */
  readonly service: LiveService;
  readonly expiresAtMs: number;
}

const digest = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');

/** Tickets for one connection each. They are short-lived and only in memory, so a restart ends them all. */
export class Tickets {
  readonly #lifeMs: number;
  readonly #now: () => number;
  readonly #known = new Map<string, Ticket>();

  constructor(lifeMs: number, now: () => number) {
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  issue(keyId: string, service: LiveService): { readonly ticket: string; readonly expiresAtMs: number } {
    for (const [hash, { expiresAtMs }] of this.#known) if (expiresAtMs <= this.#now()) this.#known.delete(hash);
    const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
    const expiresAtMs = this.#now() + this.#lifeMs;
    this.#known.set(digest(ticket), { keyId, service, expiresAtMs });
    return { ticket, expiresAtMs };
  }

  /**
   * The key that a ticket was issued for, once; null for a ticket that is unknown, used, expired or for another
   * service.
   */
  redeem(ticket: string, service: LiveService): string | null {
    const hash = digest(ticket);
    const known = this.#known.get(hash);
    this.#known.delete(hash);
    const isGood = known !== undefined && known.service === service && known.expiresAtMs > this.#now();
    return isGood ? known.keyId : null;
  }
}
