import type { JobView, JobViewState } from '../../../../shared/domain/jobs/job-view.ts';
import { stageOf, type JobStage } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { Failure } from '../../../../shared/result/failure.ts';

const stageOrder: Readonly<Record<JobStage, number>> = { attention: 0, running: 1, waiting: 2, ended: 3 };

/** Whether the row is a duplicate that waits for the user's decision. */
export const isTwin = ({ state }: JobView): boolean => state.tag === 'needs-user' && state.failure.row === 'E-212';

/** Keeps the identity of an unchanged row, so that it is not redrawn. */
const currentTwins = new WeakMap<JobView, JobView>();

/**
 * Brings duplicates up to date: the original may be done by now, or its transcript may be in the trash. `texts` holds
 * the transcripts outside the trash, or null until they are loaded.
 */
export function withTwins(
  jobs: readonly JobView[],
  texts: Pick<ReadonlyMap<string, unknown>, 'has'> | null,
): readonly JobView[] {
  if (!jobs.some(isTwin)) return jobs;
  const byId = new Map(jobs.map((job) => [job.id, job.state]));
  return jobs.map((job) => {
    const { state } = job;
    if (state.tag !== 'needs-user' || state.failure.row !== 'E-212' || job.kind !== 'transcribe') return job;
    const { failure } = state;
    const twin = byId.get(String(failure.params?.['jobId']));
    const transcriptId =
      failure.params?.['transcriptId'] ?? (twin?.tag === 'done' ? twin.transcriptId : undefined) ?? null;
    if (transcriptId === null) return job;
    // The list of transcripts is refreshed slightly later than the row; a transcript in the trash gets no row.
    const isTrashed = twin === undefined && texts !== null && !texts.has(String(transcriptId));
    const code = isTrashed ? 'same_in_trash' : 'duplicate';
    if (code === failure.code && transcriptId === failure.params?.['transcriptId']) return job;
    const current = currentTwins.get(job);
    if (current?.state.tag === 'needs-user' && current.state.failure.code === code) return current;
    const params = { ...failure.params, transcriptId };
    const next: JobView = { ...job, state: { ...state, failure: { ...failure, code, params } } };
    currentTwins.set(job, next);
    return next;
  });
}

const farBack = Number.MAX_SAFE_INTEGER;

/** When a row ended. A cancelled row has no such time, so the time it was added stands in. */
export const endedAtMs = ({ state, addedAtMs }: JobView): number =>
  state.tag === 'done' ? state.finishedAtMs : addedAtMs;

/**
 * Failed first, then running, waiting and done; within a group in the order of adding, ended rows with the newest
 * first.
 */
export function sortJobs(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.toSorted((left, right) => {
    const stages = stageOrder[stageOf(left)] - stageOrder[stageOf(right)];
    if (stages !== 0) return stages;
    if (stageOf(left) === 'ended') return endedAtMs(right) - endedAtMs(left);
    // Files dropped together have the same time of adding, so their position in the queue decides.
    if (left.state.tag === 'waiting' && right.state.tag === 'waiting')
      return (left.state.placeInQueue ?? farBack) - (right.state.placeInQueue ?? farBack) || left.rank - right.rank;
    return left.rank - right.rank || left.addedAtMs - right.addedAtMs;
  });
}

/** The measured speed of an upload and the time left; null until enough was measured. */
export function uploadPace(
  state: Extract<JobView['state'], { tag: 'uploading' }>,
  nowMs: number,
): { readonly bytesPerSecond: number; readonly leftMs: number } | null {
  const passedMs = nowMs - state.sinceMs;
  if (passedMs < 1500 || state.sentBytes <= 0) return null;
  const bytesPerSecond = (state.sentBytes * 1000) / passedMs;
  return { bytesPerSecond, leftMs: ((state.totalBytes - state.sentBytes) * 1000) / bytesPerSecond };
}

/** States whose text contains a running time. */
export const isTicking = (job: JobView): boolean =>
  job.state.tag === 'uploading' ||
  job.state.tag === 'queued-at-service' ||
  job.state.tag === 'processing' ||
  job.state.tag === 'retrying';

/** Jobs that can be cancelled. */
export const isCancellable = (job: JobView): boolean => {
  const { tag } = job.state;
  return tag !== 'done' && tag !== 'failed' && tag !== 'cancelled';
};

/** Rows that have ended and can be removed from the list. */
export const isRemovable = (job: JobView): boolean => !isCancellable(job) || job.state.tag === 'needs-user';

/** Whether the service may already have the recording, so that cancelling comes too late. */
export function isPerhapsAtService({ state }: JobView): 'no' | 'perhaps' | 'yes' {
  switch (state.tag) {
    case 'queued-at-service':
    case 'processing':
      return 'yes';
    case 'uploading':
      return 'perhaps';
    case 'paused':
      return state.sentBytes > 0 ? 'perhaps' : 'no';
    case 'retrying':
    case 'blocked':
    case 'needs-user':
      return state.failure.outcome === 'not_sent' || state.failure.outcome === 'refused'
        ? 'no'
        : state.failure.outcome === 'accepted'
          ? 'yes'
          : 'perhaps';
    case 'preparing':
    case 'waiting':
    case 'done':
    case 'failed':
    case 'cancelled':
      return 'no';
  }
}

export type BlockedBy = Extract<JobViewState, { tag: 'blocked' }>['by'];

/** A problem that blocks more than one row, shown once above the list. */
export interface QueueNotice {
  readonly by: BlockedBy;
  readonly waitingCount: number;
  readonly failure: Failure;
}

const order: readonly BlockedBy[] = ['key', 'permission', 'credits', 'disk', 'offline', 'service', 'model'];

/** One notice for each reason that blocks rows; those the user can resolve come first. */
export function queueNotices(jobs: readonly JobView[]): readonly QueueNotice[] {
  return order.flatMap((by) => {
    const blocked = jobs.flatMap(({ state }) => (state.tag === 'blocked' && state.by === by ? [state.failure] : []));
    const failure = blocked[0];
    return failure === undefined ? [] : [{ by, waitingCount: blocked.length, failure }];
  });
}
