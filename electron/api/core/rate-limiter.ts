import { sleep, type ClientClock } from './clock.ts';

const fullRate = 60;
const burst = 10;
const slowedMs = 60_000;
const stepMs = 10_000;

/**
 * At most 60 requests a second with a burst of ten (the service allows 70). After a 429 half of that for a minute, then
 * 5% of the full rate back every ten seconds.
 */
export class RateLimiter {
  readonly #clock: ClientClock;
  #tokens = burst;
  #atMs: number;
  #slowedAtMs: number | null = null;

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

  /** Waits for a turn; turns are given in order of asking. False: the signal came first. */
  async take(signal: AbortSignal | undefined): Promise<boolean> {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#atMs) / 1000) * this.rate);
    this.#atMs = now;
    // Below zero the tokens are owed: each later caller waits for its own.
    this.#tokens -= 1;
    if (this.#tokens >= 0) return signal?.aborted !== true;
    const isMyTurn = await sleep(this.#clock, (-this.#tokens / this.rate) * 1000, signal);
    if (!isMyTurn) this.#tokens += 1;
    return isMyTurn;
  }

  slowDown(): void {
    this.#slowedAtMs = this.#clock.monotonic();
  }
}
