import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { QueueView } from '../../shared/domain/jobs/queue-view.ts';

/** This many rows are copied and checked in some milliseconds. */
const rowsInPart = 500;

/** One part of the list, as of the time when its first part was read. */
export interface ListPart {
  readonly number: number;
  readonly partCount: number;
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
}

export interface ListJobsOptions {
  readonly list: () => { readonly jobs: readonly JobView[]; readonly queue: QueueView };
  /** The number of the last published change. */
  readonly lastNumber: () => number;
}

/**
 * The whole list in parts of 500 rows, as one snapshot: the first part takes it, later parts belong to it. A request
 * for a part of a snapshot that is gone gets the first part of a new one, under another number.
 */
export function createListJobs({ list, lastNumber }: ListJobsOptions) {
  let taken: { readonly number: number; readonly jobs: readonly JobView[]; readonly queue: QueueView } | null = null;

  return (wanted: { readonly number: number; readonly index: number } | undefined): ListPart => {
    const isKept =
      wanted !== undefined && taken?.number === wanted.number && wanted.index * rowsInPart < taken.jobs.length;
    const part = isKept ? wanted.index : 0;
    const from = part * rowsInPart;
    const of = isKept && taken !== null ? taken : { number: lastNumber(), ...list() };
    const isLast = from + rowsInPart >= of.jobs.length;
    taken = isLast ? null : of;
    return {
      number: of.number,
      partCount: Math.max(1, Math.ceil(of.jobs.length / rowsInPart)),
      jobs: of.jobs.slice(from, from + rowsInPart),
      queue: of.queue,
    };
  };
}

export type ListJobs = ReturnType<typeof createListJobs>;
