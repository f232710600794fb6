import { expect, it } from 'vitest';
import { makeFailure } from '../failures/make-failure.ts';
import type { JobView } from './job-view.ts';
import { findOldRows } from './old-rows.ts';

const dayMs = 24 * 3_600_000;
const nowMs = Date.UTC(2026, 10, 20);
const row = (id: string, daysAgo: number, state: JobView['state']): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: nowMs - daysAgo * dayMs,
  rank: 1,
  state,
});
const done = (id: string, addedDaysAgo: number, endedDaysAgo: number): JobView =>
  row(id, addedDaysAgo, {
    tag: 'done',
    transcriptId: `t-${id}`,
    speakerCount: 1,
    finishedAtMs: nowMs - endedDaysAgo * dayMs,
  });

it('selects rows that ended longer ago than the chosen days, by their end and not by when they were added', () => {
  const jobs = [done('long ago', 400, 399), done('late', 400, 2), done('just now', 0, 0), done('on the day', 40, 30)];
  expect(findOldRows(jobs, 30, nowMs)).toEqual({ jobIds: ['long ago'], transcriptIds: ['t-long ago'] });
  expect(findOldRows(jobs, 7, nowMs).jobIds).toEqual(['long ago', 'on the day']);
});

it('selects cancelled rows and never one that failed, needs the user or is running', () => {
  const failure = makeFailure('E-048');
  const jobs = [
    row('cancelled', 100, { tag: 'cancelled', isAcceptedByService: false }),
    row('failed', 100, { tag: 'failed', failure, hasRawAnswer: false }),
    row('asks', 100, { tag: 'needs-user', failure }),
    row('waits', 100, { tag: 'waiting', placeInQueue: 1 }),
    row('paused', 100, { tag: 'paused', sentBytes: 0, totalBytes: 1 }),
  ];
  expect(findOldRows(jobs, 7, nowMs)).toEqual({ jobIds: ['cancelled'], transcriptIds: [] });
});
