import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { someJob } from '../../../tests/support/some-jobs.ts';
import { chimeBetween } from './jobs-summary.ts';

const waiting = (id: string) => someJob(id, { tag: 'preparing' });
const done = (id: string) => someJob(id, { tag: 'done', transcriptId: `t-${id}`, speakerCount: 1, finishedAtMs: 1 });
const failed = (id: string) =>
  someJob(id, { tag: 'failed', failure: makeFailure('file-unreadable'), hasRawAnswer: false });

it('the end of several jobs chimes with the last one, not with each', () => {
  expect(chimeBetween([waiting('a'), waiting('b')], [done('a'), waiting('b')])).toBeNull();
  expect(chimeBetween([done('a'), waiting('b')], [done('a'), done('b')])).toBe('done');
});

it('a failure chimes at once, once, and before the end of the others', () => {
  expect(chimeBetween([waiting('a'), waiting('b')], [failed('a'), waiting('b')])).toBe('failed');
  expect(chimeBetween([failed('a'), waiting('b')], [failed('a'), waiting('b')])).toBeNull();
  expect(chimeBetween([failed('a'), waiting('b')], [failed('a'), done('b')])).toBe('done');
});
