import { expect, it } from 'vitest';
import type { JobRecord } from '../../../shared/domain/jobs/job-state.ts';
import { ok } from '../../../shared/result/result.ts';
import { addedJob } from '../../../tests/support/library-to-damage.ts';
import { intent } from '../../../tests/support/job-samples.ts';
import type { StoredJob } from '../library/store.ts';
import { findRetainedAudio } from '../library/library.ts';

const job = (preparedName: string | null, state: JobRecord['state']): StoredJob => {
  const plain = addedJob(1);
  return {
    ...plain,
    memory: { ...plain.memory, state, intent: preparedName === null ? null : { ...intent, preparedName } },
  };
};
const done = { tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 1 } as const;
const find = (jobs: readonly StoredJob[], played: readonly { preparedName: string; recording: string }[] = []) =>
  findRetainedAudio({
    store: { loadJobs: () => ok(jobs), listPrepared: () => ok(played) },
    isThere: async (path) => path === '/there.mkv',
  });

it('unfinished rows, isolations and transcripts whose recording is gone keep their audio', async () => {
  const {
    language: _language,
    includeSpeakers: _includeSpeakers,
    ...plain
  } = job('isolated.ogg', done) as Extract<StoredJob, { kind: 'transcribe' }>;
  const kept = await find(
    [
      job('done.ogg', done),
      job('cancelled.ogg', { tag: 'cancelled', isAcceptedByService: false }),
      job('sending.ogg', { tag: 'sending', wasUnsettled: false }),
      job('polling.ogg', { tag: 'polling', isProcessing: true, rawStatus: null }),
      job(null, { tag: 'prepared' }),
      { ...plain, kind: 'isolate', restoresSpeech: false },
    ],
    [
      { preparedName: 'done.ogg', recording: '/there.mkv' },
      { preparedName: 'lost.ogg', recording: '/gone.mkv' },
    ],
  );
  expect(kept).toEqual(ok(new Set(['sending.ogg', 'polling.ogg', 'isolated.ogg', 'lost.ogg'])));
});

it('nothing is removed while a row is being prepared, because its audio has no name yet', async () => {
  expect(await find([job('done.ogg', done), job(null, { tag: 'queued' })])).toEqual(ok(null));
});
