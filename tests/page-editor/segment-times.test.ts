import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import { onDisk, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const third = transcript.segments[2] ?? { startMs: 0, endMs: 0 };

/** The fields of the third segment. */
async function open() {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  await waitForSound(page);
  await page.locator('[data-text]').nth(2).click();
  await page.getByRole('tab', { name: 'Info' }).click();
  const fields = page.locator('[data-segment-times] input[type="text"]');
  const [start, end] = [fields.nth(0), fields.nth(1)];
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs));
  return { page, complaints, close, start, end };
}
const thirdOnDisk = async (page: Page) => (await onDisk(page, transcript)).segments[2];

test('a time on the wrong side of the other one, or beyond the recording, is refused at its field, and nothing changes', async () => {
  const { page, complaints, close, start, end } = await open();
  await end.fill(timeCode(third.startMs - 2000));
  await end.press('Enter');
  await page.getByText(`The end has to be after the start, ${timeCode(third.startMs)}`).waitFor();
  expect(await end.getAttribute('aria-invalid')).toBe('true');
  await end.fill(timeCode(third.startMs + 20));
  await end.press('Enter');
  await page.getByText('The end has to be after the start').waitFor();
  await end.fill(timeCode(third.endMs));
  await end.press('Enter');
  await expect.poll(() => page.getByText('The end has to be after the start').count()).toBe(0);
  await start.fill(timeCode(third.endMs));
  await start.press('Enter');
  await page.getByText(`The start has to be before the end, ${timeCode(third.endMs)}`).waitFor();
  await start.fill('59:00');
  await start.press('Enter');
  await page.getByText(/^The recording ends at 00:40/u).waitFor();
  await start.fill(timeCode(third.startMs + 100));
  await start.press('Enter');
  await expect.poll(() => thirdOnDisk(page)).toMatchObject({ startMs: third.startMs + 100, endMs: third.endMs });
  expect(complaints).toEqual([]);
  await close();
});

test('undo in a time field takes its own letters back first, and the last step of the text when there are none', async () => {
  const { page, complaints, close, start } = await open();
  await start.fill(timeCode(third.startMs + 100));
  await start.press('Enter');
  await expect.poll(async () => (await thirdOnDisk(page))?.startMs).toBe(third.startMs + 100);
  await start.press('Control+z');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs));
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await start.press('Control+Shift+z');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs + 100));
  await start.press('End');
  await start.press('5');
  await start.press('Control+z');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs + 100));
  await start.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('a time that stops at the end of the recording says so, and one that stops at a neighbour says that', async () => {
  const { page, complaints, close, end } = await open();
  await end.fill('00:39.000');
  await end.press('Enter');
  await page.getByText(/there is no room beyond the neighbouring segment/u).waitFor();
  await end.press('Control+z');
  await page.getByText('Shift everything after').click();
  await end.fill('00:39.000');
  await end.press('Enter');
  await page.getByText(/nothing can be moved beyond the end of the recording/u).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('Alt+T selects the time, and Escape puts back what was typed over it', async () => {
  const { page, complaints, close, start } = await open();
  await page.locator('[data-text]').nth(2).click();
  await page.keyboard.press('Alt+t');
  await expect.poll(() => start.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('abc');
  await expect.poll(() => start.inputValue()).toBe('abc');
  await page.keyboard.press('Enter');
  expect(await start.getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs));
  expect(await start.getAttribute('aria-invalid')).toBeNull();
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('the last end of subtitles without a recording can be as late as is typed, and later by key', async () => {
  const last = transcript.segments.at(-1) ?? { endMs: 0 };
  const detail = {
    ...detailOf(transcript, null),
    sourceName: 'suhbat.srt',
    mediaFailure: makeFailure('E-010', { code: 'no_recording' }),
  };
  const { page, close } = await rig.open({ detail, answers: { 'transcripts.edit': { revision: 0 } } });
  await page.locator(`[data-text="${transcript.segments.at(-1)?.id ?? ''}"]`).click();
  await page.getByRole('tab', { name: 'Info' }).click();
  const end = page.locator('[data-segment-times] input[type="text"]').nth(1);
  await expect.poll(() => end.inputValue()).toBe(timeCode(last.endMs));
  await end.fill(timeCode(last.endMs + 60_000));
  await end.press('Enter');
  const endOnDisk = async () => (await onDisk(page, transcript)).segments.at(-1)?.endMs;
  await expect.poll(endOnDisk).toBe(last.endMs + 60_000);
  await end.press('ArrowUp');
  await expect.poll(endOnDisk).toBe(last.endMs + 60_010);
  await close();
});
