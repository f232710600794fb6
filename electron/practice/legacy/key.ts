import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whom work of the legacy API is charged to: the one account, by a key that is in no list of keys. */
export const legacyCaller = { id: 'key_practice_older', creditLimit: null } as const;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * The key of the legacy API. It is made new at each start and told by the pipe, as the other one is, and neither
 * opens what the other opens.
 */
export class LegacyKey {
  readonly secret: string;
  readonly #digest: Buffer;

  constructor(secret = `practice_old_${randomBytes(32).toString('base64url')}`) {
    this.secret = secret;
    this.#digest = digest(secret);
  }

  /** Takes the same time whatever was sent. */
  isMine(sent: string): boolean {
    return timingSafeEqual(digest(sent), this.#digest);
  }
}
