import { freeSteps, newCharges, type FailureAction } from '../failures/actions.ts';
import { actionsOfFailure } from '../failures/describe-failure.ts';
import type { JobView } from './job-view.ts';
import { assertNever } from '../../result/result.ts';

/** The part of the list that a row belongs to; also the order of the parts. */
export type JobStage = 'attention' | 'running' | 'waiting' | 'ended';

/** The same recording again, or one without a voice. */
const leftOutRows: ReadonlySet<string> = new Set(['E-212', 'E-244', 'E-245']);

/** Whether it was not sent for a reason that asks nothing of the user, who may send it all the same. */
export const isLeftOut = ({ state }: JobView): boolean =>
  state.tag === 'needs-user' && leftOutRows.has(state.failure.row);

/** The part of the list for each state of a row. */
export function stageOf(job: JobView): JobStage {
  switch (job.state.tag) {
    case 'failed':
      return 'attention';
    case 'needs-user':
      return isLeftOut(job) ? 'ended' : 'attention';
    case 'preparing':
    case 'uploading':
    case 'queued-at-service':
    case 'processing':
      return 'running';
    // Between two attempts nothing runs, and an unreachable service is no progress.
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

/** Whether the service has not received all of it yet, so that its cost is still ahead. */
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

/** Whether it stopped and can be tried again, free or charged. */
export const isRetried = (job: JobView): boolean => offers(job, freeSteps) || isChargedAnew(job);

/** The progress of a set of jobs. */
export interface BatchProgress {
  readonly runningCount: number;
  readonly atServiceCount: number;
  readonly waitingCount: number;
  readonly doneCount: number;
  readonly attentionCount: number;
  /** Sent share of all bytes, 0 to 1; null when nothing is left to send, or only what rests until the user starts it. */
  readonly sentFraction: number | null;
  /** Heard share of what is not done yet, 0 to 1; null where nobody says how far it is. */
  readonly heardFraction: number | null;
  /** Length of the recordings whose length is known, in milliseconds. */
  readonly durationMs: number;
}

/** Only uploads are measured, and work on this computer; work at the service has no percentage. */
export function batchProgress(jobs: readonly JobView[]): BatchProgress {
  let totalBytes = 0;
  let sentBytes = 0;
  let unsentCount = 0;
  const stages = { attention: 0, running: 0, waiting: 0, ended: 0 };
  let atServiceCount = 0;
  let doneCount = 0;
  let durationMs = 0;
  let heardMs: number | null = null;
  let openMs = 0;
  for (const job of jobs) {
    const { state } = job;
    stages[stageOf(job)] += 1;
    durationMs += job.durationMs ?? 0;
    if (state.tag === 'done') doneCount += 1;
    const isAtService =
      state.tag === 'queued-at-service' || state.tag === 'processing' || (state.tag === 'uploading' && !isUnsent(job));
    if (isAtService) atServiceCount += 1;
    const isResting = state.tag === 'paused' && state.sentBytes === 0;
    if (isResting || state.tag === 'failed' || state.tag === 'needs-user' || state.tag === 'cancelled') continue;
    if (state.tag !== 'done') openMs += job.durationMs ?? 0;
    if (state.tag === 'processing' && state.heard !== undefined)
      heardMs = (heardMs ?? 0) + state.heard.share * (job.durationMs ?? 0);
    totalBytes += job.sizeBytes;
    if (state.tag === 'done' || isAtService) sentBytes += job.sizeBytes;
    else unsentCount += 1;
    if (state.tag === 'uploading' && !isAtService && state.totalBytes > 0)
      sentBytes += job.sizeBytes * (state.sentBytes / state.totalBytes);
  }
  return {
    runningCount: stages.running,
    atServiceCount,
    waitingCount: stages.waiting,
    doneCount,
    attentionCount: stages.attention,
    sentFraction: unsentCount > 0 && totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : null,
    heardFraction: heardMs === null || openMs === 0 ? null : heardMs / openMs,
    durationMs,
  };
}

/** Rows by name with numbers by their value, the longest first, or the latest first; equal ones keep their order. */
export function sortRows(jobs: readonly JobView[], order: 'name' | 'length' | 'added'): readonly JobView[] {
  switch (order) {
    case 'name': {
      const { compare } = new Intl.Collator(undefined, { numeric: true });
      return jobs.toSorted((one, other) => compare(one.name, other.name));
    }
    case 'length':
      return jobs.toSorted((one, other) => (other.durationMs ?? -1) - (one.durationMs ?? -1));
    case 'added':
      return jobs.toSorted((one, other) => other.addedAtMs - one.addedAtMs);
  }
}
