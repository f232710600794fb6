import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { goTo, lanePane, playheadMs, textPane, waitForSound, topSegment } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { longDetailOf, longTranscript, sample } from './support/transcripts.ts';

const rig = editorRig();

test('30,000 words open with a few of them in the page, follow until scrolled, and keep their place', async () => {
  const { page } = await rig.open(
    longDetailOf(longTranscript(1500), rig.server.addRecording(sample('interview-uz.mp3'))),
  );
  const read = (await callsOf(page, 'transcripts.readOn')).map(({ part }) => part);
  expect(read).toEqual(Array.from({ length: read.length }, (_, part) => part));
  expect(read.length).toBeGreaterThan(5);
  await waitForSound(page);
  const text = page.locator('[data-pane="text"]');
  await expect.poll(() => text.locator('*').count()).toBeLessThan(600);
  // The recording is shorter than the text says: the lane has to show its real length.
  const lane = await lanePane(page).boundingBox();
  await page.mouse.click((lane?.x ?? 0) + (lane?.width ?? 0) / 2, (lane?.y ?? 0) + 90);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(19_000);
  expect(await playheadMs(page)).toBeLessThan(22_000);
  const follow = page.getByRole('button', { name: 'Follow', exact: true });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await textPane(page).hover();
  await page.mouse.wheel(0, 20_000);
  await follow.waitFor();
  const isHeardSeen = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('ovoz-word-now') ?? [];
      const rect = range?.startContainer.parentElement?.getBoundingClientRect();
      return rect !== undefined && rect.bottom > 0 && rect.top < innerHeight;
    });
  await expect.poll(isHeardSeen).toBe(false);
  await follow.click();
  await expect.poll(isHeardSeen).toBe(true);
  await page.keyboard.press('Escape');

  await textPane(page).hover();
  await page.mouse.wheel(0, 30_000);
  const top = () => topSegment(page);
  await expect.poll(top).toBeGreaterThan(100);
  const left = await top();
  const times = page.locator('[data-exact-times]');
  await page.keyboard.press('Alt+m');
  await expect.poll(() => times.count()).toBeGreaterThan(3);
  expect(await times.count()).toBeLessThan(60);
  await expect.poll(top).toBe(left);
  await page.keyboard.press('Alt+m');
  await expect.poll(() => times.count()).toBe(0);
  await expect.poll(top).toBe(left);
  await goTo(page, '#/transcribe');
  await text.waitFor({ state: 'detached' });
  await page.goBack();
  await text.waitFor();
  await expect.poll(async () => Math.abs((await top()) - left)).toBeLessThan(2);
});
