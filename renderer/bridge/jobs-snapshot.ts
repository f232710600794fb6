import type { QueueView } from '../../shared/domain/jobs/queue-view.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';

/** The queue as main last told it. `seq` orders snapshots and changes. */
export interface JobsSnapshot {
  readonly seq: number;
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
}

export interface JobsChange extends JobsSnapshot {
  readonly removedIds: readonly string[];
}

/** Applies a change that is newer than what is shown; a late one changes nothing, neither whole nor by row. */
export function applyJobsChange(shown: JobsSnapshot, change: JobsChange): JobsSnapshot {
  if (change.seq <= shown.seq) return shown;
  const changed = new Map(change.jobs.map((job) => [job.id, job]));
  const removed = new Set(change.removedIds);
  const kept = shown.jobs
    .filter((job) => !removed.has(job.id))
    .map((job) => {
      const next = changed.get(job.id);
      changed.delete(job.id);
      return next !== undefined && next.seq > job.seq ? next : job;
    });
  const added = [...changed.values()].filter((job) => !removed.has(job.id));
  return { seq: change.seq, jobs: [...kept, ...added], queue: change.queue };
}
