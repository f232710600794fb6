import { fileURLToPath } from 'node:url';
import type { IsolatedAudio } from '../../renderer/bridge/types.ts';
import type { Page } from '@playwright/test';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { serveBuiltPage } from '../support/serve-built-page.ts';

const nowMs = Date.now();

const job = (id: string, name: string, durationMs: number, state: JobView['state'], seq = 1): JobView => ({
  id,
  seq,
  name,
  sizeBytes: 184_000_000,
  durationMs,
  kind: 'isolate',
  restoresSpeech: false,
  addedAtMs: nowMs - seq * 60_000,
  rank: seq,
  state,
});

/** Rows in every state; one is done. */
export const isolatedJobs: readonly JobView[] = [
  job('large', 'Buxoro, hovli suhbati 1.wav', 2_335_000, {
    tag: 'failed',
    failure: makeFailure('file-too-large', { code: 'file_too_large', outcome: 'not_sent', layer: 'local' }),
    hasRawAnswer: false,
  }),
  job('failed', 'Dala yozuvi 17 (shamol).m4a', 1_442_000, {
    tag: 'failed',
    failure: makeFailure('recording-unprocessable', { code: 'model_unavailable', requestId: 'req_8f21c07a' }),
    hasRawAnswer: false,
  }),
  job('held', 'Интервью с реставратором.mp3', 1_841_000, { tag: 'queued-at-service', sinceMs: nowMs - 360_000 }, 2),
  job(
    'working',
    'Qorakoʻl bozori, ertalab.wav',
    3_130_000,
    { tag: 'processing', sinceMs: nowMs - 240_000, rawStatus: 'processing' },
    3,
  ),
  job(
    'sending',
    'Buxoro gilamlari, 3-qism.wav',
    1_564_000,
    { tag: 'uploading', sentBytes: 132_000_000, totalBytes: 184_000_000, sinceMs: nowMs - 50_000 },
    5,
  ),
  job('waiting', 'Shofirkon, beshik.m4a', 707_000, { tag: 'waiting', placeInQueue: 2 }, 6),
  {
    ...job(
      'done',
      'Bozordagi intervyu, Chorsu.wav',
      30_000,
      { tag: 'done', audioId: 'audio-1', finishedAtMs: nowMs - 90_000 },
      7,
    ),
    isExcerpt: true,
    part: { startMs: 410_000, endMs: 440_000 },
  } as JobView,
  job('cancelled', 'Ovoz 012.m4a', 499_000, { tag: 'cancelled', isAcceptedByService: true }, 8),
];

/** Another stretch of the recording that is done. */
export const beingCleaned = {
  ...job('again', 'Bozordagi intervyu, Chorsu.wav', 30_000, { tag: 'processing', sinceMs: nowMs, rawStatus: null }, 9),
  isExcerpt: true,
  part: { startMs: 800_000, endMs: 830_000 },
} as JobView;

/** Long enough to wait for a press. */
export const restingJobs: readonly JobView[] = [1, 2].map((number) =>
  job(
    `resting-${String(number)}`,
    `Uzun suhbat ${String(number)}.m4a`,
    2_900_000,
    { tag: 'paused', sentBytes: 0, totalBytes: 0 },
    9 + number,
  ),
);

/** A result as `isolation.open` answers; its files are `/media/noisy` and `/media/isolated`. */
export const isolatedAudio = (part: IsolatedAudio['part']): IsolatedAudio => ({
  audioId: 'audio-1',
  jobId: 'done',
  title: 'Bozordagi intervyu, Chorsu',
  sourceName: 'Bozordagi intervyu, Chorsu.wav',
  createdAtMs: nowMs - 90_000,
  durationMs: 15_456,
  recordingMs: 15_456,
  credits: '19',
  restoresSpeech: true,
  original: { url: '/media/noisy', sizeBytes: 202_000_000 },
  isolated: { url: '/media/isolated', sizeBytes: 17_000_000 },
  variant: null,
  transcripts: [{ transcriptId: 'transcript-1', title: 'Bozordagi intervyu, Chorsu', usesThis: false }],
  part,
  video: null,
  losesSubtitles: false,
});

let noisy: string | null = null;
/** Both recordings of a result are the noisy sample, with what main reads in them. */
export const playNoisy = (page: Page): Promise<unknown> =>
  page.route(/\/media\/(?:noisy|isolated)/u, async (route) => {
    const { addRecording } = await serveBuiltPage();
    noisy ??= addRecording(fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url)));
    await route.continue({
      url: route
        .request()
        .url()
        .replace(/noisy|isolated/u, noisy),
    });
  });

/** Opens the recording that is done. */
export const openDone = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('row', { name: 'Bozordagi intervyu, Chorsu.wav' }).getByText('Bozordagi').last().click();
};
