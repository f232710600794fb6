import { assertNever } from '../../shared/result/result.ts';
import { isHtmlAnswer } from '../../shared/domain/jobs/on-html-answer.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';

/** One page in place of an answer may be the only one: the queue looks by itself, twice in this time, whether it was. */
const passesInMs = 3_000;
/** A hiccup that is over by then is not worth a word. */
const saidAfterMs = 2_000;

/** Why a run ends before its files have. */
export interface Stop {
  readonly failure: Failure;
  /** Nothing of it is about the command: given again later it may go through. */
  readonly mayPass: boolean;
}

/** What is to be told while a run goes on: why it waits, and that it does so no longer. Each once. */
export type News = { readonly kind: 'waits'; readonly failure: Failure } | { readonly kind: 'goes-on' };

/**
 * Decides when waiting makes no sense any more: at once when only a person can help (key, credits, permission), after
 * three seconds when something else answers in place of the service, after `waitMs` without any progress when the
 * network or the service is away, whatever time the service asks for: the same command goes on later.
 */
export class RunWatch {
  readonly #waitMs: number;
  readonly #mostSent = new Map<string, number>();
  readonly #tags = new Map<string, JobView['state']['tag']>();
  #lastGoodMs: number;
  #strangeSinceMs: number | null = null;
  #stuckSinceMs: number | null = null;
  #why: Failure | null = null;
  #isTold = false;

  constructor(waitMs: number, nowMs: number) {
    this.#waitMs = waitMs;
    this.#lastGoodMs = nowMs;
  }

  /** Looks at the unfinished rows; null means: go on. */
  look(views: readonly JobView[], nowMs: number): Stop | null {
    let isBusy = false;
    let stuck: Failure | null = null;
    let needsPerson: Failure | null = null;
    let strange: Failure | null = null;
    for (const { id, state } of views) {
      const before = this.#tags.get(id);
      this.#tags.set(id, state.tag);
      switch (state.tag) {
        case 'blocked':
          if (isHtmlAnswer(state.failure)) strange = state.failure;
          else if (state.by === 'offline') stuck = state.failure;
          else if (state.by === 'key' || state.by === 'service' || state.by === 'disk') {
            return { failure: state.failure, mayPass: false };
          } else needsPerson = state.failure;
          break;
        case 'retrying':
          stuck = state.failure;
          break;
        case 'uploading':
          isBusy = true;
          if (state.sentBytes > (this.#mostSent.get(id) ?? 0)) {
            this.#mostSent.set(id, state.sentBytes);
            this.noteProgress(nowMs);
          }
          break;
        case 'queued-at-service':
        case 'processing':
          isBusy = true;
          if (before !== state.tag && before !== 'retrying') this.noteProgress(nowMs);
          break;
        case 'preparing':
          isBusy = true;
          break;
        case 'waiting':
          break;
        case 'paused':
        case 'needs-user':
        case 'done':
        case 'failed':
        case 'cancelled':
          this.noteProgress(nowMs);
          break;
        default:
          assertNever(state);
      }
    }
    this.#noteStuck(stuck, nowMs);
    if (strange === null) this.#strangeSinceMs = null;
    else {
      this.#strangeSinceMs ??= nowMs;
      const isLasting = nowMs - this.#strangeSinceMs >= Math.min(passesInMs, this.#waitMs);
      if (isLasting) return { failure: strange, mayPass: true };
    }
    if (isBusy) return null;
    if (needsPerson !== null) return { failure: needsPerson, mayPass: false };
    if (stuck === null || nowMs - this.#lastGoodMs < this.#waitMs) return null;
    return { failure: this.#why ?? stuck, mayPass: true };
  }

  /** Something got further, or came to its end. */
  noteProgress(nowMs: number): void {
    this.#lastGoodMs = Math.max(this.#lastGoodMs, nowMs);
    this.#stuckSinceMs = null;
    this.#why = null;
  }

  /** What a person should be told now. */
  news(nowMs: number): News | null {
    if (this.#stuckSinceMs === null) {
      const wasTold = this.#isTold;
      this.#isTold = false;
      return wasTold ? { kind: 'goes-on' } : null;
    }
    if (this.#isTold || this.#why === null || nowMs - this.#stuckSinceMs < saidAfterMs) return null;
    this.#isTold = true;
    return { kind: 'waits', failure: this.#why };
  }

  #noteStuck(failure: Failure | null, nowMs: number): void {
    if (failure === null) return;
    this.#stuckSinceMs ??= nowMs;
    // "The service is given time" is what follows; what it was tells more.
    if (this.#why === null || failure.row !== 'E-018') this.#why = failure;
  }
}
