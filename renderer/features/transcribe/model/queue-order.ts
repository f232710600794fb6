import { stageOf, type JobStage } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { sortJobs } from './selectors.ts';

/** How the list is sorted. `queue` is the order in which the files are sent. */
export const queueOrders = ['queue', 'name', 'length', 'added'] as const;
export type QueueOrder = (typeof queueOrders)[number];

export const queueFilters = ['all', 'attention', 'running', 'waiting', 'ended'] as const;
export type QueueFilter = 'all' | JobStage;

/** How many rows each filter shows. */
export function countByFilter(jobs: readonly JobView[]): Readonly<Record<QueueFilter, number>> {
  const counts = { all: jobs.length, attention: 0, running: 0, waiting: 0, ended: 0 };
  for (const job of jobs) counts[stageOf(job)] += 1;
  return counts;
}

/** The rows of one filter in one order; equal ones keep the order of the queue. */
export function shownJobs(jobs: readonly JobView[], filter: QueueFilter, order: QueueOrder): readonly JobView[] {
  const sorted = sortJobs(filter === 'all' ? jobs : jobs.filter((job) => stageOf(job) === filter));
  switch (order) {
    case 'queue':
      return sorted;
    case 'name': {
      const { compare } = new Intl.Collator(undefined, { numeric: true });
      return sorted.toSorted((left, right) => compare(left.name, right.name));
    }
    case 'length':
      return sorted.toSorted((left, right) => (right.durationMs ?? -1) - (left.durationMs ?? -1));
    case 'added':
      return sorted.toSorted((left, right) => right.addedAtMs - left.addedAtMs);
  }
}

/** Rows that have a place in the order of sending, and so can be moved. */
export const isMovable = (job: JobView): boolean =>
  job.state.tag === 'waiting' ||
  job.state.tag === 'preparing' ||
  job.state.tag === 'paused' ||
  job.state.tag === 'blocked';

export const isPausable = (job: JobView): boolean =>
  job.state.tag === 'preparing' || job.state.tag === 'waiting' || job.state.tag === 'uploading';

/** The movable rows as the queue sends them. */
export const lineOf = (jobs: readonly JobView[]): readonly JobView[] =>
  jobs.filter(isMovable).toSorted((left, right) => left.rank - right.rank || left.addedAtMs - right.addedAtMs);

/**
 * Before which row a step of one place puts a row (`null`: behind all others); undefined when it can't go further.
 */
export function beforeAfterStep(line: readonly JobView[], jobId: string, step: -1 | 1): string | null | undefined {
  const at = line.findIndex(({ id }) => id === jobId);
  if (at < 0) return undefined;
  if (step < 0) return line[at - 1]?.id;
  if (at === line.length - 1) return undefined;
  return line[at + 2]?.id ?? null;
}
