import { freeSteps, newCharges, type FailureAction } from '../failures/actions.ts';
import { actionsOfFailure } from '../failures/describe-failure.ts';
import type { JobView } from './job-view.ts';

export type JobStage = 'attention' | 'running' | 'waiting' | 'ended';

/** The same recording again, or one without a voice. */
const leftOutRows: ReadonlySet<string> = new Set(['already-in-queue', 'recording-silent', 'voice-not-recognised']);

/** Whether it was not sent for a reason that asks nothing of the user, who may send it all the same. */
export const isLeftOut = ({ state }: JobView): boolean =>
  state.tag === 'needs-user' && leftOutRows.has(state.failure.kind);

const stageOfTag: Readonly<Record<JobView['state']['tag'], JobStage>> = {
  failed: 'attention',
  'needs-user': 'attention',
  preparing: 'running',
  uploading: 'running',
  'queued-at-service': 'running',
  processing: 'running',
  retrying: 'waiting',
  waiting: 'waiting',
  paused: 'waiting',
  blocked: 'waiting',
  done: 'ended',
  cancelled: 'ended',
};

export function stageOf(job: JobView): JobStage {
  const { state } = job;
  // Between two attempts nothing runs, and an unreachable service is no progress.
  if (state.tag === 'retrying' && state.failure.outcome === 'accepted') return 'running';
  return isLeftOut(job) ? 'ended' : stageOfTag[state.tag];
}

export function isUnsent({ state }: JobView): boolean {
  if (state.tag === 'uploading') return state.totalBytes === 0 || state.sentBytes < state.totalBytes;
  if (state.tag === 'retrying' || state.tag === 'blocked') return state.failure.outcome !== 'accepted';
  return state.tag === 'preparing' || state.tag === 'waiting' || state.tag === 'paused';
}

/** Nobody paused it: it waits until the user has seen what it costs. */
export const isNeverSent = ({ state }: JobView): boolean =>
  state.tag === 'paused' && state.sentBytes === 0 && state.isAwaitingAnswer === true && state.isElsewhere !== true;

const isResting = ({ state }: JobView): boolean => state.tag === 'paused' && state.isElsewhere !== true;

/** The one step that all rows can take while the queue is not paused; what only waits for the user can't be paused. */
export function bulkStep(jobs: readonly JobView[], isLocal: boolean) {
  const ofRows = (step: 'pause' | 'send' | 'go-on', fits: (job: JobView) => boolean) => {
    const jobIds = jobs.flatMap((job) => (fits(job) ? job.id : []));
    return jobIds.length === 0 ? null : { step, jobIds };
  };
  return (
    ofRows('pause', (job) => isUnsent(job) && job.state.tag !== 'paused') ??
    (isLocal ? null : ofRows('send', isNeverSent)) ??
    ofRows('go-on', isResting)
  );
}

const offers = ({ state }: JobView, wanted: ReadonlySet<FailureAction>): boolean =>
  'failure' in state && actionsOfFailure(state.failure).some((action) => wanted.has(action));

export const isChargedAnew = (job: JobView): boolean => offers(job, newCharges);

export const isRetried = (job: JobView): boolean => offers(job, freeSteps) || isChargedAnew(job);

/** Only uploads are measured, and work on this computer; work at the service has no percentage. */
export function batchProgress(jobs: readonly JobView[]) {
  const stages = { attention: 0, running: 0, waiting: 0, ended: 0 };
  let [atServiceCount, totalBytes, sentBytes, openMs] = [0, 0, 0, 0];
  let isBegun = false;
  let heardMs: number | null = null;
  for (const job of jobs) {
    const { state } = job;
    const lengthMs = job.durationMs ?? 0;
    stages[stageOf(job)] += 1;
    const isAtService =
      state.tag === 'queued-at-service' || state.tag === 'processing' || (state.tag === 'uploading' && !isUnsent(job));
    if (isAtService) atServiceCount += 1;
    const isUnbegun = state.tag === 'paused' && state.sentBytes === 0;
    const stage = stageOfTag[state.tag];
    if (isUnbegun || stage === 'attention' || stage === 'ended') continue;
    openMs += lengthMs;
    if (state.tag === 'processing' && state.heard !== undefined)
      heardMs = (heardMs ?? 0) + state.heard.share * lengthMs;
    totalBytes += job.sizeBytes;
    if (isAtService) sentBytes += job.sizeBytes;
    else if (state.tag === 'uploading' && state.sentBytes > 0) {
      isBegun = true;
      sentBytes += job.sizeBytes * (state.sentBytes / state.totalBytes);
    }
  }
  return {
    runningCount: stages.running,
    atServiceCount,
    waitingCount: stages.waiting,
    attentionCount: stages.attention,
    /** Sent share of the bytes that are under way or wait, 0 to 1; null while nothing of an upload was sent. */
    sentFraction: isBegun && totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : null,
    /** Heard share of what is not done yet, 0 to 1; null where nobody says how far it is. */
    heardFraction: heardMs === null || openMs === 0 ? null : heardMs / openMs,
  };
}

export type BatchProgress = ReturnType<typeof batchProgress>;

interface BatchWatch {
  readonly stages: ReadonlyMap<string, JobStage>;
  readonly ended: readonly JobView[];
}

export const noBatch: BatchWatch = { stages: new Map(), ended: [] };

const isMoving = (stage: string | undefined): boolean => stage === 'running' || stage === 'waiting';

/** A batch ends when nothing moves and a row has ended that had not when it was first seen. */
export function followBatch(watch: BatchWatch, jobs: readonly JobView[], removedIds: readonly string[]) {
  const stages = new Map(watch.stages);
  let ended = watch.ended;
  for (const id of removedIds) stages.delete(id);
  for (const job of jobs) {
    const stage = stageOf(job);
    if (isMoving(stages.get(job.id)) && !isMoving(stage) && job.state.tag !== 'cancelled')
      ended = [...ended.filter(({ id }) => id !== job.id), job];
    stages.set(job.id, stage);
  }
  if (ended.length === 0 || [...stages.values()].some(isMoving)) return { watch: { stages, ended }, end: null };
  const done = ended.filter(({ state }) => state.tag === 'done');
  const [only] = done;
  return {
    watch: { stages, ended: [] },
    end: {
      doneNames: done.map(({ name }) => name),
      failedNames: ended.filter(({ state }) => state.tag !== 'done').map(({ name }) => name),
      transcriptId: ended.length === 1 && only?.state.tag === 'done' ? (only.state.transcriptId ?? null) : null,
    },
  };
}

export type BatchEnd = NonNullable<ReturnType<typeof followBatch>['end']>;

export const rowAges = [7, 30, 90, 365] as const;
export type RowAge = (typeof rowAges)[number];

const dayMs = 24 * 3_600_000;

/** Done or cancelled longer than `days` ago. Failed rows stay: they are the only record of the failure. */
export function findOldRows(jobs: readonly JobView[], days: number, nowMs: number) {
  const before = nowMs - days * dayMs;
  const old = jobs.filter(
    ({ state, addedAtMs }) =>
      (state.tag === 'done' && state.finishedAtMs < before) || (state.tag === 'cancelled' && addedAtMs < before),
  );
  return {
    jobIds: old.map(({ id }) => id),
    transcriptIds: old.flatMap(({ state }) => (state.tag === 'done' ? (state.transcriptId ?? []) : [])),
  };
}
