import type { JobView } from '../../../shared/domain/jobs/job-view.ts';

const isOver = ({ state: { tag } }: JobView): boolean => ['done', 'failed', 'needs-user', 'cancelled'].includes(tag);
const isFailed = (job: JobView | undefined): boolean =>
  job !== undefined && (job.state.tag === 'failed' || job.state.tag === 'needs-user');

/**
 * What to be heard between two states of the queue: a failure at once, the end of work only when nothing is under way
 * any more. Rows that were there before the app was opened are not news.
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
