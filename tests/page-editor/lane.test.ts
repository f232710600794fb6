import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { standardProfile } from '../../shared/domain/subtitles/profiles.ts';
import { timeCode } from '../../shared/domain/time/time-code.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { onDisk, playheadMs } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = (size = { width: 1280, height: 800 }, opened = transcript) => rig.openText(opened, { size });
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`no ${selector}`);
  return box;
};

test('the clock is a button and a key away from a field in which a time is typed, in the ways people write one', async () => {
  const { page, texts, complaints, close } = await open();
  const field = page.getByRole('textbox', { name: 'Go to a time…' });
  await page.getByRole('button', { name: 'Go to a time…' }).click();
  for (const [typed, timeMs] of [
    ['25', 25_000],
    ['0:20', 20_000],
    ['0:00:03.5', 3500],
  ] as const) {
    if (!(await field.isVisible())) await page.keyboard.press('Control+Shift+j');
    await field.fill(typed);
    await field.press('Enter');
    await expect.poll(() => playheadMs(page)).toBe(timeMs);
    expect(await field.count()).toBe(0);
  }
  await page.keyboard.press('Control+Shift+j');
  await field.fill('later');
  await field.press('Enter');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await page
    .getByRole('alert')
    .getByText(/^Use a time like \d/u)
    .waitFor();
  await field.press('Escape');
  await expect.poll(() => field.count()).toBe(0);
  expect(await playheadMs(page)).toBe(3500);
  // Who was typing goes on typing at that time.
  await texts.first().click();
  await page.keyboard.press('Control+Shift+j');
  const [, , , fourth] = transcript.segments;
  await field.fill(String((fourth?.startMs ?? 0) / 1000));
  await field.press('Enter');
  await page.keyboard.type('§');
  await expect.poll(() => texts.nth(3).textContent()).toBe(`§${fourth?.text ?? ''}`);
  expect(complaints).toEqual([]);
  await close();
});

test('the lane shows down to a second and a half, where an edge is moved by milliseconds and snaps only nearby', async () => {
  const { page, complaints, close } = await open();
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  while (await zoomIn.isEnabled()) await zoomIn.click();
  const edge = await boxOf(page, '[data-edge="end"]');
  const lane = await boxOf(page, '[data-pane="lane"] input[type="range"]');
  const [first] = transcript.segments;
  const x = edge.x + edge.width / 2;
  expect(x).toBeLessThan(lane.x + lane.width * 2);
  await page.locator('[data-pane="text"] > section').press('End');
  await page.locator('[data-pane="lane"] input[type="range"]').press('Home');
  const start = await boxOf(page, '[data-edge="start"]');
  const from = start.x + start.width / 2;
  const y = start.y + start.height / 2;
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move(from + 40, y, { steps: 4 });
  await page.mouse.up();
  const movedBy = async () => ((await onDisk(page, transcript)).segments[0]?.startMs ?? 0) - (first?.startMs ?? 0);
  const expected = (40 * 1500) / lane.width;
  await expect.poll(async () => Math.abs((await movedBy()) - expected)).toBeLessThan(20);
  expect(await movedBy()).toBeGreaterThan(20);
  expect(complaints).toEqual([]);
  await close();
});

test('a click or a right click on an edge of a segment moves nothing', async () => {
  const { page, complaints, close } = await open();
  const edge = await boxOf(page, '[data-edge="end"]');
  const y = edge.y + edge.height / 2;
  for (const beside of [1, edge.width - 1]) {
    await page.mouse.click(edge.x + beside, y, { button: 'right' });
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.mouse.click(edge.x + beside, y);
  }
  expect(await page.getByRole('button', { name: /^Undo/u }).isDisabled()).toBe(true);
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

const recordingMs = 40_288;
/** Where a time is in a lane that shows the whole recording. */
async function placeIn(page: Page) {
  const lane = await boxOf(page, '[data-pane="lane"] input[type="range"]');
  return { x: (timeMs: number) => lane.x + (timeMs / recordingMs) * lane.width, y: lane.y + lane.height / 2 };
}
async function drag(page: Page, from: number, to: number, y: number) {
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move((from + to) / 2, y, { steps: 3 });
  await page.mouse.move(to, y, { steps: 3 });
  await page.mouse.up();
}
const cursorAt = (page: Page, x: number, y: number) =>
  page.evaluate(
    ([left, top]) => {
      let at = document.elementFromPoint(left, top);
      while (at?.shadowRoot) at = at.shadowRoot.elementFromPoint(left, top);
      return at === null ? '' : getComputedStyle(at).cursor;
    },
    [x, y] as const,
  );

test('an edge of any segment is dragged, which snaps, is one step and makes that segment the current one', async () => {
  const { page, texts, complaints, close } = await open();
  const { x, y } = await placeIn(page);
  const [segment, next] = [transcript.segments[7], transcript.segments[8]];
  if (segment === undefined || next === undefined) throw new Error('too few segments');
  await page.mouse.move(x(segment.endMs) - 3, y);
  await expect.poll(() => cursorAt(page, x(segment.endMs) - 3, y)).toBe('ew-resize');
  await page.mouse.move(x(segment.endMs) - 20, y);
  await expect.poll(() => cursorAt(page, x(segment.endMs) - 20, y)).not.toBe('ew-resize');
  // A press alone changes nothing but which segment is meant.
  await page.mouse.click(x(segment.endMs) - 2, y);
  await expect
    .poll(() => texts.nth(7).evaluate((host) => host.closest('[data-index]')?.className ?? ''))
    .toMatch(/current/u);
  expect(await page.getByRole('button', { name: /^Undo/u }).isDisabled()).toBe(true);
  expect(await playheadMs(page)).toBe(0);
  const word = segment.words.at(-1);
  await drag(page, x(next.startMs) + 2, x(next.startMs + 1500), y);
  await drag(page, x(segment.endMs) - 2, x(word?.startMs ?? 0) + 1, y);
  const timesOf = async (at: number) => {
    const { startMs, endMs } = (await onDisk(page, transcript)).segments[at] ?? { startMs: -1, endMs: -1 };
    return [startMs, endMs];
  };
  await expect.poll(() => timesOf(7)).toEqual([segment.startMs, word?.startMs]);
  expect((await timesOf(8))[0]).toBeGreaterThan(next.startMs + 1000);
  expect(await page.getByRole('toolbar', { name: /^Selection/u }).count()).toBe(0);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => timesOf(7)).toEqual([segment.startMs, (word?.startMs ?? 0) + 10]);
  for (let steps = 0; steps < 3; steps += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('where two segments touch, each side of the line drags its own edge, Alt both, and beside it a selection begins', async () => {
  const last = transcript.segments.length - 1;
  const touching: Transcript = {
    ...transcript,
    segments: transcript.segments.map((one, at) =>
      at === 7 || at === last - 1 ? { ...one, endMs: transcript.segments[at + 1]?.startMs ?? one.endMs } : one,
    ),
  };
  const lineMs = touching.segments[7]?.endMs ?? 0;
  const { page, complaints, close } = await open(undefined, touching);
  const { x, y } = await placeIn(page);
  const line = async () => {
    const { segments } = await onDisk(page, touching);
    return [segments[7]?.endMs, segments[8]?.startMs].map((ms) => Math.sign((ms ?? 0) - lineMs));
  };
  await drag(page, x(lineMs) - 3, x(lineMs) - 40, y);
  await expect.poll(line).toEqual([-1, 0]);
  await page.keyboard.press('Control+z');
  await expect.poll(line).toEqual([0, 0]);
  await drag(page, x(lineMs) + 3, x(lineMs) + 40, y);
  await expect.poll(line).toEqual([0, 1]);
  await page.keyboard.press('Control+z');
  await expect.poll(line).toEqual([0, 0]);
  await page.keyboard.down('Alt');
  await drag(page, x(lineMs) - 3, x(lineMs) - 40, y);
  await page.keyboard.up('Alt');
  await expect.poll(line).toEqual([-1, -1]);
  // The start of the last segment, too.
  const lastLineMs = touching.segments[last]?.startMs ?? 0;
  await page.keyboard.down('Alt');
  await drag(page, x(lastLineMs) + 3, x(lastLineMs) - 40, y);
  await page.keyboard.up('Alt');
  await expect
    .poll(async () => {
      const { segments } = await onDisk(page, touching);
      return [segments[last - 1]?.endMs, segments[last]?.startMs].map((ms) => Math.sign((ms ?? 0) - lastLineMs));
    })
    .toEqual([-1, -1]);
  await page.keyboard.press('Control+z');
  const selection = page.getByRole('toolbar', { name: /^Selection/u });
  expect(await selection.count()).toBe(0);
  await page.keyboard.press('Control+z');
  await drag(page, x(lineMs) + 14, x(lineMs) + 60, y);
  await selection.waitFor();
  await expect.poll(line).toEqual([0, 0]);
  expect(complaints).toEqual([]);
  await close();
});

test('an edge dragged to its neighbour or beyond leaves the least gap of captions, and closes it with Shift', async () => {
  const { page, complaints, close } = await open();
  const { x, y } = await placeIn(page);
  const at = transcript.segments.findIndex(
    ({ endMs }, index) => (transcript.segments[index + 1]?.startMs ?? 0) - endMs > 300,
  );
  const [segment, next] = transcript.segments.slice(at);
  if (segment === undefined || next === undefined) throw new Error('no room between segments');
  const endMs = async () => (await onDisk(page, transcript)).segments[at]?.endMs;
  const leftMs = next.startMs - standardProfile('uz').gapMs;
  await drag(page, x(segment.endMs) - 2, x(next.startMs) + 30, y);
  await expect.poll(endMs).toBe(leftMs);
  await page.keyboard.down('Shift');
  await drag(page, x(leftMs) - 2, x(next.startMs) + 30, y);
  await page.keyboard.up('Shift');
  await expect.poll(endMs).toBe(next.startMs);
  expect(complaints).toEqual([]);
  await close();
});

test('an edge that is dragged farther than there is room says where it stopped', async () => {
  const { page, complaints, close } = await open();
  const { x, y } = await placeIn(page);
  const [segment, next] = [transcript.segments[7], transcript.segments[8]];
  if (segment === undefined || next === undefined) throw new Error('too few segments');
  await page.keyboard.down('Shift');
  await drag(page, x(segment.endMs) - 2, x(next.startMs) + 30, y);
  await page.getByText(`Stopped at ${timeCode(next.startMs)}: there is no room`).waitFor();
  await drag(page, x(segment.startMs) + 2, x(next.startMs) + 60, y);
  await page.getByText(`The start has to be before the end, ${timeCode(next.startMs)}`).waitFor();
  await page.keyboard.up('Shift');
  expect(complaints).toEqual([]);
  await close();
});

test('the border of the lane has a grip that changes its height, in a small window too', async () => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 960, height: 640 },
  ]) {
    const { page, complaints, close } = await open(size);
    const grip = page.getByRole('separator', { name: 'Waveform height' });
    const box = await grip.boundingBox();
    if (box === null) throw new Error('no grip');
    const before = (await boxOf(page, '[data-pane="lane"]')).height;
    const { x, y } = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await boxOf(page, '[data-pane="lane"]')).height).toBeGreaterThan(before + 40);
    expect(complaints).toEqual([]);
    await close();
  }
});

test('the tip of the playhead stands above the names in the lane', async () => {
  const { page, close } = await open();
  const lane = await boxOf(page, '[data-pane="lane"] input[type="range"]');
  const playhead = await boxOf(page, '[data-pane="lane"] [part~="cursor"] >> nth=1');
  // The tip is 7 pixels high.
  expect(playhead.y + 7).toBeLessThanOrEqual(lane.y);
  await close();
});

test('the first picture of the lane is where the recording was left, and it answers the pointer there', async () => {
  const left = { id: 't1', timeMs: 30_000, visibleMs: 5000, rate: 1, topSegment: null };
  const { page, complaints, close } = await rig.openText(transcript, {
    settings: { editorPlaces: [left] },
    beforePage: () => {
      const marks: string[] = [];
      Object.assign(window, { marks });
      const write = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, 'fillText');
      CanvasRenderingContext2D.prototype.fillText = function noted(...given) {
        if (/^\d\d:\d\d/u.test(given[0])) marks.push(given[0]);
        Reflect.apply(write?.value as () => void, this, given);
      };
    },
  });
  const marks = await page.evaluate(() => (window as unknown as { marks: readonly string[] }).marks);
  expect(marks).not.toEqual([]);
  expect(marks.filter((mark) => !/^00:(?:29|3\d)/u.test(mark))).toEqual([]);
  const lane = await boxOf(page, '[data-pane="lane"] input[type="range"]');
  await page.mouse.click(lane.x + lane.width / 2, lane.y + lane.height / 2);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(31_000);
  expect(await playheadMs(page)).toBeLessThan(33_000);
  expect(complaints).toEqual([]);
  await close();
});
