import { expect, it } from 'vitest';
import { followBatch, noBatch } from './batch-end.ts';
import type { JobView, JobViewState } from './job-view.ts';
import { makeFailure } from '../failures/make-failure.ts';

const job = (id: string, state: JobViewState): JobView => ({
  id,
  seq: 1,
  name: `${id}.mp3`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 0,
  state,
});
const waiting: JobViewState = { tag: 'waiting', placeInQueue: 1 };
const done: JobViewState = { tag: 'done', transcriptId: 't-1', speakerCount: 0, finishedAtMs: 1 };
const failed: JobViewState = { tag: 'failed', failure: makeFailure('E-048'), hasRawAnswer: false };

it('a batch ends when nothing moves any more, and counts its results', () => {
  const first = followBatch(noBatch, [job('a', waiting), job('b', waiting), job('c', waiting)], []);
  const second = followBatch(first.watch, [job('a', done), job('b', failed)], []);
  expect([first.end, second.end]).toEqual([null, null]);
  const { end, watch } = followBatch(second.watch, [job('c', done)], []);
  expect(end).toEqual({ doneNames: ['a.mp3', 'c.mp3'], failedNames: ['b.mp3'], transcriptId: null });
  expect(followBatch(watch, [job('c', done)], []).end).toBeNull();
});

it('rows that ended before the start are not reported, nor those the user cancelled or removed', () => {
  expect(followBatch(noBatch, [job('a', done)], []).end).toBeNull();
  const started = followBatch(noBatch, [job('a', waiting), job('b', waiting)], []).watch;
  const cancelled = followBatch(started, [job('a', { tag: 'cancelled', isAcceptedByService: false })], ['b']);
  expect(cancelled.end).toBeNull();
});

it('a single transcript can be opened from its notice', () => {
  const { watch } = followBatch(noBatch, [job('a', waiting)], []);
  expect(followBatch(watch, [job('a', done)], []).end?.transcriptId).toBe('t-1');
});

it('removing the last running row reports the end of the others', () => {
  const { watch } = followBatch(noBatch, [job('a', waiting), job('b', waiting)], []);
  const half = followBatch(watch, [job('a', done)], []);
  expect(followBatch(half.watch, [], ['b']).end?.doneNames).toEqual(['a.mp3']);
});
