import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Addresses of files that are valid for a while without any other credential, like those of object stores. */
export class SignedLinks {
  readonly #secret = randomBytes(32);
  readonly #lifeMs: number;
  readonly #base: () => string;
  readonly #now: () => number;

  constructor(lifeMs: number, base: () => string, now: () => number) {
    this.#lifeMs = lifeMs;
    this.#base = base;
    this.#now = now;
  }

  #sign(object: string, expires: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${object}\n${expires}`).digest();
  }

  /** A fresh address for an object; `object` is a plain name. */
  linkTo(object: string): string {
    const expires = String(this.#now() + this.#lifeMs);
    const signature = this.#sign(object, expires).toString('base64url');
    return `${this.#base()}/storage/${object}?expires=${expires}&signature=${signature}`;
  }

  check(object: string, query: URLSearchParams): 'good' | 'expired' | 'forged' {
    const expires = query.get('expires') ?? '';
    const given = Buffer.from(query.get('signature') ?? '', 'base64url');
    const expected = this.#sign(object, expires);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
    return Number(expires) > this.#now() ? 'good' : 'expired';
  }
}
