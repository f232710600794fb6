import type { JobView, QueueView } from '../../../shared/domain/jobs/job-view.ts';
import type { Clock, JobsChange } from './ports.ts';

/** Listeners get each row at most ten times a second. */
const gatherMs = 100;

interface FeedSources {
  readonly queue: () => QueueView;
  /** The rows whose place in the queue is shown; those that moved are sent with the next change. */
  readonly front: () => readonly string[];
  readonly viewOf: (jobId: string) => JobView | null;
}

/** Views are made when they leave: none is older than a list that was read before it. */
export function createChangeFeed(clock: Clock, { queue, front, viewOf }: FeedSources) {
  let shownFront: readonly string[] = [];
  const listeners = new Set<(change: JobsChange) => void>();
  const changed = new Set<string>();
  const removed = new Set<string>();
  let isQueueChanged = false;
  let stopTimer: (() => void) | null = null;

  const arm = (): void => {
    stopTimer ??= clock.after(gatherMs, publish);
  };

  /** A job that leaves the queue moves all behind it. */
  const gatherMoved = (): void => {
    const [shown, now] = [shownFront, front()];
    shownFront = now;
    for (let at = 0; at < Math.max(now.length, shown.length); at += 1) {
      if (now[at] === shown[at]) continue;
      for (const id of [now[at], shown[at]]) if (id !== undefined && !removed.has(id)) changed.add(id);
    }
  };

  function publish(): void {
    stopTimer = null;
    gatherMoved();
    const jobs = [...changed].flatMap((id) => viewOf(id) ?? []);
    const removedIds = [...removed];
    const isEmpty = jobs.length === 0 && removedIds.length === 0 && !isQueueChanged;
    changed.clear();
    removed.clear();
    isQueueChanged = false;
    if (isEmpty) return;
    const change = { jobs, removedIds, queue: queue() };
    for (const listener of listeners) listener(change);
  }

  return {
    listen(listener: (change: JobsChange) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed(jobId: string): void {
      // A row that was removed and added again exists.
      removed.delete(jobId);
      changed.add(jobId);
      arm();
    },
    removed(jobId: string): void {
      changed.delete(jobId);
      removed.add(jobId);
      arm();
    },
    queueChanged(): void {
      isQueueChanged = true;
      arm();
    },
    /** Sends what is collected now. */
    stop(): void {
      stopTimer?.();
      publish();
    },
  };
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;
