import { describe, expect, it } from 'vitest';
import type { JobView } from './job-view.ts';
import { makeFailure } from '../failures/make-failure.ts';
import { batchProgress } from './batch-progress.ts';

const job = (state: JobView['state'], sizeBytes = 100): JobView => ({
  id: `${state.tag}-${String(sizeBytes)}`,
  seq: 1,
  name: 'a.wav',
  sizeBytes,
  durationMs: 1000,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
});
const failure = makeFailure('E-048');

describe('progress of a batch', () => {
  it('measures what was sent, leaving out what will not be sent', () => {
    const batch = batchProgress([
      job({ tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 0 }),
      job({ tag: 'uploading', sentBytes: 55, totalBytes: 110, sinceMs: 0 }),
      job({ tag: 'waiting', placeInQueue: 1 }, 200),
      job({ tag: 'failed', failure, hasRawAnswer: false }, 9000),
      job({ tag: 'cancelled', isAcceptedByService: false }, 9000),
    ]);
    expect(batch.sentFraction).toBeCloseTo(150 / 400);
    expect(batch).toMatchObject({
      runningCount: 1,
      waitingCount: 1,
      doneCount: 1,
      attentionCount: 1,
      durationMs: 5000,
    });
  });

  it('counts no duplicate, and no recording without a voice, among what needs attention', () => {
    const rows = ['E-212', 'E-244', 'E-245', 'E-011'] as const;
    const asked = rows.map((row) => job({ tag: 'needs-user', failure: makeFailure(row) }));
    expect(batchProgress(asked).attentionCount).toBe(1);
  });

  it('has no percentage when the rest waits to be started by the user', () => {
    const done = job({ tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 0 });
    const batch = batchProgress([done, job({ tag: 'paused', sentBytes: 0, totalBytes: 0 })]);
    expect(batch).toMatchObject({ sentFraction: null, waitingCount: 1 });
  });

  it('has no percentage when everything is at the service', () => {
    const batch = batchProgress([
      job({ tag: 'processing', sinceMs: 0, rawStatus: null }),
      job({ tag: 'queued-at-service', sinceMs: 0 }),
      job({ tag: 'uploading', sentBytes: 110, totalBytes: 110, sinceMs: 0 }),
    ]);
    expect(batch).toMatchObject({ sentFraction: null, atServiceCount: 3, runningCount: 3 });
  });
});
