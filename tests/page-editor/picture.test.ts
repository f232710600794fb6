import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { axeViolations } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { isPlaying, playheadMs, seek, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const talk = fileURLToPath(new URL('../fixtures/video/talk.webm', import.meta.url));
const picture = (page: Page) => page.getByLabel('Picture of the video');
const awayMs = (page: Page) =>
  picture(page).evaluate((video: HTMLVideoElement) => {
    const sound = window.audioElements.at(-1);
    return Math.abs(video.currentTime - (sound?.currentTime ?? Number.NaN)) * 1000;
  });
const openVideo = async (more: Partial<Parameters<typeof rig.open>[0]> = {}, path = talk) => {
  const pictureUrl = `/media/${rig.server.addRecording(path)}`;
  const { page } = await rig.open({ detail: rig.detailOf(transcript, { pictureUrl }), ...more });
  await waitForSound(page);
  return page;
};
/** A window of its own for the picture: the browser of the tests has none. */
const fakeWindow = () => {
  Object.defineProperty(document, 'pictureInPictureEnabled', { value: true });
  HTMLVideoElement.prototype.requestPictureInPicture = function () {
    this.dispatchEvent(new Event('enterpictureinpicture'));
    document.exitPictureInPicture = () => Promise.resolve(void this.dispatchEvent(new Event('leavepictureinpicture')));
    return Promise.resolve({} as PictureInPictureWindow);
  };
};

test('the picture of a video goes with its sound: sought, played, at another speed and paused; its film is drawn', async () => {
  const page = await openVideo();
  await expect
    .poll(() => picture(page).evaluate((video: HTMLVideoElement) => [video.videoWidth, video.muted]))
    .toEqual([160, true]);
  await seek(page, 3000);
  await expect.poll(() => awayMs(page)).toBeLessThan(50);
  await page.keyboard.press('F4');
  await page.keyboard.press('Control+Space');
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(4500);
  await expect.poll(() => awayMs(page)).toBeLessThan(100);
  expect(await isPlaying(page)).toBe(true);
  await page.keyboard.press('Control+Space');
  await expect.poll(() => picture(page).evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  await expect.poll(() => awayMs(page)).toBeLessThan(50);
  const drawn = () =>
    page
      .locator('canvas')
      .evaluateAll((all) => all.filter((canvas) => (canvas as HTMLCanvasElement).height === 72).length);
  await expect.poll(drawn).toBe(24);
  expect(await axeViolations(page)).toEqual([]);
});

test('the picture is hidden by a key and its width is kept; one that can’t be decoded says so and leaves the text', async () => {
  const page = await openVideo();
  await picture(page).waitFor();
  await page.getByRole('separator', { name: 'Width of the picture' }).press('End');
  await expect.poll(() => callsOf(page, 'settings.update')).toContainEqual({ pictureWidth: 240 });
  expect((await picture(page).boundingBox())?.width).toBeLessThan(260);
  await page.keyboard.press('Alt+KeyV');
  await page.getByText('Picture hidden').waitFor();
  expect(await picture(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await picture(page).waitFor();

  const other = await openVideo({}, fileURLToPath(new URL('../fixtures/audio/README.md', import.meta.url)));
  await other.getByText('The picture of this video can’t be shown here.').waitFor();
  await other.locator('[data-text]').first().click();
  await other.keyboard.type('Ha ');
  await expect.poll(() => other.locator('[data-text]').first().textContent()).toContain('Ha ');
});

test('a detached picture leaves one line, plays on, and comes back when its window is closed', async () => {
  const page = await openVideo({ beforePage: fakeWindow });
  await page.getByRole('button', { name: 'Detach the picture' }).click();
  await page.getByText('Picture detached').waitFor();
  await seek(page, 2000);
  await expect.poll(() => awayMs(page)).toBeLessThan(50);
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByText('Picture detached').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Hide the picture' }).waitFor();
});
