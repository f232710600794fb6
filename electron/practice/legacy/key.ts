import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The account to which legacy work is charged, through a key that no list shows. */
export const legacyCaller = { id: 'key_practice_older', creditLimit: null } as const;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * The key of the legacy API. It is created at each start and sent over the pipe like the other key; neither opens the
 * routes of the other.
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
