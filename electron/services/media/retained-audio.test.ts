import { expect, it } from 'vitest';
import { newJobMemory, type Intent, type JobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { ok } from '../../../shared/result/result.ts';
import type { StoredJob } from '../library/store.ts';
import { findRetainedAudio } from './retained-audio.ts';

const intent = (preparedName: string): Intent => ({
  idempotencyKey: 'k',
  sha256: 'a'.repeat(64),
  sizeBytes: 1,
  mtimeMs: 1,
  preparedName,
  firstSentAtMs: null,
  isUnsettled: false,
  boundTo: null,
  remoteId: null,
  acceptedAtMs: null,
});
const job = (preparedName: string | null, state: JobMemory['state']): StoredJob => ({
  id: `${state.tag}-${String(preparedName)}`,
  seq: 1,
  path: '/video.mkv',
  name: 'video.mkv',
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 1,
  rank: 1,
  memory: { ...newJobMemory, state, intent: preparedName === null ? null : intent(preparedName) },
});
const done = { tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs: 1 } as const;
const find = (jobs: readonly StoredJob[], played: readonly { preparedName: string; recording: string }[] = []) =>
  findRetainedAudio({
    store: { loadJobs: () => ok(jobs), listPrepared: () => ok(played) },
    isThere: async (path) => path === '/there.mkv',
  });

it('unfinished rows keep their audio, and so do transcripts whose recording is gone', async () => {
  const kept = await find(
    [
      job('done.ogg', done),
      job('cancelled.ogg', { tag: 'cancelled', isAcceptedByService: false }),
      job('sending.ogg', { tag: 'sending', wasUnsettled: false }),
      job('polling.ogg', { tag: 'polling', isProcessing: true, rawStatus: null }),
      job(null, { tag: 'prepared' }),
    ],
    [
      { preparedName: 'done.ogg', recording: '/there.mkv' },
      { preparedName: 'lost.ogg', recording: '/gone.mkv' },
    ],
  );
  expect(kept).toEqual(ok(new Set(['sending.ogg', 'polling.ogg', 'lost.ogg'])));
});

it('nothing is removed while a row is being prepared, because its audio has no name yet', async () => {
  expect(await find([job('done.ogg', done), job(null, { tag: 'queued' })])).toEqual(ok(null));
});
