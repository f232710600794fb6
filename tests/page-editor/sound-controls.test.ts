import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { isPlaying, markedWord, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = () => rig.openText(transcript);
const text = (page: Page) => page.getByRole('region', { name: 'Transcript' });
test('a right click on a word plays from it, copies with the time, and shows the recording in its folder', async () => {
  const { page, complaints, close } = await open();
  const segment = transcript.segments[1];
  const paragraph = text(page).locator(`[data-text="${segment?.id ?? ''}"]`);
  await paragraph.click({ button: 'right', position: { x: 6, y: 12 } });
  await page.getByRole('menuitem', { name: 'Copy with time' }).click();
  await page.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\[\d\d:\d\d\] /u);
  expect(copied.endsWith(segment?.text ?? 'no segment')).toBe(true);
  await paragraph.click({ button: 'right', position: { x: 6, y: 12 } });
  await page.getByRole('menuitem', { name: 'Play from here' }).click();
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await playheadMs(page)).toBeGreaterThanOrEqual(segment?.startMs ?? Number.POSITIVE_INFINITY);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+KeyK');
  await page.getByRole('combobox').fill('recording in folder');
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'transcripts.showRecording')).toHaveLength(1);
  expect(complaints).toEqual([]);
  await close();
});

test('scrolling stops following, and every jump resumes it, even while paused', async () => {
  const { page, close } = await open();
  const pill = page.getByRole('button', { name: /^Back to/ });
  await text(page).hover();
  await page.mouse.wheel(0, 400);
  await expect.poll(() => pill.textContent()).toBe('Back to 00:00');
  await page.keyboard.press('F2');
  await pill.waitFor({ state: 'detached' });
  // What is still in view needs no way back, whatever the lane shows.
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Alt+Equal');
  await page.locator('[data-pane="lane"]').hover();
  await page.mouse.wheel(0, 2000);
  await expect
    .poll(() => page.getByRole('button', { name: 'Follow playback' }).getAttribute('aria-pressed'))
    .toBe('false');
  await painted(page);
  expect(await pill.count()).toBe(0);
  const overview = await page.locator('[data-pane="lane"] canvas').first().boundingBox();
  if (overview === null) throw new Error('No overview');
  await page.mouse.click(overview.x + overview.width * 0.9, overview.y + overview.height / 2);
  await pill.waitFor({ state: 'detached' });
  const shown = page.locator('article', {
    has: page.getByText(transcript.segments.at(-1)?.text ?? '', { exact: true }),
  });
  await expect.poll(() => shown.evaluate((turn) => turn.getBoundingClientRect().bottom)).toBeLessThan(800);
  await close();
});

test('a jump to the end shows the last segment, also one without words', async () => {
  const seconds = Math.floor(transcript.durationMs / 1000);
  const segments = Array.from({ length: seconds }, (_, at) => {
    const [startMs, endMs] = [at * 1000, (at + 1) * 1000];
    return { id: `s${String(at)}`, speakerId: null, startMs, endMs, text: '(nutq, 1 s)', words: [] };
  });
  const { page, close } = await rig.openText({ ...transcript, speakers: [], segments });
  await page.keyboard.press('Control+Shift+KeyJ');
  await page.keyboard.type(String(seconds - 1));
  await page.keyboard.press('Enter');
  const last = page.locator('article', { has: page.locator(`[data-text="s${String(seconds - 1)}"]`) });
  await expect
    .poll(() => last.evaluateAll(([turn]) => (turn === undefined ? 9999 : turn.getBoundingClientRect().top)))
    .toBeLessThan(700);
  await close();
});

test('zoom ends where the recording does', async () => {
  const { page, close } = await open();
  const zoomOut = page.getByRole('button', { name: 'Zoom out' });
  await expect.poll(() => zoomOut.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => zoomOut.isEnabled()).toBe(true);
  await page.keyboard.press('Alt+0');
  await expect.poll(() => zoomOut.isDisabled()).toBe(true);
  await close();
});

test('notes of practice mode are explained once and are not marked as words', async () => {
  const notes: Transcript = {
    ...transcript,
    segments: transcript.segments.map((segment, at) =>
      at > 0 ? segment : { ...segment, text: '(nutq, 3 s)', words: [{ ...segment.words[0]!, text: '(nutq,' }] },
    ),
  };
  const editor = await rig.open({
    detail: { ...detailOf(notes, rig.server.addRecording(sample('interview-uz.mp3'))), isPractice: true },
  });
  await waitForSound(editor.page);
  await editor.page.getByText(/Practice mode doesn’t recognise speech/).waitFor();
  await editor.page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => playheadMs(editor.page)).toBe(notes.segments[0]?.startMs);
  expect(await markedWord(editor.page)).toBe('');
  await editor.page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => markedWord(editor.page)).not.toBe('');
  await editor.close();
});

test('the lane is a slider that reports the position of the playhead', async () => {
  const { page, close } = await open();
  const slider = page.getByRole('slider', { name: 'Playback position' });
  await slider.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => playheadMs(page)).toBe(10_000);
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('10 seconds, Speaker 2');
  await page.keyboard.press('End');
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(39_000);
  await page.keyboard.press('Home');
  await expect.poll(() => playheadMs(page)).toBe(0);
  const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (lane === null) throw new Error('No lane');
  await page.mouse.click(lane.x + lane.width / 2, lane.y + lane.height / 2);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(19_000);
  await page.mouse.down();
  await page.mouse.move(lane.x + lane.width / 4, lane.y + 60, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => playheadMs(page)).toBeLessThan(11_000);
  await close();
});

test('a looped segment is repeated', async () => {
  const { page, close } = await open();
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('No segments');
  await page.keyboard.press('Control+ArrowDown');
  await page.keyboard.press('Control+l');
  await page.evaluate((ms) => {
    const [element] = window.audioElements.slice(-1);
    if (element) element.currentTime = ms / 1000;
  }, first.endMs - 500);
  await page.keyboard.press('Space');
  await page.waitForFunction((end) => (window.audioElements.at(-1)?.currentTime ?? 0) * 1000 > end - 300, first.endMs);
  await page.waitForFunction((end) => (window.audioElements.at(-1)?.currentTime ?? 9) * 1000 < end - 700, first.endMs);
  await expect.poll(() => isPlaying(page)).toBe(true);
  await close();
});

test('a new title is sent once, and Escape discards it', async () => {
  const { page, close } = await open();
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  await page.evaluate(() => window.fakeStudio.setAnswer('transcripts.rename', { title: 'Rishton kulollari' }));
  await title.click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Something else');
  await page.keyboard.press('Escape');
  await expect.poll(() => title.textContent()).toBe('Margʻilon: adras ustasi bilan suhbat');
  const listings = (await callsOf(page, 'transcripts.list')).length;
  await title.click();
  await page.getByRole('textbox', { name: 'Title' }).fill('  Rishton kulollari ');
  await page.keyboard.press('Enter');
  await expect.poll(() => title.textContent()).toBe('Rishton kulollari');
  await expect
    .poll(() => callsOf(page, 'transcripts.rename'))
    .toEqual([{ transcriptId: 't1', title: 'Rishton kulollari' }]);
  // The list of recent ones shows it too.
  await expect.poll(async () => (await callsOf(page, 'transcripts.list')).length).toBeGreaterThan(listings);
  await expect.poll(() => isPlaying(page)).toBe(false);
  await close();
});

test('next and previous segment count from the caret, where it was led away from the playhead', async () => {
  const { page, texts, complaints, close } = await open();
  const [, , third] = transcript.segments;
  await texts.nth(2).click();
  await expect.poll(() => playheadMs(page)).toBeGreaterThanOrEqual(third?.startMs ?? 0);
  const last = transcript.segments.length - 2;
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  const at = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index']);
  const place = Number(await at());
  expect(place).toBeGreaterThanOrEqual(last - 1);
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[place - 1]?.startMs);
  await expect.poll(at).toBe(String(place - 1));
  expect(complaints).toEqual([]);
  await close();
});
