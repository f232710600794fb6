/** A bucket per caller that fills evenly (contract 8). It holds one second of requests, if nothing else is said. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(perSecond: number, burst = perSecond) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Seconds to wait; null: go on. */
  take(caller: string, nowMs: number): number | null {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, atMs: nowMs };
    const left = Math.min(this.#burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.#perSecond);
    const isAllowed = left >= 1;
    this.#buckets.set(caller, { left: isAllowed ? left - 1 : left, atMs: nowMs });
    return isAllowed ? null : Math.ceil((1 - left) / this.#perSecond);
  }
}
