import { expect, test } from 'vitest';
import { isPlaying, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

test('A and B that were set in a pause are repeated from A, also at the end of the recording', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail });
  await waitForSound(page);
  const lane = page.locator('[data-pane="lane"] input[type="range"]');
  const toolbar = page.getByRole('toolbar', { name: /^Selection/u });
  const box = await lane.boundingBox();
  if (box === null) throw new Error('no lane');
  const set = async (fromMs: number, toMs: number) => {
    await page.mouse.click(box.x + (fromMs / transcript.durationMs) * box.width, box.y + box.height / 2);
    await page.keyboard.press('Alt+BracketLeft');
    await lane.press(toMs < 30_000 ? 'Shift+ArrowRight' : 'End');
    await page.keyboard.press('Alt+BracketRight');
    await toolbar.waitFor();
  };
  await set(9000, 19_000);
  await page.keyboard.press('Control+Space');
  await page.waitForFunction(() => {
    const { currentTime = 0, paused } = window.audioElements.at(-1) ?? { paused: true };
    return !paused && currentTime > 9 && currentTime < 12;
  });
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('Alt+Backslash');
  await set(39_700, transcript.durationMs);
  // Where the recording ends the loop goes on too.
  await page.keyboard.press('Control+Space');
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let rounds = 0;
        window.audioElements.at(-1)?.addEventListener('seeked', () => {
          rounds += 1;
          if (rounds === 3) resolve();
        });
      }),
  );
  await expect.poll(() => isPlaying(page)).toBe(true);
  // Nothing begins at the very end but the shortest range.
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('Alt+Backslash');
  await lane.press('End');
  await page.keyboard.press('Alt+BracketLeft');
  await page.keyboard.press('Alt+BracketRight');
  await page.getByRole('toolbar', { name: /^Selection 00:40\.\d+ – 00:40\.\d+/u }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('A alone is a mark and no selection, until B is set after it; Esc takes it away', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail });
  await waitForSound(page);
  const lane = page.locator('[data-pane="lane"] input[type="range"]');
  const mark = page.getByRole('status', { name: /^A: the loop starts at 00:10\.0/u });
  const selection = page.getByRole('toolbar', { name: /^Selection/u });
  await lane.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+BracketLeft');
  await mark.waitFor();
  expect(await selection.count()).toBe(0);
  await page.locator('[data-pane="text"] > section').press('Escape');
  await mark.waitFor({ state: 'detached' });
  await page.keyboard.press('Alt+BracketLeft');
  await lane.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+BracketRight');
  await page.getByRole('toolbar', { name: /^Selection 00:10\.0\d* – 00:20\.0/u }).waitFor();
  expect(await mark.count()).toBe(0);
  // A after the end of the range begins another one.
  await lane.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+BracketLeft');
  await selection.waitFor({ state: 'detached' });
  await page.getByRole('status', { name: /^A: the loop starts at 00:30\.0/u }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the loop that B began ends with its range; one that was switched on stays', async () => {
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail });
  await waitForSound(page);
  const loops = page.getByRole('toolbar', { name: 'Playback' }).getByRole('button', { name: /^Loop/u });
  const isLooping = () => loops.getAttribute('aria-pressed');
  const setRange = async () => {
    await page.keyboard.press('Alt+BracketLeft');
    await page.locator('[data-pane="lane"] input[type="range"]').press('Shift+ArrowRight');
    await page.keyboard.press('Alt+BracketRight');
  };
  await setRange();
  await expect.poll(isLooping).toBe('true');
  await page.keyboard.press('Alt+Backslash');
  await expect.poll(isLooping).toBe('false');
  await page.keyboard.press('Control+KeyL');
  await setRange();
  await page.keyboard.press('Alt+Backslash');
  await page.getByRole('toolbar', { name: /^Selection/u }).waitFor({ state: 'detached' });
  expect(await isLooping()).toBe('true');
  expect(complaints).toEqual([]);
  await close();
});

test('a loop of a range that was begun with its button ends with the range', async () => {
  const { page, complaints, close } = await rig.openText(transcript);
  const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (lane === null) throw new Error('no lane');
  const y = lane.y + lane.height / 2;
  await page.mouse.move(lane.x + lane.width * 0.2, y);
  await page.mouse.down();
  await page.mouse.move(lane.x + lane.width * 0.4, y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('toolbar', { name: /^Selection/u }).waitFor();
  await page.keyboard.press('Control+l');
  await expect.poll(() => page.locator('[data-looping="true"]').count()).toBe(1);
  await page.keyboard.press('Alt+Backslash');
  await expect.poll(() => page.locator('[data-looping]').count()).toBe(0);
  await expect
    .poll(() => page.getByRole('button', { name: 'Loop segment' }).getAttribute('aria-pressed'))
    .toBe('false');
  expect(complaints).toEqual([]);
  await close();
});
