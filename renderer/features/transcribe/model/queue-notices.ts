import type { JobView, JobViewState } from '../../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../../shared/result/failure.ts';

export type BlockedBy = Extract<JobViewState, { tag: 'blocked' }>['by'];

/** Something that stops more than one row, told once above the list. */
export interface QueueNotice {
  readonly by: BlockedBy;
  readonly waitingCount: number;
  readonly failure: Failure;
}

const order: readonly BlockedBy[] = ['key', 'permission', 'credits', 'disk', 'offline', 'service'];

/** One notice for each reason that rows are stopped by; what a person has to do comes first. */
export function queueNotices(jobs: readonly JobView[]): readonly QueueNotice[] {
  return order.flatMap((by) => {
    const blocked = jobs.flatMap(({ state }) => (state.tag === 'blocked' && state.by === by ? [state.failure] : []));
    const failure = blocked[0];
    return failure === undefined ? [] : [{ by, waitingCount: blocked.length, failure }];
  });
}
