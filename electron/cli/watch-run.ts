import { assertNever } from '../../shared/result/result.ts';
import { isHtmlAnswer } from '../../shared/domain/jobs/machine.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Queue } from '../queue/queue.ts';

/** A single HTML page instead of an answer may be an accident: within this time the queue checks twice by itself. */
const passesInMs = 3_000;
/** A hiccup that is over by then is not worth mentioning. */
const saidAfterMs = 2_000;
export const lookEveryMs = 250;

export interface Stop {
  readonly failure: Failure;
  readonly mayPass: boolean;
}

export type News = { readonly kind: 'waits'; readonly failure: Failure } | { readonly kind: 'goes-on' };

/** At once when only the user can help; otherwise after `waitMs` without progress, whatever pause is asked for. */
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

  noteProgress(nowMs: number): void {
    this.#lastGoodMs = Math.max(this.#lastGoodMs, nowMs);
    this.#stuckSinceMs = null;
    this.#why = null;
  }

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
    // service-troubled is only the consequence; the failure that caused it is more useful.
    if (this.#why === null || failure.kind !== 'service-troubled') this.#why = failure;
  }
}

/** Resolves when a row changes, and at the latest after the given time. */
export function wakeOnChange(jobs: Queue, signal: AbortSignal) {
  let wake = () => {};
  const release = jobs.onChanged(() => wake());
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  return {
    next: (limitMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    release: () => {
      release();
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** Each has ended or waits for the user, or the service has been away for `waitMs`. */
export async function untilAtRest(
  jobs: Queue,
  jobIds: readonly string[],
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set(jobIds);
  const watch = new RunWatch(waitMs, Date.now());
  const wake = wakeOnChange(jobs, signal);
  const atRest = new Set<string>(['done', 'failed', 'needs-user', 'cancelled', 'paused']);
  while (!signal.aborted) {
    const open = jobs.list().jobs.filter(({ id, state }) => wanted.has(id) && !atRest.has(state.tag));
    if (open.length === 0 || watch.look(open, Date.now()) !== null) break;
    // oxlint-disable-next-line no-await-in-loop -- waits for a change
    await wake.next(lookEveryMs);
  }
  wake.release();
}
