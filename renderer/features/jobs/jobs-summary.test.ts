import { expect, it } from 'vitest';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { sendingLeftMs } from './jobs-summary.ts';

const job = (state: JobView['state'], sizeBytes = 1000): JobView => ({
  id: state.tag,
  seq: 1,
  name: 'a.wav',
  sizeBytes,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 1,
  state,
});
const sending = (sentBytes: number) => job({ tag: 'uploading', sentBytes, totalBytes: 1000, sinceMs: 0 });

it('the estimate divides all that will be sent by the measured speed', () => {
  expect(sendingLeftMs([sending(400), job({ tag: 'waiting', placeInQueue: 1 })], 2000)).toBe(1600 / (400 / 2000));
});

it('there is no estimate before a measurement, or when nothing is being sent', () => {
  expect(sendingLeftMs([sending(400)], 1000)).toBeNull();
  expect(sendingLeftMs([job({ tag: 'waiting', placeInQueue: 1 })], 5000)).toBeNull();
  expect(sendingLeftMs([job({ tag: 'processing', sinceMs: 0, rawStatus: null })], 5000)).toBeNull();
});

it('a row that needs the user does not lengthen the estimate', () => {
  const failed = job({ tag: 'failed', failure: makeFailure('E-034'), hasRawAnswer: false }, 9_000_000);
  expect(sendingLeftMs([sending(500), failed], 2000)).toBe(2000);
});

it('more than a minute is rounded to whole minutes', () => {
  expect(sendingLeftMs([sending(500), job({ tag: 'waiting', placeInQueue: 1 }, 30_000)], 2000)).toBe(180_000);
});
