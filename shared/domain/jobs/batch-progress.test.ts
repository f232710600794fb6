import { describe, expect, it } from 'vitest';
import { makeFailure } from '../failures/make-failure.ts';
import { batchProgress, bulkStep, findOldRows, followBatch, noBatch } from './batch-progress.ts';
import type { JobView, JobViewState } from './job-view.ts';
import { batchLeftMs, learnPace, noPace } from './time-left.ts';

const nowMs = Date.UTC(2026, 10, 20);
const dayMs = 24 * 3_600_000;
interface Change {
  readonly id?: string;
  readonly sizeBytes?: number;
  readonly durationMs?: number;
  readonly addedAtMs?: number;
}
const job = (state: JobViewState, change: Change = {}): JobView => ({
  id: 'a',
  seq: 1,
  name: `${change.id ?? 'a'}.mp3`,
  sizeBytes: 100,
  durationMs: 1000,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
  ...change,
});
const failure = makeFailure('file-too-large');
const waiting: JobViewState = { tag: 'waiting', placeInQueue: 1 };
const done: JobViewState = { tag: 'done', transcriptId: 't-1', speakerCount: 1, finishedAtMs: 1 };
const failed: JobViewState = { tag: 'failed', failure, hasRawAnswer: false };
const cancelled: JobViewState = { tag: 'cancelled', isAcceptedByService: false };

describe('progress of a batch', () => {
  it('measures what is being sent, leaving out what is done and what will not be sent', () => {
    const batch = batchProgress([
      job(done),
      job({ tag: 'uploading', sentBytes: 55, totalBytes: 110, sinceMs: 0 }),
      job(waiting, { sizeBytes: 200 }),
      job(failed, { sizeBytes: 9000 }),
      job(cancelled, { sizeBytes: 9000 }),
    ]);
    expect(batch.sentFraction).toBeCloseTo(50 / 300);
    expect(batch).toMatchObject({ runningCount: 1, waitingCount: 1, attentionCount: 1 });
  });

  it('counts no duplicate, and no recording without a voice, among what needs attention', () => {
    const rows = ['already-in-queue', 'recording-silent', 'voice-not-recognised', 'file-changed'] as const;
    const asked = rows.map((row) => job({ tag: 'needs-user', failure: makeFailure(row) }));
    expect(batchProgress(asked).attentionCount).toBe(1);
  });
});

describe('the step for all rows', () => {
  const paused = (id: string) => job({ tag: 'paused', sentBytes: 0, totalBytes: 9 }, { id });
  const unsent = (id: string) => job({ tag: 'paused', sentBytes: 0, totalBytes: 9, isAwaitingAnswer: true }, { id });
  const atService = job({ tag: 'processing', sinceMs: 0, rawStatus: null });

  it('pauses what runs or will run by itself, else sends what never was, else resumes', () => {
    expect(bulkStep([unsent('b'), job(waiting)], false)).toEqual({ step: 'pause', jobIds: ['a'] });
    expect(bulkStep([unsent('b'), atService, paused('d'), unsent('c'), job(done)], false)).toEqual({
      step: 'send',
      jobIds: ['b', 'c'],
    });
    expect(bulkStep([paused('d'), job(done)], false)).toEqual({ step: 'go-on', jobIds: ['d'] });
    expect(bulkStep([atService, job(failed)], false)).toBeNull();
  });

  it('is never called sending where this computer does the work', () => {
    expect(bulkStep([unsent('b')], true)).toEqual({ step: 'go-on', jobIds: ['b'] });
  });
});

describe('the end of a batch', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => (state: JobViewState) => job(state, { id }));

  it('comes when nothing moves any more, and counts its results', () => {
    const first = followBatch(noBatch, [a!(waiting), b!(waiting), c!(waiting)], []);
    const second = followBatch(first.watch, [a!(done), b!(failed)], []);
    expect([first.end, second.end]).toEqual([null, null]);
    const { end, watch } = followBatch(second.watch, [c!(done)], []);
    expect(end).toEqual({ doneNames: ['a.mp3', 'c.mp3'], failedNames: ['b.mp3'], transcriptId: null });
    expect(followBatch(watch, [c!(done)], []).end).toBeNull();
  });

  it('leaves out rows that ended before the start, and those the user cancelled or removed', () => {
    expect(followBatch(noBatch, [a!(done)], []).end).toBeNull();
    const { watch } = followBatch(noBatch, [a!(waiting), b!(waiting)], []);
    expect(followBatch(watch, [a!(cancelled)], ['b']).end).toBeNull();
    const half = followBatch(watch, [a!(done)], []);
    expect(followBatch(half.watch, [], ['b']).end).toMatchObject({ doneNames: ['a.mp3'], transcriptId: 't-1' });
  });
});

describe('old rows', () => {
  const endedAgo = (id: string, addedDays: number, endedDays: number) =>
    job(
      { tag: 'done', transcriptId: `t-${id}`, speakerCount: 1, finishedAtMs: nowMs - endedDays * dayMs },
      { id, addedAtMs: nowMs - addedDays * dayMs },
    );

  it('ended longer ago than the chosen days, whenever they were added', () => {
    const jobs = [endedAgo('long ago', 400, 399), endedAgo('late', 400, 2), endedAgo('on the day', 40, 30)];
    expect(findOldRows(jobs, 30, nowMs)).toEqual({ jobIds: ['long ago'], transcriptIds: ['t-long ago'] });
    expect(findOldRows(jobs, 7, nowMs).jobIds).toEqual(['long ago', 'on the day']);
  });

  it('are cancelled ones too, and never one that failed, needs the user or is running', () => {
    const states = [cancelled, failed, { tag: 'needs-user', failure }, waiting] as const;
    const jobs = states.map((state) => job(state, { id: state.tag }));
    expect(findOldRows(jobs, 7, nowMs)).toEqual({ jobIds: ['cancelled'], transcriptIds: [] });
  });
});

describe('time left', () => {
  const sample = { sentBytes: 1_000_000, uploadMs: 1_000, audioMs: 60_000, serviceMs: 6_000 };
  const row = (state: JobViewState) => job(state, { sizeBytes: 2_000_000, durationMs: 120_000 });
  const pace = learnPace([sample]);

  it('of a batch divides the connections to the service and ends with the last transcript', () => {
    const jobs = Array.from({ length: 4 }, () => row(waiting));
    expect(batchLeftMs(jobs, pace, 1)).toBe(4 * 2_000 + 12_000);
    expect(batchLeftMs(jobs, pace, 2)).toBe(2 * 2_000 + 12_000);
    expect(batchLeftMs([...jobs, row({ tag: 'paused', sentBytes: 0, totalBytes: 1 })], pace, 8)).toBe(14_000);
    expect([batchLeftMs(jobs, noPace, 2), batchLeftMs([], pace, 2)]).toEqual([null, null]);
  });
});
