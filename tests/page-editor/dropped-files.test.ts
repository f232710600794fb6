import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const without = detailOf(transcript, null, {
  sourceName: 'suhbat.srt',
  mediaFailure: makeFailure('E-010', { code: 'no_recording' }),
});

/** Drags files over the text; the names tell what they are. */
const drag = (page: Page, type: 'dragover' | 'drop', ...names: readonly string[]) =>
  page
    .locator('[data-text]')
    .first()
    .evaluate(
      (text, { type, names }) => {
        const dataTransfer = new DataTransfer();
        for (const name of names)
          dataTransfer.items.add(new File(['x'], name, { type: name.endsWith('.mp3') ? 'audio/mpeg' : '' }));
        text.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      { type, names },
    );

test('a recording that is dropped on a transcript without one is attached to it, and a refused one is said', async () => {
  const refused = makeFailure('E-211', { code: 'not_audio', params: { name: 'film.mp3' } });
  const nothing = { mediaUrl: null, mediaToken: null, recordingName: null };
  const answers = { 'transcripts.locateMedia': { ...nothing, failure: refused } };
  const { page, complaints, close } = await rig.open({ detail: without, answers });
  await drag(page, 'dragover', 'film.mp3');
  await page.getByText('A recording will be attached to this transcript').waitFor();
  await drag(page, 'drop', 'film.mp3');
  await page.getByText('A recording will be attached to this transcript').waitFor({ state: 'detached' });
  await expect.poll(() => callsOf(page, 'transcripts.locateMedia')).toMatchObject([{ transcriptId: 't1' }]);
  expect((await callsOf(page, 'transcripts.locateMedia'))[0]?.token).toMatch(/^token-/u);
  await page.getByText('This transcript has no recording.').waitFor();
  await page.getByText('film.mp3').waitFor();
  const token = rig.server.addRecording(sample('interview-uz.mp3'));
  await page.evaluate((found) => window.fakeStudio.setAnswer('transcripts.locateMedia', found), {
    mediaUrl: `/media/${token}`,
    mediaToken: token,
    recordingName: 'film.mp3',
    failure: null,
  });
  await drag(page, 'drop', 'film.mp3');
  await page.locator('[data-peaks="ready"]').waitFor();
  expect(await page.getByText('This transcript has no recording.').count()).toBe(0);
  await page.getByRole('tab', { name: 'Info' }).click();
  const facts = await page.locator('dl').locator('dt, dd').allTextContents();
  expect(facts.slice(0, 4)).toEqual(['Imported from', 'suhbat.srt', 'Attached recording', 'film.mp3']);
  await page.evaluate(() => window.fakeStudio.setAnswer('transcripts.showRecording', {}));
  await page.locator('dl').getByRole('button', { name: 'Show recording in folder' }).click();
  await expect.poll(() => callsOf(page, 'transcripts.showRecording')).toEqual([{ transcriptId: 't1' }]);
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('texts that are dropped on a transcript are imported, and several recordings are added to the queue', async () => {
  const answers = { 'transcripts.import': { imported: [], refused: [], repeated: [] } };
  const { page, close } = await rig.open({ detail: without, answers });
  await drag(page, 'drop', 'one.srt', 'notes.md');
  await expect.poll(async () => (await callsOf(page, 'transcripts.import'))[0]?.tokens?.length).toBe(2);
  await drag(page, 'drop', 'one.mp3', 'two.mp3');
  await page.getByRole('heading', { name: 'Transcribe', exact: true }).waitFor();
  await expect.poll(async () => (await callsOf(page, 'jobs.addDropped'))[0]?.tokens.length).toBe(2);
  expect(await callsOf(page, 'transcripts.locateMedia')).toEqual([]);
  await close();
});

test('a recording that is dropped on a transcript with one is added to the queue', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  await drag(page, 'dragover', 'other.mp3');
  await page.getByText('Recordings will go to Transcribe').waitFor();
  await drag(page, 'drop', 'other.mp3');
  await page.getByRole('heading', { name: 'Transcribe', exact: true }).waitFor();
  await expect.poll(async () => (await callsOf(page, 'jobs.addDropped'))[0]?.tokens.length).toBe(1);
  expect(complaints).toEqual([]);
  await close();
});

test('a dropped file that is not added leads nowhere, and says why', async () => {
  const refused = [
    { name: 'buzuq.mp3', failure: makeFailure('E-211', { code: 'not_audio', params: { name: 'buzuq.mp3' } }) },
  ];
  const added = { jobIds: [], addedCount: 0, leftCount: 0, refused, refusedCount: 1, repeated: [], repeatedCount: 0 };
  const { page, texts, complaints, close } = await rig.openText(transcript, { answers: { 'jobs.addDropped': added } });
  await drag(page, 'drop', 'buzuq.mp3');
  const notice = page.locator('[data-pane="notices"]');
  await notice.getByText('buzuq.mp3').waitFor();
  expect(await texts.first().isVisible()).toBe(true);
  expect(await page.getByRole('heading', { name: 'Transcribe', exact: true }).count()).toBe(0);
  await page.evaluate((found) => window.fakeStudio.setAnswer('jobs.addDropped', found), {
    ...added,
    refused: [...refused, ...refused],
    refusedCount: 2,
  });
  await drag(page, 'drop', 'buzuq.mp3', 'yozuv.pdf');
  await notice.getByText('2 files skipped. Doesn’t look like audio').waitFor();
  const empty = {
    name: 'bosh.mp3',
    failure: makeFailure('E-211', { code: 'empty_file', params: { name: 'bosh.mp3' } }),
  };
  await page.evaluate((found) => window.fakeStudio.setAnswer('jobs.addDropped', found), {
    ...added,
    refused: [empty, ...refused],
    refusedCount: 3,
  });
  await page.clock.install();
  await drag(page, 'drop', 'bosh.mp3', 'buzuq.mp3', 'yozuv.pdf');
  const mixed = notice.getByText('3 files skipped. bosh.mp3 is empty');
  await mixed.waitFor();
  await page.clock.fastForward(18_000);
  expect(await mixed.count()).toBe(1);
  await page.clock.fastForward(3_000);
  await mixed.waitFor({ state: 'detached' });
  expect(await texts.first().isVisible()).toBe(true);
  await drag(page, 'drop', 'bosh.mp3', 'buzuq.mp3', 'yozuv.pdf');
  await notice.getByRole('button', { name: 'Show' }).last().click();
  await page.getByRole('heading', { name: 'Transcribe', exact: true }).waitFor();
  await page.getByText('9 files skipped').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('adding dropped recordings that takes long shows its progress in the queue', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  await page.evaluate(() => {
    window.fakeStudio.hold('jobs.addDropped');
  });
  await drag(page, 'drop', 'one.mp3', 'two.mp3');
  await expect.poll(async () => (await callsOf(page, 'jobs.addDropped')).length).toBe(1);
  await page.getByRole('heading', { name: 'Transcribe', exact: true }).waitFor();
  await page.evaluate(() => {
    window.fakeStudio.letGo('jobs.addDropped');
  });
  expect(complaints).toEqual([]);
  await close();
});

test('a recording whose type the system does not know is attached too', async () => {
  const nothing = { mediaUrl: null, mediaToken: null, recordingName: null };
  const { page, close } = await rig.open({
    detail: without,
    answers: { 'transcripts.locateMedia': { ...nothing, failure: null } },
  });
  await drag(page, 'drop', 'suhbat.wma');
  await expect.poll(async () => (await callsOf(page, 'transcripts.locateMedia')).length).toBe(1);
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
  await close();
});

test('where the sound of a video was removed, a dropped recording that is refused is said too', async () => {
  const nothing = { mediaUrl: null, mediaToken: null, recordingName: null };
  const detail = detailOf(transcript, null, { mediaFailure: makeFailure('E-010', { code: 'sound_removed' }) });
  const failure = makeFailure('E-011', { code: 'other_recording' });
  const { page, close } = await rig.open({ detail, answers: { 'transcripts.locateMedia': { ...nothing, failure } } });
  await drag(page, 'drop', 'film.mp3');
  await page.getByText('This is not the recording that was transcribed').waitFor();
  await close();
});

test('the recording of an imported text can be replaced by another one, and why one is refused is said', async () => {
  const token = rig.server.addRecording(sample('interview-uz.mp3'));
  const refused = makeFailure('E-211', { code: 'not_audio', params: { name: 'film.mp3' } });
  const nothing = { mediaUrl: null, mediaToken: null, recordingName: null };
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, token, { sourceName: 'suhbat.srt', recordingName: 'suhbat.mp3' }),
    answers: { 'transcripts.locateMedia': { ...nothing, failure: refused } },
  });
  await page.getByRole('tab', { name: 'Info' }).click();
  const another = page.locator('dl').getByRole('button', { name: 'Attach another recording…' });
  await another.click();
  await page.locator('[data-pane="notices"]').getByText('film.mp3').waitFor();
  const other = { mediaUrl: `/media/${token}`, mediaToken: token, recordingName: 'boshqa.mp3', failure: null };
  await page.evaluate((found) => window.fakeStudio.setAnswer('transcripts.locateMedia', found), other);
  await page.evaluate(() => window.fakeStudio.hold('transcripts.locateMedia'));
  await another.click();
  await expect.poll(async () => (await callsOf(page, 'transcripts.locateMedia')).length).toBe(2);
  // It is still read, and no third one is asked for.
  await another.click();
  await page.evaluate(() => window.fakeStudio.letGo('transcripts.locateMedia'));
  await page.locator('dl').getByText('boshqa.mp3').waitFor();
  expect(await callsOf(page, 'transcripts.locateMedia')).toEqual(
    ['t1', 't1'].map((transcriptId) => ({ transcriptId, token: null })),
  );
  expect(complaints).toEqual([]);
  await close();
});
