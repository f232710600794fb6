import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { someConnection, someSettings } from '../support/studio-plan.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const detail = detailOf(transcript, null, {
  madeBy: { origin: 'local', model: 'GigaAM Multilingual e08e27ae' },
  isAtService: false,
  recordingName: 'suhbat.mp3',
  mediaUrl: '/media/none',
});
const added = {
  jobIds: ['j9'],
  addedCount: 1,
  leftCount: 0,
  refused: [],
  refusedCount: 0,
  repeated: [],
  repeatedCount: 0,
};

test('a text that was made on this computer says with what and when', async () => {
  const { page, close } = await rig.open({ detail, settings: { ...someSettings, mode: 'local' } });
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByText(/^GigaAM Multilingual e08e27ae, on this computer, .*2026/u).waitFor();
  await close();
});

test('the service gets its recording only after the price was seen and agreed to, and the text stays', async () => {
  const { page, complaints, close } = await rig.open({
    detail,
    answers: {
      'jobs.addRecordingOf': added,
      'usage.rate': { creditsPerHour: '60', sampleCount: 3, creditsPerGigabyte: null },
    },
  });
  await page.getByRole('button', { name: 'Transcribe with the service instead' }).click();
  await page.getByText(/as a new order for about \d+ credit/u).waitFor();
  expect(await callsOf(page, 'jobs.addRecordingOf')).toEqual([]);
  await page.getByRole('button', { name: 'Send and pay' }).click();
  await expect
    .poll(() => callsOf(page, 'jobs.addRecordingOf'))
    .toMatchObject([{ transcriptId: 't1', options: { kind: 'transcribe', language: 'uz' } }]);
  expect(complaints).toEqual([]);
  await close();
});

test('without a key it leads to what a key adds, and nothing is sent', async () => {
  const { page, close } = await rig.open({
    detail,
    settings: { ...someSettings, mode: 'local' },
    connection: { key: { ...someConnection.key, present: false } },
  });
  await page.getByRole('button', { name: 'Transcribe with the service instead' }).click();
  await expect.poll(() => page.url()).toContain('/account');
  expect(await callsOf(page, 'jobs.addRecordingOf')).toEqual([]);
  await close();
});
