import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

const nowMs = Date.now();
const pace = {
  sampleCount: 20,
  bytesPerSecond: 2_100_000,
  servicePerAudio: { low: 0.09, median: 0.1, high: 0.12 },
  serviceMs: 300_000,
};

/** States that `jobsInEveryState` leaves out: rows that wait for the user, the disk or the network. */
const troubled = [
  someJob(
    'grant',
    {
      tag: 'blocked',
      by: 'permission',
      failure: makeFailure('E-037', {
        status: 403,
        code: 'insufficient_scope',
        params: { permission: 'speech_to_text: access' },
      }),
    },
    { name: 'Yigʻilish 21-noyabr.ogg' },
  ),
  someJob(
    'disk',
    { tag: 'blocked', by: 'disk', failure: makeFailure('E-180', { code: 'ENOSPC' }) },
    { name: 'Совещание 22 ноября.m4a', language: 'ru' },
  ),
  someJob(
    'missing',
    {
      tag: 'needs-user',
      failure: makeFailure('E-010', { layer: 'local', code: 'file_missing', params: { name: 'Radio, 3-soat.mp3' } }),
    },
    { name: 'Radio, 3-soat.mp3' },
  ),
  someJob(
    'lost',
    { tag: 'needs-user', failure: makeFailure('E-041', { status: 404 }) },
    { name: 'Podcast 40.flac', language: 'en' },
  ),
  someJob(
    'down',
    {
      tag: 'retrying',
      untilMs: nowMs + 61_000,
      failure: makeFailure('E-058', { status: 503, code: 'service_unavailable' }),
    },
    { name: 'Konferensiya, 1-kun.wav' },
  ),
  someJob(
    'sent',
    { tag: 'uploading', sentBytes: 184_000_000, totalBytes: 184_000_000, sinceMs: nowMs - 90_000 },
    { name: 'Konferensiya, 2-kun.wav' },
  ),
  someJob('held', { tag: 'paused', sentBytes: 0, totalBytes: 58_000_000 }, { name: 'Lecture 9.mp3', language: 'en' }),
  someJob('next', { tag: 'waiting', placeInQueue: 1 }, { name: 'Buxoro suhbatlari.mp3' }),
  someJob(
    'alone',
    { tag: 'done', transcriptId: 't-9', speakerCount: 0, finishedAtMs: nowMs - 5_000 },
    { name: 'Ovozli xabar.ogg', durationMs: 14_000, includeSpeakers: false },
  ),
  someJob('off', { tag: 'cancelled', isAcceptedByService: false }, { name: 'Keraksiz.mp3' }),
];

/** The queue with errors, while thousands are added, and when it can't be shown. */
export const queueStates: readonly ScreenState[] = [
  {
    name: 'rows that wait for a person or for better times, with what the others will cost',
    isSeenInEveryRun: true,
    plan: planStudio({ jobs: troubled, queue: { ...noQueue, pace } }),
    proof: (page) => page.getByRole('row').nth(9),
  },
  {
    name: 'transcribe by the legacy API: its switch, a row of it and what it tells of one',
    plan: planStudio({
      connection: { legacyKey: { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } },
      settings: { usesLegacyTranscription: true },
      jobs: [
        someJob(
          'legacy',
          { tag: 'done', transcriptId: 't-8', speakerCount: 2, finishedAtMs: nowMs - 5_000 },
          { name: 'Suhbat, 3-qism.mp3', isLegacy: true },
        ),
        someJob('current', { tag: 'waiting', placeInQueue: 1 }, { name: 'Suhbat, 4-qism.mp3' }),
      ],
      answers: { 'jobs.legacyFacts': { gender: 'female', summary: 'Ustaxona, sir va xumdon haqida.' } },
    }),
    reach: async (page) => {
      await page.getByRole('row').filter({ hasText: '3-qism' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Details' }).click();
    },
    proof: (page) => page.getByRole('dialog').getByText('Ustaxona, sir'),
  },
  {
    name: 'a queue that could not be read',
    plan: planStudio({ failures: { 'jobs.list': makeFailure('E-184') } }),
    proof: (page) => page.getByRole('main').getByRole('alert'),
  },
  {
    name: 'thousands of files being added, and a cost that was never told',
    plan: planStudio({
      jobs: [
        someJob('a', { tag: 'waiting', placeInQueue: 1 }),
        someJob('b', { tag: 'preparing' }, { durationMs: null }),
      ],
      queue: { ...noQueue, isHeld: true },
      answers: {
        'usage.rate': { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null },
      },
      waits: ['jobs.addPicked'],
    }),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyO');
      await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addPicked'));
      await emitEvent(page, 'files.adding', { doneCount: 4_800, totalCount: 20_000 });
    },
    proof: (page) => page.getByRole('main').getByRole('progressbar').first(),
  },
];
