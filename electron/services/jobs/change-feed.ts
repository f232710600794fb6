import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { QueueView } from '../../../shared/domain/jobs/queue-view.ts';
import type { JobsChange } from './job-service.ts';
import type { Clock } from './ports.ts';

/** At most ten snapshots of a row in a second. */
const pauseMs = 100;

/** Gathers changed rows and tells them together, so that listeners get each row at most ten times a second. */
export class ChangeFeed {
  readonly #clock: Clock;
  readonly #viewOf: (jobId: string) => JobView | null;
  readonly #seq: () => number;
  readonly #queue: () => QueueView;
  readonly #front: () => readonly string[];
  /** The rows of the front as listeners know them, in their order. */
  #toldFront: readonly string[] = [];
  readonly #listeners = new Set<(change: JobsChange) => void>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #isQueueChanged = false;
  #stopTimer: (() => void) | null = null;

  constructor(
    clock: Clock,
    about: {
      readonly seq: () => number;
      readonly queue: () => QueueView;
      /** Those of the line whose places are shown. Whoever moved in it is told of with the next change of any row. */
      readonly front: () => readonly string[];
      readonly viewOf: (jobId: string) => JobView | null;
    },
  ) {
    this.#clock = clock;
    this.#seq = about.seq;
    this.#queue = about.queue;
    this.#front = about.front;
    this.#viewOf = about.viewOf;
  }

  listen(listener: (change: JobsChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(jobId: string): void {
    // A row that was taken out and put back is there.
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

  /** Tells what is gathered now and stops. */
  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    this.#tell();
  }

  #arm(): void {
    this.#stopTimer ??= this.#clock.after(pauseMs, () => {
      this.#stopTimer = null;
      this.#tell();
    });
  }

  #tell(): void {
    this.#gatherMoved();
    const removedIds = [...this.#removed];
    const jobs = [...this.#changed].map(this.#viewOf).filter((view) => view !== null);
    this.#changed.clear();
    this.#removed.clear();
    if (jobs.length === 0 && removedIds.length === 0 && !this.#isQueueChanged) return;
    this.#isQueueChanged = false;
    const change = { seq: this.#seq(), jobs, removedIds, queue: this.#queue() };
    for (const listener of this.#listeners) listener(change);
  }

  /** One row that leaves the line moves all behind it. */
  #gatherMoved(): void {
    const front = this.#front();
    const told = this.#toldFront;
    this.#toldFront = front;
    for (let at = 0; at < Math.max(front.length, told.length); at += 1) {
      if (front[at] === told[at]) continue;
      for (const id of [front[at], told[at]]) if (id !== undefined && !this.#removed.has(id)) this.#changed.add(id);
    }
  }
}
