/** A bucket per caller that holds one second of requests and fills evenly (service-api 8). */
export class RateLimit {
  readonly #perSecond: number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Seconds to wait; null: go on. */
  take(caller: string, nowMs: number): number | null {
    const bucket = this.#buckets.get(caller) ?? { left: this.#perSecond, atMs: nowMs };
    const left = Math.min(this.#perSecond, bucket.left + ((nowMs - bucket.atMs) / 1000) * this.#perSecond);
    const isAllowed = left >= 1;
    this.#buckets.set(caller, { left: isAllowed ? left - 1 : left, atMs: nowMs });
    return isAllowed ? null : Math.ceil((1 - left) / this.#perSecond);
  }
}
