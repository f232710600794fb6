import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { namesOfAll } from './support/too-fast.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const recordingMs = 40_288;

/** Where a time is in a lane that shows the whole recording. */
async function placeIn(page: Page) {
  const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (lane === null) throw new Error('no lane');
  return { x: (timeMs: number) => lane.x + (timeMs / recordingMs) * lane.width, y: lane.y + lane.height / 2 };
}

test('while an edge is dragged its segment follows, and beside it stand where it will be, the length, the speed and what it snapped to', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const { x, y } = await placeIn(page);
  const [segment, next] = [transcript.segments[7], transcript.segments[8]];
  const word = segment?.words.at(-1);
  if (segment === undefined || next === undefined || word === undefined) throw new Error('too few segments');
  const said = page.locator('[data-dragged-time]');
  const expected = (endMs: number, snapped: string) => {
    const lengthMs = endMs - segment.startMs;
    const speed = ((segment.text.length * 1000) / lengthMs).toFixed(1);
    const beside = Number(speed) > 17 ? ', limit 17' : '';
    return `${timeCode(endMs)} · ${(lengthMs / 1000).toFixed(2)} s · ${speed} CPS${beside} · ${snapped}`;
  };
  /** Whether the cap of a segment is painted at a time. */
  const isPainted = (timeMs: number) =>
    page.locator(':has(> [data-edges]) > canvas').evaluate((canvas: HTMLCanvasElement, part) => {
      const at = canvas.getContext('2d')?.getImageData(Math.round(part * canvas.width), 27, 1, 1);
      return (at?.data[3] ?? 0) > 200;
    }, timeMs / recordingMs);
  const between = (word.startMs + segment.endMs) / 2;
  await expect.poll(() => isPainted(between)).toBe(true);
  await page.mouse.move(x(segment.endMs) - 2, y);
  await page.mouse.down();
  await page.mouse.move(x(word.startMs) + 1, y, { steps: 4 });
  await expect.poll(() => said.textContent()).toBe(expected(word.startMs, 'word'));
  await expect.poll(() => isPainted(between)).toBe(false);
  expect(await page.locator('[data-hover-time]').last().isVisible()).toBe(false);
  // Beyond the neighbour it stays where there is room.
  await page.keyboard.down('Shift');
  await page.mouse.move(x(next.startMs) + 60, y, { steps: 4 });
  await expect.poll(() => said.textContent()).toBe(expected(next.startMs, 'segment'));
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[7]?.endMs).toBe(next.startMs);
  expect(await said.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('while an edge is dragged and in the margin, the speed is that of the segment, and the badge has that of its caption', async () => {
  const { page, complaints, close } = await rig.openText(transcript, {
    settings: { ...namesOfAll, checksCaptions: true, showsExactTimes: true },
  });
  const { x, y } = await placeIn(page);
  // Another person begins to speak, so the caption has a name.
  const at = transcript.segments.findIndex(
    ({ speakerId }, index) => index > 0 && speakerId !== transcript.segments[index - 1]?.speakerId,
  );
  const segment = transcript.segments[at];
  if (segment === undefined) throw new Error('only one speaker');
  await page.mouse.move(x(segment.endMs) - 2, y);
  await page.mouse.down();
  await page.keyboard.down('Shift');
  await page.mouse.move(x(segment.endMs - 500), y, { steps: 4 });
  const said = page.locator('[data-dragged-time]');
  await expect.poll(() => said.textContent()).toMatch(/[\d.]+ CPS/u);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const endMs = async () => (await onDisk(page, transcript)).segments[at]?.endMs ?? 0;
  await expect.poll(endMs).toBeLessThan(segment.endMs);
  const speed = ((segment.text.length * 1000) / ((await endMs()) - segment.startMs)).toFixed(1);
  const row = page.locator(`[data-index="${String(at)}"]`);
  await row.locator('[data-exact-times]').getByText(`${speed} CPS`).waitFor();
  const badge = row.getByText('CPS with the name, limit 17');
  await badge.waitFor();
  expect(Number.parseFloat((await badge.textContent()) ?? '')).not.toBe(Number(speed));
  expect(complaints).toEqual([]);
  await close();
});

test('an edge that is dragged over its own segment stops where the segment can still be taken', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const { x, y } = await placeIn(page);
  const segment = transcript.segments[7];
  if (segment === undefined) throw new Error('too few segments');
  await page.mouse.move(x(segment.startMs) + 2, y);
  await page.mouse.down();
  await page.keyboard.down('Shift');
  await page.mouse.move(x(segment.endMs - 100), y, { steps: 4 });
  await expect.poll(() => page.locator('[data-dragged-time]').textContent()).toMatch(/ · 0\.30 s · /u);
  await page.mouse.move(x(segment.endMs) + 80, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[7]?.startMs).toBe(segment.endMs - 300);
  expect(complaints).toEqual([]);
  await close();
});

test('who waits at an edge is told that Alt takes the neighbour’s edge along, which keeps the gap and is one step, as by key', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  const { x, y } = await placeIn(page);
  const [segment, next] = [transcript.segments[7], transcript.segments[8]];
  if (segment === undefined || next === undefined) throw new Error('too few segments');
  const edges = async () => {
    const { segments } = await onDisk(page, transcript);
    return [segments[7]?.endMs, segments[8]?.startMs];
  };
  const before = [segment.endMs, next.startMs];
  await page.mouse.move(x(segment.endMs) - 2, y);
  await page.getByText('Alt: the neighbour’s edge too').waitFor();
  await page.mouse.down();
  await page.keyboard.down('Alt');
  await page.keyboard.down('Shift');
  await page.mouse.move(x(segment.endMs - 300) - 2, y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.keyboard.up('Alt');
  await expect.poll(async () => (await edges())[0] ?? Infinity).toBeLessThan(segment.endMs - 200);
  const [endMs = 0, startMs = 0] = await edges();
  expect(startMs - endMs).toBe(next.startMs - segment.endMs);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(edges).toEqual(before);
  await texts.nth(7).click();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Control+Shift+Comma');
  await expect.poll(edges).toEqual(before.map((ms) => ms - 30));
  await page.keyboard.press('Control+Shift+Period');
  await expect.poll(edges).toEqual(before.map((ms) => ms - 20));
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(edges).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
});
