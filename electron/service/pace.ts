import {
  observeServerDate,
  estimateServerTime,
  unknownServerClock,
  type ServerClock,
} from '../../shared/domain/failures/server-clock.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Secret } from '../secret/secret.ts';
import type { ClientClock } from './transport.ts';

export type AttemptHealth = 'success' | 'trouble' | 'timeout' | 'unreachable' | 'neutral';

const fullTokens = 100;
const costs: Readonly<Record<AttemptHealth, number>> = {
  success: -1,
  trouble: 5,
  timeout: 10,
  unreachable: 5,
  neutral: 0,
};

const unreachableInARow = 6;
const firstProbeMs = 15_000;
const longestProbeMs = 300_000;

/** A try that reaches nobody burdens nobody, and what waits should go on soon after the service is back. */
const longestUnreachedMs = 30_000;

/** Protects a service in trouble from being hammered: see the costs above and `docs/reference`. */
export class RetryBudget {
  readonly #clock: ClientClock;
  #tokens = fullTokens;
  #refilledAtMs: number;
  #probeWaitMs = 0;
  #closedUntilMs = 0;
  #unreached = 0;
  #whyUnreached: Failure | null = null;

  constructor(clock: ClientClock) {
    this.#clock = clock;
    this.#refilledAtMs = clock.monotonic();
  }

  /** The request that asks when a probe is due becomes that probe. */
  admit(): { readonly waitMs: number; readonly isProbe: boolean } {
    if (this.#probeWaitMs === 0) return { waitMs: 0, isProbe: false };
    const left = this.#closedUntilMs - this.#clock.monotonic();
    if (left > 0) return { waitMs: Math.ceil(left), isProbe: false };
    this.#close();
    return { waitMs: 0, isProbe: true };
  }

  allowProbe(): void {
    this.#closedUntilMs = 0;
  }

  get unreachedBy(): Failure | null {
    return this.#unreached > 0 ? this.#whyUnreached : null;
  }

  record(health: AttemptHealth, failure: Failure | null = null): void {
    if (health === 'unreachable') this.#whyUnreached = failure;
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
    const longestMs = this.#unreached >= unreachableInARow ? longestUnreachedMs : longestProbeMs;
    this.#probeWaitMs = this.#probeWaitMs === 0 ? firstProbeMs : Math.min(longestMs, this.#probeWaitMs * 2);
    this.#closedUntilMs = this.#clock.monotonic() + this.#probeWaitMs;
  }
}

/** What is remembered about one origin and key: another address or key starts with a clean slate. */
export class OriginState {
  readonly limiter: RateLimiter;
  readonly budget: RetryBudget;
  readonly #clock: ClientClock;
  #serverClock: ServerClock = unknownServerClock;
  #wasUntimed = false;

  constructor(clock: ClientClock) {
    this.#clock = clock;
    this.limiter = new RateLimiter(clock);
    this.budget = new RetryBudget(clock);
  }

  /** A 429 without a retry time may concern a single machine of many: it counts when the next answer repeats it. */
  observeThrottle(failure: Failure | null): void {
    const isUntimed = failure?.kind === 'rate-limited';
    if (failure?.status === 429 && (!isUntimed || this.#wasUntimed)) this.limiter.slowDown();
    this.#wasUntimed = isUntimed;
  }

  observeDate(dateHeader: string | undefined, sentAtMs: number): void {
    this.#serverClock = observeServerDate(this.#serverClock, dateHeader, sentAtMs, this.#clock.now());
  }

  offsetMs(): number | null {
    return this.#serverClock.offsetsMs.length === 0 ? null : estimateServerTime(this.#serverClock, 0);
  }

  serverNow(): number {
    return estimateServerTime(this.#serverClock, this.#clock.now());
  }
}

export function createOriginStates(clock: ClientClock): (origin: string, key: Secret) => OriginState {
  const states = new Map<string, OriginState>();
  return (origin, key) => {
    const id = `${origin} ${key.fingerprint(origin)}`;
    const known = states.get(id);
    if (known !== undefined) return known;
    const state = new OriginState(clock);
    states.set(id, state);
    return state;
  };
}

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

/** The service allows 70 a second. After a 429 half of ours for a minute, then 5% back every ten seconds. */
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

  get rate(): number {
    if (this.#slowedAtMs === null) return fullRate;
    const since = this.#clock.monotonic() - this.#slowedAtMs - slowedMs;
    return since < 0 ? fullRate / 2 : Math.min(fullRate, fullRate * (0.5 + 0.05 * (1 + Math.floor(since / stepMs))));
  }

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
