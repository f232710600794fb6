import { describe, expect, it } from 'vitest';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { queueNotices, isPerhapsAtService, sortJobs, uploadPace, withTwins } from './selectors.ts';
import { createTranscribeStore } from './transcribe-store.ts';

const job = (id: string, state: JobView['state'], addedAtMs = 0): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 100,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs,
  rank: addedAtMs,
  state,
});
const done = (finishedAtMs: number) => ({ tag: 'done', transcriptId: 't', speakerCount: 1, finishedAtMs }) as const;

describe('the order of rows', () => {
  it('is needs attention, running, waiting, ended; the latest end first', () => {
    const jobs = [
      job('done-old', done(1)),
      job('done-new', done(9)),
      job('waiting', { tag: 'waiting', placeInQueue: 1 }),
      job('late', { tag: 'preparing' }, 5),
      job('early', { tag: 'processing', sinceMs: 0, rawStatus: null }, 2),
      job('failed', { tag: 'failed', failure: makeFailure('E-048'), hasRawAnswer: false }, 7),
    ];
    expect(sortJobs(jobs).map(({ id }) => id)).toEqual(['failed', 'early', 'late', 'waiting', 'done-new', 'done-old']);
  });
});

describe('a duplicate row', () => {
  const twin = (params: Readonly<Record<string, string>>, code: string) =>
    job('b', { tag: 'needs-user', failure: makeFailure('E-212', { code, params: { name: 'a.wav', ...params } }) });
  const toldOf = (jobs: readonly JobView[], texts: ReadonlyMap<string, unknown> | null) => {
    const state = withTwins(jobs, texts).find(({ id }) => id === 'b')?.state;
    return state?.tag === 'needs-user' ? [state.failure.code, state.failure.params?.['transcriptId']] : [];
  };

  it('gets the transcript of the original when that is done, and is not called transcribed before', () => {
    const asked = twin({ jobId: 'a' }, 'same_in_queue');
    const running = job('a', { tag: 'processing', sinceMs: 0, rawStatus: null });
    expect(toldOf([running, asked], new Map())).toEqual(['same_in_queue', undefined]);
    // The list of transcripts may not include the new one yet.
    expect(toldOf([job('a', done(1)), asked], new Map())).toEqual(['duplicate', 't']);
    expect(withTwins([job('a', done(1)), asked], null)[1]).toBe(withTwins([job('a', done(1)), asked], null)[1]);
  });

  it('says that its transcript is in the trash, if it is known to be there', () => {
    const asked = twin({ jobId: 'a', transcriptId: 't' }, 'duplicate');
    expect(toldOf([asked], new Map())).toEqual(['same_in_trash', 't']);
    expect(toldOf([asked], new Map([['t', 1]]))).toEqual(['duplicate', 't']);
    expect(toldOf([asked], null)).toEqual(['duplicate', 't']);
  });
});

describe('the speed of an upload', () => {
  it('is measured, and not estimated before there is a measurement', () => {
    const state = { tag: 'uploading', sentBytes: 4000, totalBytes: 10_000, sinceMs: 1000 } as const;
    expect(uploadPace(state, 3000)).toEqual({ bytesPerSecond: 2000, leftMs: 3000 });
    expect(uploadPace(state, 1500)).toBeNull();
    expect(uploadPace({ ...state, sentBytes: 0 }, 9000)).toBeNull();
  });
});

describe('a cancellation', () => {
  it('asks first wherever the service may have the recording', () => {
    const cases: readonly (readonly [JobView['state'], string])[] = [
      [{ tag: 'waiting', placeInQueue: 1 }, 'no'],
      [{ tag: 'uploading', sentBytes: 1, totalBytes: 2, sinceMs: 0 }, 'perhaps'],
      [{ tag: 'queued-at-service', sinceMs: 0 }, 'yes'],
      [{ tag: 'retrying', untilMs: 0, failure: makeFailure('E-001') }, 'no'],
      [{ tag: 'retrying', untilMs: 0, failure: makeFailure('E-012') }, 'perhaps'],
      [{ tag: 'needs-user', failure: makeFailure('E-022') }, 'yes'],
    ];
    expect(cases.map(([state]) => isPerhapsAtService(job('a', state)))).toEqual(cases.map(([, expected]) => expected));
  });
});

describe('notices of the queue', () => {
  it('name each reason once, with the number of waiting rows, and what the user must do first', () => {
    const blocked = (by: 'offline' | 'key') =>
      ({ tag: 'blocked', by, failure: makeFailure(by === 'key' ? 'E-032' : 'E-001') }) as const;
    const notices = queueNotices([
      job('a', blocked('offline')),
      job('b', blocked('key')),
      job('c', blocked('offline')),
    ]);
    expect(notices.map(({ by, waitingCount }) => [by, waitingCount])).toEqual([
      ['key', 1],
      ['offline', 2],
    ]);
  });
});

describe('adding files', () => {
  const refusal = makeFailure('E-211', { code: 'not_audio' });
  const client = (answers: Record<string, unknown>): StudioClient => ({
    request: async (method) => (answers[method] ?? ok({})) as never,
    subscribe: () => () => undefined,
    open: () => Promise.reject(new Error('no streams here')),
    fileTokenFor: async (file) => (file.name === 'gone.wav' ? err(refusal) : ok(`token-${file.name}`)),
  });
  const files = ['a.wav', 'gone.wav'].map((name) => new File(['x'], name));

  it('collects every rejection from every step, by name', async () => {
    const store = createTranscribeStore(
      client({
        'jobs.addDropped': ok({
          jobIds: [],
          addedCount: 0,
          leftCount: 0,
          refused: [
            { name: 'notes.pdf', failure: refusal },
            { name: 'a.wav', failure: refusal },
          ],
          refusedCount: 2,
          repeated: [],
          repeatedCount: 0,
        }),
      }),
    );
    await store.addDropped(files, { language: 'uz', includeSpeakers: true });
    expect(store.getState().refused.map(({ name }) => name)).toEqual(['gone.wav', 'notes.pdf', 'a.wav']);
    expect(store.getState().addingCount).toBe(0);
    store.hideRefused(store.getState().refused[0]?.key ?? -1);
    expect(store.getState().refused.map(({ name }) => name)).toEqual(['notes.pdf', 'a.wav']);
  });

  it('says so when main rejects all of it', async () => {
    const failure = makeFailure('E-180');
    const store = createTranscribeStore(client({ 'jobs.addDropped': err(failure) }));
    await store.addDropped(files, { language: 'uz', includeSpeakers: true });
    expect(store.getState()).toMatchObject({ failure, addingCount: 0 });
  });
});
