import type { QueueView } from '../../shared/domain/jobs/queue-view.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';

/** The queue as last received from main. `number` is that of its last change. */
export interface JobsSnapshot {
  readonly number: number;
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
}
/** A part of the changes; `isWhole`: everything changed, and the list must be read again. */
export interface JobsChange extends JobsSnapshot {
  readonly isWhole: boolean;
  readonly removedIds: readonly string[];
}

/**
 * Applies changes in order, in one pass over the rows. Changes that the snapshot contains already have no effect, and
 * no row is replaced by an older one. Null: a change was missed or everything is different, so the list must be read
 * again.
 */
export function applyJobsChanges(shown: JobsSnapshot, changes: readonly JobsChange[]): JobsSnapshot | null {
  const changed = new Map<string, JobView>();
  const removed = new Set<string>();
  let { number, queue } = shown;
  for (const change of changes) {
    if (change.number <= number) continue;
    if (change.number > number + 1 || change.isWhole) return null;
    ({ number, queue } = change);
    for (const id of change.removedIds) {
      changed.delete(id);
      removed.add(id);
    }
    for (const job of change.jobs) {
      removed.delete(job.id);
      const known = changed.get(job.id);
      if (known === undefined || job.seq >= known.seq) changed.set(job.id, job);
    }
  }
  if (number === shown.number) return shown;
  if (changed.size + removed.size === 0) return { number, jobs: shown.jobs, queue };
  const kept = shown.jobs.flatMap((job) => {
    if (removed.has(job.id)) return [];
    const next = changed.get(job.id);
    changed.delete(job.id);
    // Positions change without a change of the row itself, so an equal `seq` is newer too.
    return next !== undefined && next.seq >= job.seq ? [next] : [job];
  });
  return { number, jobs: [...kept, ...changed.values()], queue };
}
