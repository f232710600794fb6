import type { JobView } from './job-view.ts';
import { stageOf } from './batch-progress.ts';

/** What has ended since the user last looked, for a notification. */
export interface BatchEnd {
  readonly doneNames: readonly string[];
  readonly failedNames: readonly string[];
  /** The transcript, when there is exactly one. */
  readonly transcriptId: string | null;
}

/** The state kept between two changes of the queue. */
export interface BatchWatch {
  /** Stages of rows that are not hidden, by id. */
  readonly stages: ReadonlyMap<string, ReturnType<typeof stageOf>>;
  readonly ended: readonly JobView[];
}

export const noBatch: BatchWatch = { stages: new Map(), ended: [] };

const isMoving = (stage: string | undefined): boolean => stage === 'running' || stage === 'waiting';

/**
 * Follows the queue row by row and detects the end of a batch: nothing is under way or waiting any more, and at least
 * one row has ended. Rows that had ended when they were first seen don't count.
 */
export function followBatch(
  watch: BatchWatch,
  jobs: readonly JobView[],
  removedIds: readonly string[],
): { readonly watch: BatchWatch; readonly end: BatchEnd | null } {
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
