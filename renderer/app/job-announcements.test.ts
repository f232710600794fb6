import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { someJob } from '../../tests/support/some-jobs.ts';
import { newsBetween } from './job-announcements.ts';

const waiting = { tag: 'waiting', placeInQueue: 1 } as const;
const sending = (sentBytes: number) => ({ tag: 'uploading', sentBytes, totalBytes: 100, sinceMs: 0 }) as const;
const done = { tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 0 } as const;
const failed = { tag: 'failed', failure: makeFailure('credits-exhausted'), hasRawAnswer: false } as const;

describe('news of the queue', () => {
  it('merges what happened since the last announcement into one', () => {
    const before = [someJob('a', waiting), someJob('b', sending(10)), someJob('c', sending(10))];
    const now = [someJob('a', sending(1)), someJob('b', done), someJob('c', failed), someJob('d', waiting)];
    expect(newsBetween(before, now)).toEqual({
      added: 1,
      started: 1,
      done: 1,
      failed: 1,
      reason: failed.failure,
      sentQuarter: null,
    });
  });

  it('is silent while only bytes change, and speaks at each quarter', () => {
    expect(newsBetween([someJob('a', sending(10))], [someJob('a', sending(20))])).toBeNull();
    expect(newsBetween([someJob('a', sending(20))], [someJob('a', sending(60))])?.sentQuarter).toBe(0.5);
    expect(newsBetween([someJob('a', failed)], [someJob('a', failed)])).toBeNull();
  });
});
