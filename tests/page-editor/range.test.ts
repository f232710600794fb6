import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { cutSpans } from '../../shared/domain/transcript/edit-marks.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { framesInside, isPlaying, onDisk, playheadMs } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = (beforePage?: () => void) => rig.openText(transcript, { ...(beforePage && { beforePage }) });

/** The lane shows the whole sample; its middle is used, because no edge has a handle there. */
async function laneOf(page: Page) {
  const box = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (box === null) throw new Error('no lane');
  const { durationMs } = transcript;
  return { x: (timeMs: number) => box.x + (timeMs / durationMs) * box.width, y: box.y + box.height / 2 };
}

async function drag(page: Page, fromMs: number, toMs: number): Promise<void> {
  const { x, y } = await laneOf(page);
  await page.mouse.move(x(fromMs), y);
  await page.mouse.down();
  await page.mouse.move(x(toMs), y, { steps: 5 });
  await page.mouse.up();
}
const toolbar = (page: Page) => page.getByRole('toolbar', { name: /^Selection/u });

test('a range is dragged on the waveform, repeated, and cleared by a click beside it', async () => {
  const { page, complaints, close } = await open();
  await drag(page, 9000, 10_000);
  await toolbar(page).waitFor();
  const startMs = await playheadMs(page);
  expect(Math.abs(startMs - 9000)).toBeLessThan(100);
  await toolbar(page).getByRole('button', { name: 'Loop selection' }).click();
  await page.keyboard.press('Control+Space');
  await expect.poll(() => isPlaying(page)).toBe(true);
  const heard = await page.evaluate(
    () =>
      new Promise<{ readonly most: number; readonly back: number }>((resolve) => {
        const [element] = window.audioElements.slice(-1);
        let most = 0;
        let before = 0;
        let back = 0;
        const look = () => {
          const now = (element?.currentTime ?? 0) * 1000;
          if (now < before - 500) back += 1;
          before = now;
          most = Math.max(most, now);
          if (back < 2) requestAnimationFrame(look);
          else resolve({ most, back });
        };
        look();
      }),
  );
  expect(heard.most).toBeLessThan(10_300);
  await page.keyboard.press('Escape');
  expect(await tellBarriers(page)).toEqual([]);
  const { x, y } = await laneOf(page);
  await page.mouse.click(x(20_000), y);
  await expect.poll(() => toolbar(page).count()).toBe(0);
  await expect.poll(async () => Math.abs((await playheadMs(page)) - 20_000)).toBeLessThan(100);
  expect(complaints).toEqual([]);
  await close();
});

test('a selection is played once to its end; Esc pauses it, continues it, and clears it when nothing was paused', async () => {
  const { page, complaints, close } = await open();
  await drag(page, 9000, 10_000);
  await toolbar(page).getByRole('button', { name: 'Play selection' }).click();
  await expect.poll(() => isPlaying(page)).toBe(true);
  await expect.poll(() => isPlaying(page)).toBe(false);
  expect(await playheadMs(page)).toBeGreaterThan(9900);
  expect(await playheadMs(page)).toBeLessThan(10_300);
  // Played on by hand it does not stop there again.
  await page.keyboard.press('Control+Space');
  await page.waitForFunction(() => (window.audioElements.at(-1)?.currentTime ?? 0) > 10.5);
  await page.keyboard.press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await page.keyboard.press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await toolbar(page).waitFor();
  await page.keyboard.press('Control+Space');
  await expect.poll(() => isPlaying(page)).toBe(false);
  await page.keyboard.press('Escape');
  await expect.poll(() => toolbar(page).count()).toBe(0);
  expect(await isPlaying(page)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});

test('A and B are set by keys during playback, an Alt click selects a word, and the pointer shows the time', async () => {
  const { page, close } = await open();
  const { x, y } = await laneOf(page);
  await page.mouse.click(x(5000), y);
  await page.keyboard.press('Alt+BracketLeft');
  await page.mouse.move(x(8000), y);
  await expect
    .poll(() => page.locator('[data-pane="lane"] [data-hover-time]').last().textContent())
    .toMatch(/^00:0[78]\./u);
  await page.keyboard.press('F2');
  await page.keyboard.press('Alt+BracketRight');
  await page.getByRole('toolbar', { name: /^Selection 00:0(?:4\.9|5\.0)\d+ – 00:(?:09\.9|10\.0)/u }).waitFor();
  expect(await page.getByRole('button', { name: 'Loop selection', pressed: true }).count()).toBeGreaterThan(0);
  await page.keyboard.press('Alt+Backslash');
  await expect.poll(() => toolbar(page).count()).toBe(0);
  const word = transcript.segments[2]?.words[1];
  if (word === undefined) throw new Error('no word');
  await page.keyboard.down('Alt');
  await page.mouse.click(x((word.startMs + word.endMs) / 2), y);
  await page.keyboard.up('Alt');
  await toolbar(page).waitFor();
  expect(await playheadMs(page)).toBe(word.startMs);
  await close();
});

declare global {
  interface Window {
    /** What playback was faded to, and how long each fade took, in seconds. */
    readonly fades: { readonly to: number; readonly seconds: number }[];
  }
}

/** Notes the fades of the page's audio, which no test can hear. */
function noteFades(): void {
  const fades: { to: number; seconds: number }[] = [];
  Object.assign(window, { fades });
  let from = 0;
  const note = (name: 'setValueAtTime' | 'linearRampToValueAtTime', seen: (value: number, time: number) => void) => {
    const own = Reflect.get(AudioParam.prototype, name) as (value: number, time: number) => AudioParam;
    AudioParam.prototype[name] = function (value, time) {
      seen(value, time);
      return own.call(this, value, time);
    };
  };
  note('setValueAtTime', (_value, time) => (from = time));
  note('linearRampToValueAtTime', (to, time) => fades.push({ to, seconds: time - from }));
}

test('cut audio is left out of playback, faded within 10 ms, and can be restored; a pause goes back as far as was chosen', async () => {
  const { page, close } = await open(noteFades);
  await drag(page, 12_000, 15_000);
  await toolbar(page).getByRole('button', { name: 'Cut from audio' }).click();
  const spans = async () => cutSpans(await onDisk(page, transcript));
  await expect.poll(async () => (await spans()).length).toBe(1);
  const [cut] = await spans();
  if (cut === undefined) throw new Error('nothing is cut');
  // The words that are not heard are struck in the text.
  const struck = (await onDisk(page, transcript)).segments.flatMap(({ words }) =>
    words.filter(({ mark }) => mark === 'cut').map(({ startMs, endMs }) => (startMs + endMs) / 2),
  );
  expect(struck.length).toBeGreaterThan(2);
  for (const middle of struck) expect(middle >= 12_000 - 50 && middle < 15_000 + 50).toBe(true);
  const { x, y } = await laneOf(page);
  await page.mouse.click(x(11_500), y);
  await page.keyboard.press('Control+Space');
  const inside = await framesInside(page, cut);
  // Three seconds are 180 frames: it may be a few late on a busy machine, and is still faded out in time.
  expect(inside).toBeLessThan(30);
  const fades = await page.evaluate(() => window.fades);
  // Out before the cut, and in after it.
  expect(fades.some(({ to }, at) => to === 0 && fades.slice(at).some((next) => next.to === 1))).toBe(true);
  for (const { seconds } of fades) expect(seconds).toBeGreaterThanOrEqual(0.005);
  for (const { seconds } of fades) expect(seconds).toBeLessThanOrEqual(0.01);
  await page.keyboard.press('Escape');
  await page.mouse.click(x(13_000), y, { button: 'right' });
  await page.getByRole('menuitem', { name: 'Restore what was cut' }).click();
  await expect.poll(spans).toEqual([]);

  await page.getByRole('button', { name: 'Speed 1×' }).click();
  await page.getByRole('menuitem', { name: 'Rewind on pause' }).click();
  await page.getByRole('menuitemradio', { name: '2 s' }).click();
  await page.mouse.click(x(20_000), y);
  await page.keyboard.press('Control+Space');
  await page.waitForFunction(() => (window.audioElements.at(-1)?.currentTime ?? 0) > 20.3);
  await page.keyboard.press('Escape');
  await expect.poll(() => isPlaying(page)).toBe(false);
  expect(await playheadMs(page)).toBeLessThan(19_500);
  await close();
});

test('silences are found with a preview, cut as one step and restored by one undo', async () => {
  const { page, close } = await open();
  await page.keyboard.press('Control+Shift+KeyX');
  const panel = page.getByRole('complementary', { name: 'Silences' });
  await panel.getByText(/silences?, saves? 0:/u).waitFor();
  await panel.getByRole('slider', { name: 'Shortest silence' }).fill('0.3');
  const told = await panel.getByText(/silences?, saves? 0:/u).textContent();
  expect(await tellBarriers(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Cut them' }).click();
  await expect.poll(async () => (await onDisk(page, transcript)).cuts?.length).toBe(Number(told?.split(' ')[0]));
  // What was cut is told instead of that nothing is left.
  await panel.getByText(told?.replace(/ silences, save (.+)/u, ' silences cut, $1 shorter now') ?? '').waitFor();
  await panel.getByRole('slider', { name: 'Shortest silence' }).fill('0.4');
  await panel.getByText('No such silences.').waitFor();
  expect(await panel.getByText('Playback already skips them').count()).toBe(0);
  await panel.getByRole('button', { name: 'Close' }).click();
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await close();
});

test('times of a segment are typed and nudged, and what follows moves along on request', async () => {
  const { page, close } = await open();
  const [first, second] = transcript.segments;
  if (first === undefined || second === undefined) throw new Error('no segments');
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Alt+KeyT');
  const end = page.getByRole('textbox', { name: 'Ends' });
  await end.fill('0:02,2');
  await end.press('Enter');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(2200);
  await end.press('ArrowUp');
  await end.press('Shift+ArrowDown');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(2110);
  expect((await onDisk(page, transcript)).segments[1]).toEqual(second);
  await end.fill('0:20');
  await end.press('Enter');
  await page.getByText(/^Stopped at/u).waitFor();
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(second.startMs);
  await end.fill('0:02.11');
  await end.press('Enter');
  await page.getByText('Shift everything after').click();
  await end.fill('0:02.610');
  await end.press('Enter');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.endMs).toBe(2610);
  const moved = await onDisk(page, transcript);
  expect(moved.segments[1]?.startMs).toBe(second.startMs + 500);
  expect(moved.segments[1]?.words[0]?.startMs).toBe((second.words[0]?.startMs ?? 0) + 500);
  expect(await tellBarriers(page)).toEqual([]);
  await end.fill('soon');
  await page.getByText('Use a time like 00:02.610').waitFor();
  await close();
});

test('the spectrogram of the visible part is computed outside the page, without a stall', async () => {
  const { page, complaints, close } = await open();
  const lane = page.locator('[data-pane="lane"]');
  const before = await lane.screenshot();
  await page.evaluate(() => {
    const stalls: number[] = [];
    Object.assign(window, { stalls });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) stalls.push(duration);
    }).observe({ type: 'longtask' });
  });
  await page.keyboard.press('Alt+KeyG');
  await expect.poll(async () => (await lane.screenshot()).equals(before)).toBe(false);
  await page.getByRole('button', { name: 'Spectrogram', pressed: true }).waitFor();
  expect(await page.evaluate(() => Math.max(0, ...(window as unknown as { stalls: number[] }).stalls))).toBeLessThan(
    200,
  );
  expect(complaints).toEqual([]);
  await close();
});

test('Esc clears a selection while the slider of the waveform has the focus, on the waveform and in the text', async () => {
  const { page, texts, complaints, close } = await open();
  await drag(page, 9000, 10_000);
  await toolbar(page).waitFor();
  const slider = page.locator('[data-pane="lane"] input[type="range"]');
  await slider.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => toolbar(page).count()).toBe(0);

  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowDown');
  const selected = page.locator('article[class*="selected"]');
  await selected.first().waitFor();
  await slider.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => selected.count()).toBe(0);
  expect(await isPlaying(page)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});
