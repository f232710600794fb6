import { describe, expect, it } from 'vitest';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newsBetween } from './job-announcements.ts';

const job = (id: string, state: JobView['state']): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 100,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
});
const waiting = { tag: 'waiting', placeInQueue: 1 } as const;
const sending = (sentBytes: number) => ({ tag: 'uploading', sentBytes, totalBytes: 100, sinceMs: 0 }) as const;
const done = { tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 0 } as const;
const failed = { tag: 'failed', failure: makeFailure('E-034'), hasRawAnswer: false } as const;

describe('news of the queue', () => {
  it('merges what happened since the last announcement into one', () => {
    const before = [job('a', waiting), job('b', sending(10)), job('c', sending(10))];
    const now = [job('a', sending(1)), job('b', done), job('c', failed), job('d', waiting)];
    expect(newsBetween(before, now)).toEqual({
      added: 1,
      started: 1,
      done: 1,
      failed: 1,
      reason: failed.failure,
      sentQuarter: 0.25,
    });
  });

  it('is silent while only bytes change, and speaks at each quarter', () => {
    expect(newsBetween([job('a', sending(10))], [job('a', sending(20))])).toBeNull();
    expect(newsBetween([job('a', sending(20))], [job('a', sending(60))])?.sentQuarter).toBe(0.5);
    expect(newsBetween([job('a', failed)], [job('a', failed)])).toBeNull();
  });
});
