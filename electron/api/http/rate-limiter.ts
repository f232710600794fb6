import type { ClientClock } from './clock.ts';

const fullRate = 60;
const burst = 10;
const slowedMs = 60_000;
const stepMs = 10_000;

/** Who goes first when there are more requests than turns: a user before new work, new work before polling. */
export const requestUrgencies = ['user', 'create', 'download', 'poll'] as const;
export type RequestUrgency = (typeof requestUrgencies)[number];

interface Waiting {
  readonly rank: number;
  readonly give: () => void;
}

/**
 * At most 60 requests a second with a burst of ten (the service allows 70). After a 429 half of that for a minute, then
 * 5% of the full rate back every ten seconds. Turns are given by urgency, and in order of asking within one.
 */
export class RateLimiter {
  readonly #clock: ClientClock;
  readonly #waiting: Waiting[] = [];
  #tokens = burst;
  #atMs: number;
  #slowedAtMs: number | null = null;
  #isArmed = false;

  constructor(clock: ClientClock) {
    this.#clock = clock;
    this.#atMs = clock.monotonic();
  }

  /** Requests a second right now. */
  get rate(): number {
    if (this.#slowedAtMs === null) return fullRate;
    const since = this.#clock.monotonic() - this.#slowedAtMs - slowedMs;
    return since < 0 ? fullRate / 2 : Math.min(fullRate, fullRate * (0.5 + 0.05 * (1 + Math.floor(since / stepMs))));
  }

  /** Waits for a turn. False: the signal was aborted first, and the turn goes to another. */
  take(signal: AbortSignal | undefined, urgency: RequestUrgency = 'user'): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const finish = (isMyTurn: boolean): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve(isMyTurn);
      };
      const waiting: Waiting = { rank: requestUrgencies.indexOf(urgency), give: () => finish(true) };
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        finish(false);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const behind = this.#waiting.findIndex(({ rank }) => rank > waiting.rank);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiting);
      this.#giveTurns();
    });
  }

  slowDown(): void {
    this.#refill();
    this.#slowedAtMs = this.#clock.monotonic();
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#atMs) / 1000) * this.rate);
    this.#atMs = now;
  }

  #giveTurns(): void {
    this.#refill();
    // A clock with fractions may wake us a hair before the token is whole.
    while (this.#tokens >= 1 - 1e-9 && this.#waiting.length > 0) {
      this.#tokens -= 1;
      this.#waiting.shift()?.give();
    }
    if (this.#waiting.length === 0 || this.#isArmed) return;
    this.#isArmed = true;
    this.#clock.after(((1 - this.#tokens) / this.rate) * 1000, () => {
      this.#isArmed = false;
      this.#giveTurns();
    });
  }
}
