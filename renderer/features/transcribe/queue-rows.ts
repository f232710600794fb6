import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { sortJobs } from './model/selectors.ts';
import { useTranscribe, useTranscribeState } from './transcribe-context.ts';
import { useJobActions, type JobActions } from './ui/job-actions.ts';
import { useJobLook, type JobLook } from './ui/job-words.ts';

/** A row of the queue for those who show it elsewhere: what it says and what can be done with it. */
export interface QueueRow {
  readonly job: JobView;
  readonly look: JobLook;
  readonly actions: Pick<JobActions, 'main' | 'open' | 'cancel'>;
}

/** The rows in the order of the queue, with their times counted at `nowMs`. */
export function useQueueRows(): (jobs: readonly JobView[], nowMs: number) => readonly QueueRow[] {
  const lookOf = useJobLook();
  const actionsOf = useJobActions();
  return (jobs, nowMs) =>
    sortJobs(jobs).map((job) => {
      const waitMs = job.state.tag === 'retrying' ? Math.max(0, job.state.untilMs - nowMs) : 0;
      return { job, look: lookOf(job, nowMs, waitMs), actions: actionsOf(job) };
    });
}

/** Why the last action on a row was refused, and how to hide it; the queue's own screen tells it too. */
export function useQueueRefusal(): { readonly failure: Failure | null; readonly hide: () => void } {
  const { store } = useTranscribe();
  return { failure: useTranscribeState((state) => state.failure), hide: store.hideFailure };
}
