import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { moveBefore } from '../../../shared/domain/jobs/rank.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { someJob } from '../../../tests/support/some-jobs.ts';
import { beforeAfterStep, isPerhapsAtService, lineOf, sortJobs, twinIsolation, withTwins } from './job-order.ts';

const waiting = (id: string, rank: number) => someJob(id, { tag: 'waiting', placeInQueue: rank }, { rank });
const ended = (id: string, finishedAtMs: number) =>
  someJob(id, { tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs });

it('a step up and a step down return to the same place, and never go past the ends', () => {
  forAll(fc.integer({ min: 1, max: 8 }), fc.nat(7), (count, pick) => {
    const jobs = Array.from({ length: count }, (_, at) => waiting(String(at), at + 1));
    const moved = String(pick % count);
    const step = (rows: readonly JobView[], by: -1 | 1): readonly JobView[] => {
      const before = beforeAfterStep(lineOf(rows), moved, by);
      if (before === undefined) return rows;
      const ranks = new Map(moveBefore(rows, new Set([moved]), before).map(({ id, rank }) => [id, rank]));
      return rows.map((row) => ({ ...row, rank: ranks.get(row.id) ?? row.rank }));
    };
    const at = (rows: readonly JobView[]) => lineOf(rows).findIndex(({ id }) => id === moved);
    const down = step(jobs, 1);
    expect(at(down)).toBe(Math.min(count - 1, at(jobs) + 1));
    if (at(down) !== at(jobs)) expect(at(step(down, -1))).toBe(at(jobs));
    expect(at(step(jobs, -1))).toBe(Math.max(0, at(jobs) - 1));
  });
});

it('rows that need attention come first, then running, waiting and ended ones, the latest end first', () => {
  const jobs = [
    ended('done-old', 1),
    ended('done-new', 9),
    someJob('waiting', { tag: 'waiting', placeInQueue: 1 }),
    someJob('late', { tag: 'preparing' }, { addedAtMs: 5 }),
    someJob('early', { tag: 'processing', sinceMs: 0, rawStatus: null }, { addedAtMs: 2 }),
    someJob('failed', { tag: 'failed', failure: makeFailure('file-too-large'), hasRawAnswer: false }, { addedAtMs: 7 }),
  ];
  expect(sortJobs(jobs).map(({ id }) => id)).toEqual(['failed', 'early', 'late', 'waiting', 'done-new', 'done-old']);
});

const twin = (params: Readonly<Record<string, string>>, code: string) =>
  someJob('b', {
    tag: 'needs-user',
    failure: makeFailure('already-in-queue', { code, params: { name: 'a.wav', ...params } }),
  });
const toldOf = (jobs: readonly JobView[], texts: ReadonlyMap<string, unknown> | null) => {
  const state = withTwins(jobs, texts).find(({ id }) => id === 'b')?.state;
  return state?.tag === 'needs-user' ? [state.failure.code, state.failure.params?.['transcriptId']] : [];
};

it('a duplicate gets the transcript of the original when that is done, and is not called transcribed before', () => {
  const asked = twin({ jobId: 'a' }, 'same_in_queue');
  const running = someJob('a', { tag: 'processing', sinceMs: 0, rawStatus: null });
  expect(toldOf([running, asked], new Map())).toEqual(['same_in_queue', undefined]);
  // The list of transcripts may not include the new one yet.
  expect(toldOf([ended('a', 1), asked], new Map())).toEqual(['duplicate', 't']);
  expect(withTwins([ended('a', 1), asked], null)[1]).toBe(withTwins([ended('a', 1), asked], null)[1]);
});

it('a cancellation asks first wherever the service may have the recording', () => {
  const cases: readonly (readonly [JobView['state'], string])[] = [
    [{ tag: 'waiting', placeInQueue: 1 }, 'no'],
    [{ tag: 'uploading', sentBytes: 1, totalBytes: 2, sinceMs: 0 }, 'perhaps'],
    [{ tag: 'queued-at-service', sinceMs: 0 }, 'yes'],
    [{ tag: 'retrying', untilMs: 0, failure: makeFailure('offline') }, 'no'],
    [{ tag: 'retrying', untilMs: 0, failure: makeFailure('connection-dropped') }, 'perhaps'],
    [{ tag: 'needs-user', failure: makeFailure('no-receipt') }, 'yes'],
  ];
  expect(cases.map(([state]) => isPerhapsAtService(someJob('a', state)))).toEqual(
    cases.map(([, expected]) => expected),
  );
});

it('a recording is called isolated before only once the other row of it is done', () => {
  const isolation = (id: string, state: JobView['state']): JobView => ({
    ...someJob(id, state),
    kind: 'isolate',
    restoresSpeech: false,
  });
  const { state: again } = twin({ jobId: 'first' }, 'same_in_queue');
  const codeBeside = (state: JobView['state'] | null) =>
    withTwins([...(state === null ? [] : [isolation('first', state)]), isolation('b', again)], null)
      .map(twinIsolation)
      .at(-1);
  expect(codeBeside({ tag: 'waiting', placeInQueue: 1 })).toBe('same_in_queue');
  expect(codeBeside({ tag: 'processing', sinceMs: 1, rawStatus: null })).toBe('same_in_queue');
  expect(codeBeside({ tag: 'done', audioId: 'a', finishedAtMs: 1 })).toBe('duplicate');
  expect(codeBeside({ tag: 'cancelled', isAcceptedByService: false })).toBe('same_stopped');
  expect(codeBeside(null)).toBe('duplicate');
});
