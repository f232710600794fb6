import { expect, it } from 'vitest';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { repeatOf, withRepeats } from './repeats.ts';

const job = (id: string, state: JobView['state']): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 1,
  durationMs: 1000,
  kind: 'isolate',
  restoresSpeech: false,
  addedAtMs: 1,
  rank: 1,
  state,
});
const again = job('again', {
  tag: 'needs-user',
  failure: makeFailure('already-in-queue', { code: 'same_in_queue', params: { jobId: 'first', name: 'first.wav' } }),
});
const codeBeside = (state: JobView['state'] | null) =>
  withRepeats([...(state === null ? [] : [job('first', state)]), again])
    .map(repeatOf)
    .at(-1);

it('a recording is called isolated before only once the other row of it is done', () => {
  expect(codeBeside({ tag: 'waiting', placeInQueue: 1 })).toBe('same_in_queue');
  expect(codeBeside({ tag: 'processing', sinceMs: 1, rawStatus: null })).toBe('same_in_queue');
  expect(codeBeside({ tag: 'done', audioId: 'a', finishedAtMs: 1 })).toBe('duplicate');
  expect(codeBeside({ tag: 'cancelled', isAcceptedByService: false })).toBe('same_stopped');
  expect(codeBeside(null)).toBe('duplicate');
});
