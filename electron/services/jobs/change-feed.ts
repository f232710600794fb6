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
      readonly viewOf: (jobId: string) => JobView | null;
    },
  ) {
    this.#clock = clock;
    this.#seq = about.seq;
    this.#queue = about.queue;
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
    const removedIds = [...this.#removed];
    const jobs = [...this.#changed].map(this.#viewOf).filter((view) => view !== null);
    this.#changed.clear();
    this.#removed.clear();
    if (jobs.length === 0 && removedIds.length === 0 && !this.#isQueueChanged) return;
    this.#isQueueChanged = false;
    const change = { seq: this.#seq(), jobs, removedIds, queue: this.#queue() };
    for (const listener of this.#listeners) listener(change);
  }
}
