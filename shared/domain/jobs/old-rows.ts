import type { JobView } from './job-view.ts';

/** Ages that can be chosen for cleaning the queue, in days. */
export const rowAges = [7, 30, 90, 365] as const;
export type RowAge = (typeof rowAges)[number];

const dayMs = 24 * 3_600_000;

/** Rows that ended long ago, and the texts that came of them. */
export interface OldRows {
  readonly jobIds: readonly string[];
  readonly transcriptIds: readonly string[];
}

/**
 * Rows that are done or cancelled and older than `days`. A done row is as old as its end, a cancelled one as its
 * adding, because nothing else is known. Failed rows stay: the row is the only record of the failure.
 */
export function findOldRows(jobs: readonly JobView[], days: number, nowMs: number): OldRows {
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
