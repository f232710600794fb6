import type { Failure } from '../../../shared/result/failure.ts';
import { isHtmlAnswer } from '../../../shared/domain/jobs/on-html-answer.ts';
import type { ServiceWay } from '../../api/stt-api.ts';
import type { KeyedTimers } from './keyed-timers.ts';
import type { Clock } from './ports.ts';

/** Asks only the resolver, so it does not load the service. */
const nameEveryMs = 3_000;
/** One foreign answer may be an accident: a read checks at once, but not more than once in this time. */
const betweenTriesMs = 1_000;
const nextTryMs = 15_000;
const longestTryMs = 300_000;

/** Obstacles between us and the service that may disappear without any notification. */
const inTheWay = new Set(['E-005', 'E-006', 'E-007', 'E-008']);
const isInTheWay = (failure: Failure): boolean => inTheWay.has(failure.row) || isHtmlAnswer(failure);

/** What the watch needs of the world. */
export interface WayPorts {
  readonly api: Pick<ServiceWay, 'isNamed' | 'reach'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Nothing left this computer, for a reason between it and the service. */
export const wasNotReached = ({ outcome, layer }: Failure): boolean => outcome === 'not_sent' && layer !== 'local';

/**
 * Detects by itself that the service can be reached again: by resolving its name every few seconds, and past a sign-in
 * page or a proxy by a free read at once, after a second, after 15 s, then after twice as long each time, up to five
 * minutes.
 */
export class ConnectivityMonitor {
  readonly #way: Pick<ServiceWay, 'isNamed' | 'reach'>;
  readonly #timers: KeyedTimers;
  /** `isAnswered`: the service itself answered, instead of just its name resolving. */
  readonly #reached: (isAnswered: boolean) => void;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #tryMs = 0;
  #triedAtMs = -Infinity;

  constructor({ api, clock }: WayPorts, timers: KeyedTimers, reached: (isAnswered: boolean) => void) {
    this.#way = api;
    this.#clock = clock;
    this.#timers = timers;
    this.#reached = reached;
  }

  /** The service was reached: the next trouble starts with short pauses. */
  watch(failure: Failure): void {
    if (failure.row === 'E-002') this.#awaitName();
    else if (isInTheWay(failure) && !this.#timers.has('way')) this.#awaitWay();
  }

  /** The way is free: the next trouble begins anew. */
  reset(): void {
    this.#tryMs = 0;
    this.#timers.cancel('way');
  }

  #awaitName(): void {
    if (this.#timers.has('name')) return;
    this.#timers.set('name', nameEveryMs, () => {
      void this.#way.isNamed().then((isNamed) => (isNamed ? this.#reached(false) : this.#awaitName()));
    });
  }

  #awaitWay(): void {
    const now = this.#clock.monotonic();
    this.#timers.set('way', Math.max(this.#tryMs, this.#triedAtMs + betweenTriesMs - now), () => {
      this.#tryMs = nextPause(this.#tryMs);
      this.#triedAtMs = this.#clock.monotonic();
      void this.#way.reach().then((answer) => {
        if (answer.ok || !isStillInTheWay(answer.error)) this.#reached(true);
        else this.#awaitWay();
      });
    });
  }
}

/** 0, 1 s, 15 s, then twice as long each time. */
const nextPause = (ms: number): number =>
  ms === 0 ? betweenTriesMs : Math.min(longestTryMs, Math.max(nextTryMs, ms * 2));

/** A refusal by the service itself shows that it was reached. */
const isStillInTheWay = (failure: Failure): boolean => isInTheWay(failure) || wasNotReached(failure);
