import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue, type QueueView } from '../../shared/domain/jobs/queue-view.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload } from '../../shared/ipc/derive.ts';
import { measureBytes } from '../ipc/measure.ts';

/** A part is copied, checked and read as one, here and in the page; so it is kept small. */
const mostRows = 100;
const mostBytes = 64 * 1024;
/** Between two parts the others have their turn. */
const pauseMs = 4;

export interface JobsTellerOptions {
  readonly send: (part: EventPayload<Contract, 'jobs.changed'>) => void;
  /** Calls back once after `ms`; the returned function takes it back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

interface RowsChange {
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/**
 * Tells pages of changed rows in parts of at most 100 rows and 64 KiB (one larger row goes alone), numbered without a
 * gap, so that a page knows when it has missed one. A row that changes again before it was told is told once, as it is
 * then.
 */
export function createJobChangePublisher({ send, after }: JobsTellerOptions) {
  const rows = new Map<string, JobView>();
  const removed = new Set<string>();
  let queue = noQueue;
  let isQueueUntold = false;
  let number = 0;
  let stopTimer: (() => void) | null = null;

  const nextPart = (): RowsChange => {
    const jobs: JobView[] = [];
    let bytes = 0;
    for (const [id, job] of rows) {
      bytes += measureBytes(job, mostBytes);
      if (jobs.length > 0 && (jobs.length >= mostRows || bytes > mostBytes)) break;
      jobs.push(job);
      rows.delete(id);
    }
    const removedIds: string[] = [];
    for (const id of removed) {
      if (jobs.length + removedIds.length >= mostRows) break;
      removedIds.push(id);
      removed.delete(id);
    }
    return { jobs, removedIds, queue };
  };

  const tellNext = (): void => {
    stopTimer = null;
    if (rows.size + removed.size === 0 && !isQueueUntold) return;
    isQueueUntold = false;
    number += 1;
    const { jobs, removedIds } = nextPart();
    send({ number, isWhole: false, jobs: [...jobs], removedIds: [...removedIds], queue });
    if (rows.size + removed.size > 0) stopTimer = after(pauseMs, tellNext);
  };

  return {
    /** Rows changed or left the list. The first part goes at once. */
    tell(change: RowsChange): void {
      for (const id of change.removedIds) {
        rows.delete(id);
        removed.add(id);
      }
      for (const job of change.jobs) {
        removed.delete(job.id);
        rows.set(job.id, job);
      }
      ({ queue } = change);
      isQueueUntold = true;
      if (stopTimer === null) tellNext();
    },
    /** The list is another one: pages read it anew. */
    tellWhole(next: QueueView): void {
      stopTimer?.();
      stopTimer = null;
      rows.clear();
      removed.clear();
      queue = next;
      isQueueUntold = false;
      number += 1;
      send({ number, isWhole: true, jobs: [], removedIds: [], queue });
    },
    /** The number of the last part. A list that is read now holds all that was told up to it. */
    lastNumber: (): number => number,
    stop(): void {
      stopTimer?.();
      stopTimer = null;
    },
  };
}
