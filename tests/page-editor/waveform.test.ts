import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Settings } from '../../renderer/bridge/types.ts';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import type { Segment } from '../../shared/domain/transcript/transcript.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { drag, enter, laneOf, onDisk, playheadMs, seek } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const segmentAt = (at: number): Segment => {
  const segment = transcript.segments[at];
  if (segment === undefined) throw new Error('too few segments');
  return segment;
};
const [segment, next] = [segmentAt(7), segmentAt(8)];
const word = segment.words.at(-1) ?? segment;
const timesOf = async (page: Page, at: number) => {
  const { startMs, endMs } = (await onDisk(page, transcript)).segments[at] ?? {};
  return [startMs, endMs];
};
const selection = (page: Page) => page.getByRole('toolbar', { name: /^Selection/u });

test('a dragged edge snaps, is one step, is nudged, and with Alt takes its neighbour’s along', async () => {
  const { page, texts } = await rig.openText(transcript);
  const { at, middle } = await laneOf(page);
  for (const button of ['right', 'left'] as const) {
    await page.mouse.click(at(segment.endMs) - 2, middle, { button });
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  await expect.poll(() => texts.nth(7).evaluate((host) => host.closest('article')?.className)).toMatch(/current/u);
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(await playheadMs(page)).toBe(0);
  await drag(page, at(next.startMs) + 2, at(next.startMs + 1500), middle);
  await drag(page, at(segment.endMs) - 2, at(word.startMs) + 1, middle);
  await expect.poll(() => timesOf(page, 7)).toEqual([segment.startMs, word.startMs]);
  expect((await timesOf(page, 8))[0]).toBeGreaterThan(next.startMs + 1000);
  expect(await selection(page).count()).toBe(0);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => timesOf(page, 7)).toEqual([segment.startMs, word.startMs + 10]);
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);

  const edges = async () => [(await timesOf(page, 7))[1], (await timesOf(page, 8))[0]];
  const before = [segment.endMs, next.startMs];
  // A pointer that rests is told nothing of an edge that comes under it, and what is undone is drawn after it is stored.
  await expect
    .poll(async () => {
      for (const beside of [3, 2]) await page.mouse.move(at(segment.endMs) - beside, middle);
      return page.getByText('Alt: the neighbour’s edge too').isVisible();
    })
    .toBe(true);
  await page.keyboard.down('Alt');
  await page.keyboard.down('Shift');
  await drag(page, at(segment.endMs) - 2, at(segment.endMs - 300) - 2, middle);
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
  // Presses that follow each other soon are one step, and a busy machine presses slowly.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+KeyZ');
      return edges();
    })
    .toEqual(before);
});

/** The fields of the segment with the caret, or of the one that is heard. */
const fieldsOf = async (page: Page) => {
  await page.getByRole('tab', { name: 'Info' }).click();
  const fields = page.locator('[data-segment-times] input[type="text"]');
  return [fields.nth(0), fields.nth(1)] as const;
};
const focusedValue = (page: Page) =>
  page.evaluate(() => (document.activeElement instanceof HTMLInputElement ? document.activeElement.value : null));

test('typed times are of the current segment; a wrong one is refused, letters are undone first', async () => {
  const { page, texts } = await rig.openText(transcript);
  const third = segmentAt(2);
  const [start, end] = await fieldsOf(page);
  await texts.nth(2).click();
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs));
  // Another field takes the caret away; the segment stays the one that is meant.
  for (const [field, typed, refusal] of [
    [end, timeCode(third.startMs - 2000), `The end has to be after the start, ${timeCode(third.startMs)}`],
    [end, timeCode(third.startMs + 20), 'The end has to be after the start'],
    [start, timeCode(third.endMs), `The start has to be before the end, ${timeCode(third.endMs)}`],
    [start, '59:00', 'The recording ends at 00:40'],
    [start, 'soon', 'Use a time like'],
  ] as const) {
    await enter(field, typed);
    await page.getByText(refusal).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.press('Escape');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull();
  }
  expect(await onDisk(page, transcript)).toEqual(transcript);
  await enter(start, timeCode(third.startMs + 100));
  await expect.poll(() => timesOf(page, 2)).toEqual([third.startMs + 100, third.endMs]);
  await start.press('End');
  await start.press('5');
  await start.press('Control+z');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs + 100));
  await start.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await start.press('Control+Shift+z');
  await expect.poll(() => start.inputValue()).toBe(timeCode(third.startMs + 100));

  const [first, second] = [segmentAt(0), segmentAt(1)];
  await texts.first().click();
  await page.keyboard.press('Alt+KeyT');
  await expect.poll(() => focusedValue(page)).toBe(timeCode(first.startMs));
  for (const [typed, endMs] of [
    ['0:02,2', 2200],
    ['0:20', second.startMs],
    ['0:02.11', 2110],
  ] as const) {
    await enter(end, typed);
    await expect.poll(async () => (await timesOf(page, 0))[1]).toBe(endMs);
  }
  await page.getByText(/^Stopped at .* no room beyond the neighbouring segment/u).waitFor();
  await end.press('ArrowUp');
  await end.press('Shift+ArrowDown');
  await expect.poll(async () => (await timesOf(page, 0))[1]).toBe(2020);
  await page.getByText('Shift everything after').click();
  await enter(end, '0:02.520');
  await expect.poll(async () => (await timesOf(page, 1))[0]).toBe(second.startMs + 500);
  expect((await onDisk(page, transcript)).segments[1]?.words[0]?.startMs).toBe((second.words[0]?.startMs ?? 0) + 500);
  await enter(end, '00:39.000');
  await page.getByText(/nothing can be moved beyond the end of the recording/u).waitFor();
  expect(await axeViolations(page)).toEqual([]);
});

test('a recording is shown where it was left; the lane is a slider, and each place is kept', async () => {
  const { page } = await rig.openText(transcript, {
    settings: { editorPlaces: [{ id: 't1', timeMs: 30_000, visibleMs: 5000, rate: 1, topSegment: null }] },
  });
  const kept = async () =>
    ((await callsOf(page, 'settings.update')) as readonly Partial<Settings>[])
      .flatMap(({ editorPlaces = [] }) => editorPlaces)
      .at(-1)?.timeMs;
  const { x, width, middle } = await laneOf(page);
  await page.mouse.click(x + width / 2, middle);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(31_000);
  expect(await playheadMs(page)).toBeLessThan(33_000);
  await expect.poll(kept).toBeGreaterThan(31_000);
  await seek(page, 0);
  const slider = page.getByRole('slider', { name: 'Playback position' });
  await slider.press('Shift+ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('10 seconds, Speaker 2');
  await slider.press('Home');
  await expect.poll(kept).toBe(0);
});
