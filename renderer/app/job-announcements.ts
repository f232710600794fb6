import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { batchProgress } from '../../shared/domain/jobs/batch-progress.ts';

export interface JobNews {
  readonly added: number;
  readonly started: number;
  readonly done: number;
  readonly failed: number;
  readonly reason: Failure | null;
  readonly sentQuarter: number | null;
}

const isStarted = (job: JobView) => !['preparing', 'waiting', 'blocked'].includes(job.state.tag);

const quarterOf = (jobs: readonly JobView[]) => Math.floor((batchProgress(jobs).sentFraction ?? 0) * 4) / 4;

export function newsBetween(before: readonly JobView[], now: readonly JobView[]): JobNews | null {
  const old = new Map(before.map((job) => [job.id, job]));
  const count = (is: (job: JobView, was: JobView | undefined) => boolean) =>
    now.filter((job) => is(job, old.get(job.id))).length;
  const failures = now.flatMap((job) => {
    const wasFailed = ['failed', 'needs-user'].includes(old.get(job.id)?.state.tag ?? '');
    return !wasFailed && (job.state.tag === 'failed' || job.state.tag === 'needs-user') ? [job.state.failure] : [];
  });
  const quarter = quarterOf(now);
  const news: JobNews = {
    added: count((_job, was) => was === undefined),
    started: count(
      (job, was) =>
        !['failed', 'done'].includes(job.state.tag) && isStarted(job) && was !== undefined && !isStarted(was),
    ),
    done: count((job, was) => job.state.tag === 'done' && was !== undefined && was.state.tag !== 'done'),
    failed: failures.length,
    reason: failures[0] ?? null,
    sentQuarter: quarter > quarterOf(before) && quarter < 1 ? quarter : null,
  };
  return news.added + news.started + news.done + news.failed > 0 || news.sentQuarter !== null ? news : null;
}
