import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { BatchProgress } from '../../../shared/domain/jobs/batch-progress.ts';

/** Whether there is anything to show on every screen: work under way or a row that needs the user. */
export const hasWork = (batch: BatchProgress): boolean =>
  batch.runningCount + batch.waitingCount + batch.attentionCount > 0;

const leastMeasuredMs = 1500;
const minuteMs = 60_000;

/**
 * The remaining upload time at the current speed, in milliseconds, rounded to minutes above one minute because it is
 * only an estimate; null while nothing is measured. Only rows that will be sent count: rows that wait for the user may
 * never be.
 */
export function sendingLeftMs(jobs: readonly JobView[], nowMs: number): number | null {
  let bytesPerMs = 0;
  let leftBytes = 0;
  for (const { state, sizeBytes } of jobs) {
    if (state.tag === 'waiting' || state.tag === 'preparing') leftBytes += sizeBytes;
    if (state.tag !== 'uploading') continue;
    const passedMs = nowMs - state.sinceMs;
    leftBytes += state.totalBytes - state.sentBytes;
    if (passedMs >= leastMeasuredMs) bytesPerMs += state.sentBytes / passedMs;
  }
  if (bytesPerMs <= 0 || leftBytes <= 0) return null;
  const leftMs = leftBytes / bytesPerMs;
  return leftMs > minuteMs ? Math.ceil(leftMs / minuteMs) * minuteMs : leftMs;
}

const isOver = ({ state: { tag } }: JobView): boolean => ['done', 'failed', 'needs-user', 'cancelled'].includes(tag);
const isFailed = (job: JobView | undefined): boolean =>
  job !== undefined && (job.state.tag === 'failed' || job.state.tag === 'needs-user');

/**
 * The sound between two states of the queue: for a failure at once, for the end of work only when nothing is under way
 * any more. Rows from before the app was opened don't count.
 */
export function chimeBetween(before: readonly JobView[], now: readonly JobView[]): 'done' | 'failed' | null {
  const old = new Map(before.map((job) => [job.id, job]));
  if (now.some((job) => isFailed(job) && !isFailed(old.get(job.id)))) return 'failed';
  const isNewlyDone = now.some((job) => {
    const was = old.get(job.id);
    return job.state.tag === 'done' && was !== undefined && was.state.tag !== 'done';
  });
  return isNewlyDone && now.every(isOver) ? 'done' : null;
}
