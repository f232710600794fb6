import type { JobView, JobViewState } from '../../../../shared/domain/jobs/job-view.ts';
import { stageOf, type JobStage } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { Failure } from '../../../../shared/result/failure.ts';

const stageOrder: Readonly<Record<JobStage, number>> = { attention: 0, running: 1, waiting: 2, ended: 3 };

/** Whether it asks about another row of the same recording. */
export const isTwin = ({ state }: JobView): boolean => state.tag === 'needs-user' && state.failure.row === 'E-212';

/** So that a row which says the same is the same object, and is not drawn again. */
const toldTwins = new WeakMap<JobView, JobView>();

/**
 * Rows that are the same as another one, told as things are by now: that one may be done since, or its text may be in
 * the trash. `texts`: transcripts outside of the trash; null while they are not known.
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
    // The list of texts comes a moment after the row of a new one; what is in the trash has no row.
    const isTrashed = twin === undefined && texts !== null && !texts.has(String(transcriptId));
    const code = isTrashed ? 'same_in_trash' : 'duplicate';
    if (code === failure.code && transcriptId === failure.params?.['transcriptId']) return job;
    const told = toldTwins.get(job);
    if (told?.state.tag === 'needs-user' && told.state.failure.code === code) return told;
    const params = { ...failure.params, transcriptId };
    const next: JobView = { ...job, state: { ...state, failure: { ...failure, code, params } } };
    toldTwins.set(job, next);
    return next;
  });
}

const farBack = Number.MAX_SAFE_INTEGER;

/** When a row ended; of a cancelled one only when it was added is known. */
export const endedAtMs = ({ state, addedAtMs }: JobView): number =>
  state.tag === 'done' ? state.finishedAtMs : addedAtMs;

/** Failed first, then running, waiting, done; inside a part the order of adding, of what ended the newest first. */
export function sortJobs(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.toSorted((left, right) => {
    const stages = stageOrder[stageOf(left)] - stageOrder[stageOf(right)];
    if (stages !== 0) return stages;
    if (stageOf(left) === 'ended') return endedAtMs(right) - endedAtMs(left);
    // Files that were dropped together were added at the same moment; who is next is known by the place alone.
    if (left.state.tag === 'waiting' && right.state.tag === 'waiting')
      return (left.state.placeInLine ?? farBack) - (right.state.placeInLine ?? farBack) || left.rank - right.rank;
    return left.rank - right.rank || left.addedAtMs - right.addedAtMs;
  });
}

/** Measured speed of an upload and what is left of it; null until there is enough to measure. */
export function uploadPace(
  state: Extract<JobView['state'], { tag: 'uploading' }>,
  nowMs: number,
): { readonly bytesPerSecond: number; readonly leftMs: number } | null {
  const passedMs = nowMs - state.sinceMs;
  if (passedMs < 1500 || state.sentBytes <= 0) return null;
  const bytesPerSecond = (state.sentBytes * 1000) / passedMs;
  return { bytesPerSecond, leftMs: ((state.totalBytes - state.sentBytes) * 1000) / bytesPerSecond };
}

/** States whose words hold a running time. */
export const isTicking = (job: JobView): boolean =>
  job.state.tag === 'uploading' ||
  job.state.tag === 'queued-at-service' ||
  job.state.tag === 'processing' ||
  job.state.tag === 'retrying';

/** Work that can be called off. */
export const isCancellable = (job: JobView): boolean => {
  const { tag } = job.state;
  return tag !== 'done' && tag !== 'failed' && tag !== 'cancelled';
};

/** Rows that have come to an end and may leave the list. */
export const isRemovable = (job: JobView): boolean => !isCancellable(job) || job.state.tag === 'needs-user';

/** Whether the service may already have what a cancel comes too late for. */
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
