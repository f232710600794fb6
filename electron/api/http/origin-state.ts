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

/** What is remembered of one origin and key: another address or key starts with a clean slate. */
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
   * Takes in how a request went. A 429 that names a time is about the key, and slows every request down (E-052); one
   * that names none may be about one machine of many (E-053) and counts when the very next answer says it again.
   */
  observeThrottle(failure: Failure | null): void {
    const isUntimed = failure?.row === 'E-053';
    if (failure?.status === 429 && (!isUntimed || this.#wasUntimed)) this.limiter.slowDown();
    this.#wasUntimed = isUntimed;
  }

  /** Takes in the `Date` of an answer; both times are local Unix milliseconds. */
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

/** The state of each origin and key that was ever asked with; an app asks very few. */
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
