export interface RateLimit {
  /** Calls that may come at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Token bucket per caller. `now` in milliseconds, monotonic. */
export function createRateLimiter(limit: RateLimit, now: () => number) {
  const buckets = new Map<number, { tokens: number; atMs: number }>();
  return {
    allows(caller: number): boolean {
      const atMs = now();
      const bucket = buckets.get(caller) ?? { tokens: limit.burst, atMs };
      const refilled = Math.min(limit.burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * limit.perSecond);
      const isAllowed = refilled >= 1;
      buckets.set(caller, { tokens: isAllowed ? refilled - 1 : refilled, atMs });
      return isAllowed;
    },
    forget(caller: number): void {
      buckets.delete(caller);
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;
