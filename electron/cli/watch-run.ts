import { assertNever } from '../../shared/result/result.ts';
import { isPage } from '../../shared/domain/jobs/on-page.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';

/** One page in place of an answer may be the only one: the queue looks by itself, twice in this time, whether it was. */
const passesInMs = 3_000;

/**
 * Decides when waiting makes no sense any more: at once when only a person can help (key, credits, permission), after
 * three seconds when something else answers in place of the service, after `waitMs` without any progress when the network or the service is away. What the service asked to wait for is waited for.
 */
export class RunWatch {
  readonly #waitMs: number;
  readonly #mostSent = new Map<string, number>();
  readonly #tags = new Map<string, JobView['state']['tag']>();
  #lastGoodMs: number;
  #strangeSinceMs: number | null = null;

  constructor(waitMs: number, nowMs: number) {
    this.#waitMs = waitMs;
    this.#lastGoodMs = nowMs;
  }

  /** Looks at the unfinished rows; null means: go on. */
  look(views: readonly JobView[], nowMs: number): Failure | null {
    let isBusy = false;
    let stuck: Failure | null = null;
    let needsPerson: Failure | null = null;
    let strange: Failure | null = null;
    for (const { id, state } of views) {
      const before = this.#tags.get(id);
      this.#tags.set(id, state.tag);
      switch (state.tag) {
        case 'blocked':
          if (isPage(state.failure)) strange = state.failure;
          else if (state.by === 'offline') stuck = state.failure;
          else if (state.by === 'key' || state.by === 'service' || state.by === 'disk') return state.failure;
          else needsPerson = state.failure;
          break;
        case 'retrying':
          stuck = state.failure;
          if (state.failure.retryAfterMs !== undefined) this.#lastGoodMs = Math.max(this.#lastGoodMs, state.untilMs);
          break;
        case 'uploading':
          isBusy = true;
          if (state.sentBytes > (this.#mostSent.get(id) ?? 0)) {
            this.#mostSent.set(id, state.sentBytes);
            this.#good(nowMs);
          }
          break;
        case 'queued-at-service':
        case 'processing':
          isBusy = true;
          if (before !== state.tag && before !== 'retrying') this.#good(nowMs);
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
          this.#good(nowMs);
          break;
        default:
          assertNever(state);
      }
    }
    if (strange === null) this.#strangeSinceMs = null;
    else {
      this.#strangeSinceMs ??= nowMs;
      if (nowMs - this.#strangeSinceMs >= Math.min(passesInMs, this.#waitMs)) return strange;
    }
    if (isBusy) return null;
    if (needsPerson !== null) return needsPerson;
    return stuck !== null && nowMs - this.#lastGoodMs >= this.#waitMs ? stuck : null;
  }

  #good(nowMs: number): void {
    this.#lastGoodMs = Math.max(this.#lastGoodMs, nowMs);
  }
}
