import type { ClientClock } from './clock.ts';

/** How an attempt ended, for the health of the service; `unreachable`: no connection could be made. */
export type AttemptHealth = 'success' | 'trouble' | 'timeout' | 'unreachable' | 'neutral';

const fullTokens = 100;
const costs: Readonly<Record<AttemptHealth, number>> = {
  success: -1,
  trouble: 5,
  timeout: 10,
  unreachable: 5,
  neutral: 0,
};
/** After this many failed connections in a row the service is considered down. */
const unreachableInARow = 6;
const firstProbeMs = 15_000;
const longestProbeMs = 300_000;

/**
 * Protects a service in trouble from being hammered. Trouble and timeouts cost tokens, a success returns one, and one
 * comes back each second. When none is left nothing is sent until a probe is due, after 15 s and then twice as long
 * each time, up to five minutes; the first success opens everything again. A service that can't be reached at all is
 * detected sooner: after six failed connections in a row.
 */
export class RetryBudget {
  readonly #clock: ClientClock;
  #tokens = fullTokens;
  #refilledAtMs: number;
  #probeWaitMs = 0;
  #closedUntilMs = 0;
  #unreached = 0;

  constructor(clock: ClientClock) {
    this.#clock = clock;
    this.#refilledAtMs = clock.monotonic();
  }

  /**
   * `waitMs` 0: go ahead. Otherwise the time until the next probe; the request that asks when a probe is due becomes
   * that probe.
   */
  admit(): { readonly waitMs: number; readonly isProbe: boolean } {
    if (this.#probeWaitMs === 0) return { waitMs: 0, isProbe: false };
    const left = this.#closedUntilMs - this.#clock.monotonic();
    if (left > 0) return { waitMs: Math.ceil(left), isProbe: false };
    this.#close();
    return { waitMs: 0, isProbe: true };
  }

  /** There is a reason to believe that the service works again, so the next request may be the probe. */
  allowProbe(): void {
    this.#closedUntilMs = 0;
  }

  record(health: AttemptHealth): void {
    if (health !== 'neutral') this.#unreached = health === 'unreachable' ? this.#unreached + 1 : 0;
    const now = this.#clock.monotonic();
    const refilled = this.#tokens + (now - this.#refilledAtMs) / 1000;
    this.#refilledAtMs = now;
    this.#tokens = Math.min(fullTokens, Math.min(fullTokens, refilled) - costs[health]);
    if (health === 'success') {
      if (this.#probeWaitMs > 0) this.#tokens = Math.max(this.#tokens, fullTokens / 2);
      this.#probeWaitMs = 0;
    } else if (this.#tokens <= 0 || this.#unreached >= unreachableInARow) {
      this.#tokens = Math.max(0, this.#tokens);
      if (this.#probeWaitMs === 0) this.#close();
    }
  }

  #close(): void {
    this.#probeWaitMs = this.#probeWaitMs === 0 ? firstProbeMs : Math.min(longestProbeMs, this.#probeWaitMs * 2);
    this.#closedUntilMs = this.#clock.monotonic() + this.#probeWaitMs;
  }
}
