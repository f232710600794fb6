import type { Result } from '../../../shared/result/result.ts';

/** Reports that a full disk would not take, in order; tried again after 1 s, 2 s, 4 s and at most every 30 s (E-180). */
export class DiskBacklog {
  readonly #waiting: (() => Result<null>)[] = [];
  #tries = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Milliseconds until the next try. */
  get pauseMs(): number {
    return Math.min(30_000, 1_000 * 2 ** this.#tries);
  }

  add(attempt: () => Result<null>): void {
    this.#waiting.push(attempt);
  }

  /** Writes what it can; true when nothing is left. */
  tryAll(): boolean {
    this.#tries += 1;
    for (let attempt = this.#waiting[0]; attempt !== undefined; attempt = this.#waiting[0]) {
      if (!attempt().ok) return false;
      this.#waiting.shift();
    }
    this.#tries = 0;
    return true;
  }
}
