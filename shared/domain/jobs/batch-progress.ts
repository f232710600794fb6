import { freeSteps, newCharges, type FailureAction } from '../failures/actions.ts';
import { actionsOfFailure } from '../failures/describe-failure.ts';
import type { JobView } from './job-view.ts';
import { assertNever } from '../../result/result.ts';

/** Which part of the list a row stands in; also the order of the parts. */
export type JobStage = 'attention' | 'running' | 'waiting' | 'ended';

/** The part of the list a row stands in by its state; every state has one. */
export function stageOf(job: JobView): JobStage {
  switch (job.state.tag) {
    case 'failed':
    case 'needs-user':
      return 'attention';
    case 'preparing':
    case 'uploading':
    case 'queued-at-service':
    case 'processing':
      return 'running';
    // Between two tries to send it nothing runs, and a service that cannot be found is no progress.
    case 'retrying':
      return job.state.failure.outcome === 'accepted' ? 'running' : 'waiting';
    case 'waiting':
    case 'paused':
    case 'blocked':
      return 'waiting';
    case 'done':
    case 'cancelled':
      return 'ended';
    default:
      return assertNever(job.state);
  }
}

/** Whether the service does not have all of it yet, so that it will still cost what it costs. */
export function isUnsent({ state }: JobView): boolean {
  switch (state.tag) {
    case 'preparing':
    case 'waiting':
    case 'paused':
      return true;
    case 'uploading':
      return state.totalBytes === 0 || state.sentBytes < state.totalBytes;
    case 'retrying':
    case 'blocked':
      return state.failure.outcome !== 'accepted';
    case 'queued-at-service':
    case 'processing':
    case 'needs-user':
    case 'done':
    case 'failed':
    case 'cancelled':
      return false;
    default:
      return assertNever(state);
  }
}

const offers = ({ state }: JobView, wanted: ReadonlySet<FailureAction>): boolean =>
  'failure' in state && actionsOfFailure(state.failure).some((action) => wanted.has(action));

/** Whether trying it again costs, because only a new request helps. */
export const isChargedAnew = (job: JobView): boolean => offers(job, newCharges);

/** Whether it stopped and can be tried again, for nothing or anew. */
export const isRetried = (job: JobView): boolean => offers(job, freeSteps) || isChargedAnew(job);

/** What is known of a set of jobs as a whole. */
export interface BatchProgress {
  readonly runningCount: number;
  readonly atServiceCount: number;
  readonly waitingCount: number;
  readonly doneCount: number;
  readonly attentionCount: number;
  /** Sent share of all bytes, 0 to 1; null when nothing is left to send, so nothing is measured. */
  readonly sentFraction: number | null;
  /** Length of the recordings whose length is known, in milliseconds. */
  readonly durationMs: number;
}

/** Only what leaves this computer is measured; work at the service has no percentage. */
export function batchProgress(jobs: readonly JobView[]): BatchProgress {
  let totalBytes = 0;
  let sentBytes = 0;
  let unsentCount = 0;
  const stages = { attention: 0, running: 0, waiting: 0, ended: 0 };
  let atServiceCount = 0;
  let doneCount = 0;
  let durationMs = 0;
  for (const job of jobs) {
    const { state } = job;
    stages[stageOf(job)] += 1;
    durationMs += job.durationMs ?? 0;
    if (state.tag === 'done') doneCount += 1;
    if (state.tag === 'queued-at-service' || state.tag === 'processing') atServiceCount += 1;
    if (state.tag === 'failed' || state.tag === 'needs-user' || state.tag === 'cancelled') continue;
    totalBytes += job.sizeBytes;
    if (state.tag === 'done' || state.tag === 'queued-at-service' || state.tag === 'processing')
      sentBytes += job.sizeBytes;
    else unsentCount += 1;
    if (state.tag === 'uploading' && state.totalBytes > 0)
      sentBytes += job.sizeBytes * (state.sentBytes / state.totalBytes);
  }
  return {
    runningCount: stages.running,
    atServiceCount,
    waitingCount: stages.waiting,
    doneCount,
    attentionCount: stages.attention,
    sentFraction: unsentCount > 0 && totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : null,
    durationMs,
  };
}
