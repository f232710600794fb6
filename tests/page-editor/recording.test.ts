import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { someConnection, someSettings } from '../support/studio-plan.ts';
import { noticesOf, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, fixture, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const without = detailOf(transcript, null, {
  sourceName: 'suhbat.srt',
  mediaFailure: makeFailure('file-unreadable', { code: 'no_recording' }),
});
const nothing = { mediaUrl: null, mediaToken: null, pictureUrl: null, recordingName: null };
const notAudio = (name: string) => makeFailure('not-a-recording', { code: 'not_audio', params: { name } });
/** What main answers when a recording was found. */
const found = (recordingName: string | null = null) => {
  const { mediaUrl, mediaToken } = rig.detailOf(transcript);
  return { mediaUrl, mediaToken, recordingName, failure: null };
};
const locates = (page: Page, answer: object) =>
  page.evaluate((next) => window.fakeStudio.setAnswer('transcripts.locateMedia', next), answer);

/** Drags files over the text; the names tell what they are. */
const drag = (page: Page, type: 'dragover' | 'drop', ...names: readonly string[]) =>
  page
    .locator('[data-text]')
    .first()
    .evaluate(
      (text, { event, files }) => {
        const dataTransfer = new DataTransfer();
        for (const name of files)
          dataTransfer.items.add(new File(['x'], name, { type: name.endsWith('.mp3') ? 'audio/mpeg' : '' }));
        text.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
      },
      { event: type, files: names },
    );

test('without its recording the text is read, and the recording is located, at the second try too', async () => {
  const notFound = makeFailure('file-unreadable', { params: { name: 'suhbat.mp3' } });
  const { page } = await rig.open({
    detail: detailOf(transcript, null, { mediaFailure: notFound }),
    answers: { 'transcripts.locateMedia': { ...nothing, failure: notFound } },
  });
  await page.getByText('Recording not found.').waitFor();
  expect(await page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true);
  await page.locator('[data-text]').nth(2).click();
  for (const [key, at] of [
    ['Control+ArrowDown', 3],
    ['Control+ArrowDown', 4],
    ['Control+ArrowUp', 3],
  ] as const) {
    await page.keyboard.press(key);
    const shown = new Date(transcript.segments[at]?.startMs ?? -1).toISOString().slice(14, 23);
    await expect.poll(() => page.locator('[data-time] button').textContent()).toContain(shown);
  }
  await page.getByRole('button', { name: 'Locate the recording' }).click();
  await page.getByText('suhbat.mp3').waitFor();
  await locates(page, found('suhbat.mp3'));
  await page.getByRole('button', { name: 'Locate the recording' }).click();
  await waitForSound(page);
  expect(await page.getByText('Recording not found.').count()).toBe(0);
});

test('a recording that is dropped on a text without one is attached; a refused one is said', async () => {
  const { page } = await rig.open({
    detail: without,
    answers: {
      'transcripts.locateMedia': { ...nothing, failure: notAudio('film.mp3') },
      'transcripts.showRecording': {},
    },
  });
  await drag(page, 'dragover', 'film.mp3');
  await page.getByText('A recording will be attached to this transcript').waitFor();
  await drag(page, 'drop', 'film.mp3');
  await page.getByText('film.mp3').waitFor();
  expect((await callsOf(page, 'transcripts.locateMedia'))[0]?.token).toMatch(/^token-/u);
  await page.getByText('This transcript has no recording.').waitFor();
  await locates(page, found('film.wma'));
  await drag(page, 'drop', 'film.wma');
  await page.locator('[data-peaks="ready"]').waitFor();
  expect(await page.getByText('This transcript has no recording.').count()).toBe(0);
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.locator('dl').getByRole('button', { name: 'Show recording in folder' }).click();
  await expect.poll(() => callsOf(page, 'transcripts.showRecording')).toEqual([{ transcriptId: 't1' }]);
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
});

test('a recording that is shorter than its text is told and replaced, one request at a time', async () => {
  const short = rig.server.addRecording(fixture('two-sentences.mp3'));
  const { page } = await rig.open({
    detail: detailOf(transcript, short, { isAtService: false, sourceName: 'suhbat.srt', recordingName: 'suhbat.mp3' }),
    answers: { 'transcripts.locateMedia': { ...nothing, failure: notAudio('film.mp3') } },
  });
  const tooShort = page.getByText('The recording is shorter than the text.');
  await tooShort.waitFor();
  await page.getByRole('tab', { name: 'Info' }).click();
  const another = page.locator('dl').getByRole('button', { name: 'Attach another recording…' });
  await another.click();
  await noticesOf(page).getByText('film.mp3').waitFor();
  await locates(page, found('boshqa.mp3'));
  await page.evaluate(() => window.fakeStudio.hold('transcripts.locateMedia'));
  await another.click();
  await expect.poll(async () => (await callsOf(page, 'transcripts.locateMedia')).length).toBe(2);
  await another.click();
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.locateMedia'));
  await page.locator('dl').getByText('boshqa.mp3').waitFor();
  await tooShort.waitFor({ state: 'detached' });
  expect(await callsOf(page, 'transcripts.locateMedia')).toHaveLength(2);
});

test('the service gets a recording only after its price was agreed to, and nothing without a key', async () => {
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
    cutShort: [],
  };
  const { page } = await rig.open({
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
  const keyless = await rig.open({
    detail,
    settings: { ...someSettings, mode: 'local' },
    connection: { key: { ...someConnection.key, present: false } },
  });
  await keyless.page.getByRole('button', { name: 'made on this computer' }).click();
  await keyless.page.getByText('GigaAM Multilingual e08e27ae').waitFor();
  await keyless.page.keyboard.press('Escape');
  await keyless.page.getByRole('button', { name: 'Transcribe with the service instead' }).click();
  await expect.poll(() => keyless.page.url()).toContain('/account');
  expect(await callsOf(keyless.page, 'jobs.addRecordingOf')).toEqual([]);
});

test('what the key in use can’t delete at the service is not promised to be deleted there', async () => {
  for (const isAtService of [true, false]) {
    const { page } = await rig.open({ detail: detailOf(transcript, null, { isAtService }) });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete the transcript for good…' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(isAtService ? 'A minute later' : 'it stays there').waitFor();
    expect(await question.getByRole('switch').count()).toBe(isAtService ? 1 : 0);
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await expect
      .poll(() => callsOf(page, 'transcripts.delete'))
      .toEqual([{ transcriptId: 't1', atService: isAtService }]);
  }
});
