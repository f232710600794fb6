import { createHmac } from 'node:crypto';

/**
 * A key that does not print itself. `toString` and `toJSON` give `[secret]`; only the transport calls `reveal`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The last four characters, or nothing when the key is too short for that to be harmless. */
  get maskedSuffix(): string {
    return this.#value.length >= 12 ? this.#value.slice(-4) : '';
  }

  /**
   * A short digest from which the key can't be recovered: the same for the same key and words. Used to tell keys apart
   * where no key may be stored.
   */
  fingerprint(words: string): string {
    return createHmac('sha256', this.#value).update(words).digest('hex').slice(0, 32);
  }

  /** Whether it can be sent in a request header: visible ASCII characters only. */
  get fitsHeader(): boolean {
    return /^[\u0021-\u007E]+$/.test(this.#value);
  }

  /** Whether a text contains this key; an empty key is in no text. */
  isIn(text: string): boolean {
    return this.#value !== '' && text.includes(this.#value);
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}
