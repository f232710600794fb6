import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { JobView, QueueView } from '../../shared/domain/jobs/job-view.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { StudioClient } from './client.ts';
import { valueOrThrow } from './request-error.ts';

export interface JobsList {
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
}
/** `isWhole`: everything changed, and the list must be read again. */
export interface JobsChange extends JobsList {
  readonly isWhole: boolean;
  readonly removedIds: readonly string[];
}

export const jobsQuery = (studio: StudioClient) =>
  queryOptions({
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    // Unchanged rows keep their identity already; comparing thousands of them with each change is a waste.
    structuralSharing: false,
    // Mounting a component that shows the failure would otherwise repeat the request.
    retryOnMount: false,
    queryKey: ['jobs'],
    queryFn: () => valueOrThrow(readJobs(studio)),
  });

async function readJobs(studio: StudioClient): Promise<Result<JobsList>> {
  const meanwhile: JobsChange[] = [];
  const stop = studio.subscribe('jobs.changed', (change) => meanwhile.push(change));
  const list = await studio.request('jobs.list', {}).finally(stop);
  if (meanwhile.some(({ isWhole }) => isWhole)) return readJobs(studio);
  return list.ok ? ok(meanwhile.reduce<JobsList>(applyJobsChange, list.value)) : list;
}

export const followJobs = (queries: QueryClient, studio: StudioClient): (() => void) =>
  studio.subscribe('jobs.changed', (change) => {
    const { queryKey } = jobsQuery(studio);
    const state = queries.getQueryState(queryKey);
    // A list that is being read takes the change in by itself.
    if (state?.fetchStatus === 'fetching') return;
    // Without a list, or after a failure, changes were missed.
    if (change.isWhole || state?.status !== 'success')
      void queries.prefetchQuery({ ...jobsQuery(studio), staleTime: 0 });
    else queries.setQueryData(queryKey, (shown) => shown && applyJobsChange(shown, change));
  });

export function applyJobsChange(shown: JobsList, { jobs, removedIds, queue }: JobsChange): JobsList {
  if (jobs.length + removedIds.length === 0) return { jobs: shown.jobs, queue };
  const changed = new Map(jobs.map((job) => [job.id, job]));
  const removed = new Set(removedIds);
  const kept = shown.jobs.flatMap((job) => {
    const next = changed.get(job.id) ?? job;
    changed.delete(job.id);
    // Positions change without a change of the row itself, so an equal `seq` is newer too.
    return removed.has(job.id) ? [] : [next.seq >= job.seq ? next : job];
  });
  return { jobs: [...kept, ...changed.values()], queue };
}
