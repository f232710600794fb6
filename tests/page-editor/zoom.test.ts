import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { isPlaying, playheadMs } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

async function laneOf(page: Page) {
  const box = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (box === null) throw new Error('no lane');
  return { ...box, at: (part: number) => [box.x + part * box.width, box.y + box.height / 2] as const };
}

/** What stands beside the pointer, in milliseconds. */
async function hoveredMs(page: Page): Promise<number> {
  const shown = await page.locator('[data-hover-time]:not([hidden]) span').last().textContent();
  const [minutes = '', seconds = ''] = (shown ?? '').split(':');
  return Math.round((Number(minutes) * 60 + Number(seconds)) * 1000);
}

test('the wheel zooms around the pointer, and the time beside it stays the one under it', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const lane = await laneOf(page);
  await page.mouse.move(...lane.at(0.7));
  const before = await hoveredMs(page);
  expect(Math.abs(before - 0.7 * transcript.durationMs)).toBeLessThan(200);
  await page.keyboard.down('Control');
  for (let notch = 0; notch < 3; notch += 1) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(() => page.getByRole('button', { name: 'Zoom out' }).isEnabled()).toBe(true);
  await expect.poll(async () => Math.abs((await hoveredMs(page)) - before)).toBeLessThan(100);
  // A click tells what is really there.
  await page.mouse.click(...lane.at(0.7));
  await expect.poll(async () => Math.abs((await playheadMs(page)) - before)).toBeLessThan(100);
  await page.mouse.wheel(200, 0);
  await expect.poll(() => hoveredMs(page)).toBeGreaterThan(before + 200);
  const scrolled = await hoveredMs(page);
  await page.mouse.click(...lane.at(0.7));
  await expect.poll(async () => Math.abs((await playheadMs(page)) - scrolled)).toBeLessThan(100);
  expect(complaints).toEqual([]);
  await close();
});

test('the wheel zooms around the pointer during playback too', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const lane = await laneOf(page);
  await page.mouse.move(...lane.at(0.8));
  const before = await hoveredMs(page);
  await page.keyboard.press('Control+Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await page.keyboard.down('Control');
  for (let notch = 0; notch < 4; notch += 1) await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await expect.poll(() => page.getByRole('button', { name: 'Zoom out' }).isEnabled()).toBe(true);
  const zoomedAt = await playheadMs(page);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(zoomedAt + 200);
  expect(Math.abs((await hoveredMs(page)) - before)).toBeLessThan(200);
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['away from the playhead', 5, 3000],
  ['to the end', 5, 100_000],
  ['to the end of a recording that fits almost', 1, 100_000],
])('a lane that was scrolled %s shows the same part in a window of another size', async (_where, steps, pixels) => {
  const { page, complaints, close } = await rig.openText(transcript);
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  for (let step = 0; step < steps; step += 1) await zoomIn.click();
  const part = async () => {
    const lane = await laneOf(page);
    await page.mouse.move(...lane.at(0.01));
    const fromMs = await hoveredMs(page);
    await page.mouse.move(...lane.at(0.99));
    return { fromMs, toMs: await hoveredMs(page) };
  };
  await page.mouse.move(...(await laneOf(page)).at(0.5));
  await page.mouse.wheel(pixels, 0);
  await expect.poll(async () => (await part()).fromMs).toBeGreaterThan(10_000);
  const before = await part();
  for (const width of [900, 1500]) {
    const { width: unlike } = await laneOf(page);
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => (await laneOf(page)).width).not.toBe(unlike);
    // Wavesurfer notices a moment later.
    await expect
      .poll(async () => {
        const { fromMs, toMs } = await part();
        return Math.max(Math.abs(fromMs - before.fromMs), Math.abs(toMs - before.toMs));
      })
      .toBeLessThan(50);
  }
  expect(complaints).toEqual([]);
  await close();
});

test('keys zoom around a playhead that is in view', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const lane = await laneOf(page);
  await page.mouse.click(...lane.at(0.6));
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(1000);
  const playhead = await playheadMs(page);
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  await zoomIn.click();
  await zoomIn.click();
  await page.mouse.move(...lane.at(0.6));
  await expect.poll(async () => Math.abs((await hoveredMs(page)) - playhead)).toBeLessThan(200);
  expect(complaints).toEqual([]);
  await close();
});

test('a wheel that has nothing to scroll leaves following on, and one that scrolls switches it off', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const follows = page.getByRole('button', { name: 'Follow playback' });
  const lane = await laneOf(page);
  await page.mouse.move(...lane.at(0.5));
  await page.mouse.wheel(0, 200);
  await painted(page);
  expect(await follows.getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Alt+Equal');
  await expect.poll(() => page.getByRole('button', { name: 'Zoom out' }).isEnabled()).toBe(true);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => follows.getAttribute('aria-pressed')).toBe('false');
  expect(complaints).toEqual([]);
  await close();
});
