import type { JobView } from './job-view.ts';
import { stageOf } from './batch-progress.ts';

/** What has ended since a person last looked, worth a notice of the system. */
export interface BatchEnd {
  readonly doneNames: readonly string[];
  readonly failedNames: readonly string[];
  /** The one text that came of it, when it is one. */
  readonly transcriptId: string | null;
}

/** What is remembered between two changes of the queue. */
export interface BatchWatch {
  /** Stages of rows that are not hidden, by id. */
  readonly stages: ReadonlyMap<string, ReturnType<typeof stageOf>>;
  readonly ended: readonly JobView[];
}

export const noBatch: BatchWatch = { stages: new Map(), ended: [] };

const isMoving = (stage: string | undefined): boolean => stage === 'running' || stage === 'waiting';

/**
 * Follows the queue row by row and says when a batch has come to its end: nothing is under way or waits any more, and
 * at least one row that was on its way has ended. Rows that were ended when they were first seen count for nothing.
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
