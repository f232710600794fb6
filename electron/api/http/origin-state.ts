import {
  estimateServerTime,
  observeServerDate,
  unknownServerClock,
  type ServerClock,
} from '../../../shared/domain/failures/server-clock.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Secret } from '../../secret/secret.ts';
import type { ClientClock } from './clock.ts';
import { RateLimiter } from './rate-limiter.ts';
import { RetryBudget } from './retry-budget.ts';

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

  /**
   * Learns from the end of a request. A 429 with a retry time concerns the key and slows down every request (E-052);
   * one without may concern a single machine of many (E-053) and counts only when the very next answer repeats it.
   */
  observeThrottle(failure: Failure | null): void {
    const isUntimed = failure?.row === 'E-053';
    if (failure?.status === 429 && (!isUntimed || this.#wasUntimed)) this.limiter.slowDown();
    this.#wasUntimed = isUntimed;
  }

  /** Learns from the `Date` of an answer; both times are local Unix milliseconds. */
  observeDate(dateHeader: string | undefined, sentAtMs: number): void {
    this.#serverClock = observeServerDate(this.#serverClock, dateHeader, sentAtMs, this.#clock.now());
  }

  /** Server minus ours, milliseconds; null: it never sent its time. */
  offsetMs(): number | null {
    return this.#serverClock.offsetsMs.length === 0 ? null : estimateServerTime(this.#serverClock, 0);
  }

  /** Our best guess of the server's time, Unix milliseconds. */
  serverNow(): number {
    return estimateServerTime(this.#serverClock, this.#clock.now());
  }
}

/** The state of each origin and key that was ever used; an app uses very few. */
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
