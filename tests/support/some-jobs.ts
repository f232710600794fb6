import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';

/** A row of the queue for tests. */
export const someJob = (
  id: string,
  state: JobView['state'],
  change: Partial<Extract<JobView, { kind: 'transcribe' }>> = {},
): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 184_000_000,
  durationMs: 1_565_000,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: true,
  addedAtMs: Date.UTC(2026, 10, 20, 9),
  rank: 1,
  state,
  ...change,
});

/** A row in every state that the list can show. */
export function jobsInEveryState(nowMs: number = Date.now()): readonly JobView[] {
  return [
    someJob(
      'done',
      { tag: 'done', transcriptId: 't-1', speakerCount: 3, finishedAtMs: nowMs - 60_000 },
      { name: 'Interview with a ceramicist, Rishton.wav', language: 'en', durationMs: 2_832_000 },
    ),
    someJob('waiting', { tag: 'waiting', placeInQueue: 1 }, { name: 'Yigʻilish 18-noyabr.ogg' }),
    someJob(
      'waiting-2',
      { tag: 'waiting', placeInQueue: 2 },
      {
        name: '🎙️ Ovozli xabar, juda uzun nom bilan, chunki odamlar fayllarni shunday nomlaydi (oxirgi, tuzatilgan, 2).m4a',
        durationMs: null,
        sizeBytes: 900,
      },
    ),
    someJob(
      'uploading',
      { tag: 'uploading', sentBytes: 118_000_000, totalBytes: 184_000_000, sinceMs: nowMs - 56_000 },
      { name: 'Margʻilon bozori, 2-qism.wav' },
    ),
    someJob(
      'queued',
      { tag: 'queued-at-service', sinceMs: nowMs - 72_000 },
      { name: 'Совещание по делу № 214.mp3', language: 'ru' },
    ),
    someJob(
      'processing',
      { tag: 'processing', sinceMs: nowMs - 220_000, rawStatus: 'diarizing' },
      { name: 'Podcast 41: Buxoro meʼmorchiligi.flac', durationMs: 3_120_000 },
    ),
    someJob(
      'preparing',
      { tag: 'preparing' },
      {
        name: 'Lecture 7, phonetics of Turkic languages.mp3',
        kind: 'transcribe',
        language: 'en',
        includeSpeakers: false,
      },
    ),
    someJob(
      'retrying',
      {
        tag: 'retrying',
        untilMs: nowMs + 14_000,
        failure: makeFailure('rate-limited', { status: 429, code: 'rate_limited' }),
      },
      { name: 'Radio, 1-soat.mp3' },
    ),
    someJob(
      'failed',
      {
        tag: 'failed',
        failure: makeFailure('file-too-large', {
          status: 413,
          requestId: 'req_81f2',
          params: { name: 'brifing', size: 2_100_000_000 },
        }),
        hasRawAnswer: false,
      },
      { name: 'Prokuratura brifingi 14-noyabr.m4a', durationMs: 5_560_000, sizeBytes: 2_100_000_000 },
    ),
    someJob(
      'unreadable',
      {
        tag: 'failed',
        failure: makeFailure('answer-unreadable', { status: 200, requestId: 'req_0a11', details: '<unexpected>' }),
        hasRawAnswer: true,
      },
      { name: 'Radio.m4a' },
    ),
    someJob(
      'changed',
      { tag: 'needs-user', failure: makeFailure('file-changed', { params: { name: 'Hisobot.wav' } }) },
      { name: 'Hisobot.wav' },
    ),
    someJob('cancelled', { tag: 'cancelled', isAcceptedByService: true }, { name: 'Eski yozuv.mp3' }),
    someJob(
      'paused',
      { tag: 'paused', sentBytes: 22_000_000, totalBytes: 58_000_000 },
      { name: 'Lecture 8, vowel harmony.mp3', language: 'en', rank: 4 },
    ),
    someJob(
      'twin',
      {
        tag: 'needs-user',
        failure: makeFailure('already-in-queue', {
          code: 'duplicate',
          params: { date: nowMs - 86_400_000, transcriptId: 't-1', jobId: 'done', name: 'Margʻilon bozori.wav' },
        }),
      },
      { name: 'Margʻilon bozori (nusxa).wav' },
    ),
    someJob('video', { tag: 'preparing', audioShare: 0.38 }, { name: 'Konferensiya.mkv', sizeBytes: 2_400_000_000 }),
  ];
}
