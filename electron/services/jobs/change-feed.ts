import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { QueueView } from '../../../shared/domain/jobs/queue-view.ts';
import type { JobsChange } from './job-service.ts';
import type { Clock } from './ports.ts';

/** Listeners get each row at most ten times a second. */
const gatherMs = 100;
/** A part is copied, checked and read in one go, here and in the renderer, so it is kept small. */
const mostRows = 100;
const mostCharacters = 64 * 1024;
/** Between two parts of a burst everything else has its turn. */
const partPauseMs = 4;

/**
 * Collects the ids of changed rows and sends them to listeners in parts of at most 100 rows and 64 Ki characters (a
 * larger row goes alone). Views are made when a part leaves, so no part is older than a list that was read before it,
 * and a row that changes again while it waits is sent once.
 */
export class ChangeFeed {
  readonly #clock: Clock;
  readonly #viewOf: (jobId: string) => JobView | null;
  readonly #queue: () => QueueView;
  readonly #front: () => readonly string[];
  /** The rows at the front as last sent to listeners, in their order. */
  #shownFront: readonly string[] = [];
  readonly #listeners = new Set<(change: JobsChange) => void>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #isQueueChanged = false;
  #stopTimer: (() => void) | null = null;

  constructor(
    clock: Clock,
    about: {
      readonly queue: () => QueueView;
      /** The waiting jobs whose positions are shown. Jobs that moved are sent with the next change of any row. */
      readonly front: () => readonly string[];
      readonly viewOf: (jobId: string) => JobView | null;
    },
  ) {
    this.#clock = clock;
    this.#queue = about.queue;
    this.#front = about.front;
    this.#viewOf = about.viewOf;
  }

  listen(listener: (change: JobsChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(jobId: string): void {
    // A row that was removed and added again exists.
    this.#removed.delete(jobId);
    this.#changed.add(jobId);
    this.#arm();
  }

  removed(jobId: string): void {
    this.#changed.delete(jobId);
    this.#removed.add(jobId);
    this.#arm();
  }

  /** Something that belongs to no row. */
  queueChanged(): void {
    this.#isQueueChanged = true;
    this.#arm();
  }

  /** Sends what is collected now and stops. */
  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    do this.#publishPart();
    while (this.#hasMore());
  }

  #arm(ms = gatherMs): void {
    this.#stopTimer ??= this.#clock.after(ms, () => {
      this.#stopTimer = null;
      this.#publishPart();
      if (this.#hasMore()) this.#arm(partPauseMs);
    });
  }

  #hasMore(): boolean {
    return this.#changed.size + this.#removed.size > 0;
  }

  #publishPart(): void {
    this.#gatherMoved();
    const jobs = this.#nextViews();
    const removedIds = [...this.#removed].slice(0, mostRows - jobs.length);
    for (const id of removedIds) this.#removed.delete(id);
    if (jobs.length === 0 && removedIds.length === 0 && !this.#isQueueChanged) return;
    this.#isQueueChanged = false;
    const change = { jobs, removedIds, queue: this.#queue() };
    for (const listener of this.#listeners) listener(change);
  }

  #nextViews(): readonly JobView[] {
    const views: JobView[] = [];
    let characters = 0;
    for (const id of this.#changed) {
      const view = this.#viewOf(id);
      if (view !== null) {
        characters += JSON.stringify(view).length;
        if (views.length > 0 && (views.length >= mostRows || characters > mostCharacters)) break;
        views.push(view);
      }
      this.#changed.delete(id);
    }
    return views;
  }

  /** A job that leaves the queue moves all behind it. */
  #gatherMoved(): void {
    const front = this.#front();
    const shown = this.#shownFront;
    this.#shownFront = front;
    for (let at = 0; at < Math.max(front.length, shown.length); at += 1) {
      if (front[at] === shown[at]) continue;
      for (const id of [front[at], shown[at]]) if (id !== undefined && !this.#removed.has(id)) this.#changed.add(id);
    }
  }
}
