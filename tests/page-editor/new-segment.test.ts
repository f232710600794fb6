import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const whole = sampleTranscript('interview-uz');
const [first, second, third] = whole.segments;
if (first === undefined || second === undefined || third === undefined) throw new Error('too few segments');
/** Where the second segment was, nobody speaks. */
const transcript: Transcript = { ...whole, segments: whole.segments.filter((segment) => segment !== second) };
const gap = { startMs: first.endMs, endMs: third.startMs };
const middleMs = Math.round((gap.startMs + gap.endMs) / 2);

const open = () => rig.openText(transcript);
async function goTo(page: Page, timeMs: number) {
  await page.keyboard.press('Control+Shift+j');
  const field = page.getByRole('textbox', { name: 'Go to a time…' });
  await field.fill(String(timeMs / 1000));
  await field.press('Enter');
  await expect.poll(() => field.count()).toBe(0);
}
const notice = (page: Page) =>
  page.getByText(/A segment is already here|past the end of the recording|too short for a segment/u);

test('a key adds a segment at the playhead, what is typed next is in it, and undoing takes both away', async () => {
  const { page, texts, complaints, close } = await open();
  const count = await texts.count();
  await goTo(page, first.startMs + 100);
  await page.keyboard.press('Alt+n');
  await notice(page).waitFor();
  expect(await texts.count()).toBe(count);
  await goTo(page, gap.startMs + 50);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => texts.count()).toBe(count + 1);
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.type('yangi soʻz');
  const made = async () => (await onDisk(page, transcript)).segments[1];
  await expect.poll(async () => (await made())?.text).toBe('yangi soʻz');
  const saved = await made();
  expect(saved?.startMs).toBe(gap.startMs + 50);
  expect(saved?.endMs).toBe(Math.min(gap.endMs, gap.startMs + 2050));
  expect(saved?.speakerId).toBe(first.speakerId);
  expect(saved?.words.map(({ isEstimated }) => isEstimated)).toEqual([true, true]);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);
  await expect.poll(async () => (await onDisk(page, transcript)).segments).toEqual(transcript.segments);
  expect(complaints).toEqual([]);
  await close();
});

test('without a caret the key that splits does it before the word at the playhead, or says that there is nothing to split', async () => {
  const { page, texts, complaints, close } = await open();
  const count = await texts.count();
  await goTo(page, first.startMs);
  await page.keyboard.press('Control+Enter');
  await page.getByText('There is nothing to split here').waitFor();
  const third = first.words[2]!;
  await goTo(page, third.startMs + 10);
  // In the field of the title it only keeps what was typed.
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  await title.click();
  await page.keyboard.press('Control+Enter');
  await title.waitFor();
  await painted(page);
  expect(await texts.count()).toBe(count);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => texts.count()).toBe(count + 1);
  const parts = async () => (await onDisk(page, transcript)).segments.slice(0, 2).map(({ words }) => words.length);
  await expect.poll(parts).toEqual([2, first.words.length - 2]);
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  // Merged again, what is typed next is where the parts met.
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.count()).toBe(count);
  await page.keyboard.type('yana ');
  const { text, words } = first;
  const at = (words[0]?.text.length ?? 0) + (words[1]?.text.length ?? 0) + 2;
  await expect.poll(() => texts.first().textContent()).toBe(`${text.slice(0, at)}yana ${text.slice(at)}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a key uses a selection only where it has room, then the gap at the playhead or after the caret, and says what is missing', async () => {
  const { page, texts, complaints, close } = await open();
  const count = await texts.count();
  const box = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (box === null) throw new Error('no lane');
  const [x, y] = [(timeMs: number) => box.x + (timeMs / 40_288) * box.width, box.y + box.height / 2];
  const range = page.getByRole('toolbar', { name: /^Selection/u });
  const selectSpeech = async () => {
    await page.mouse.move(x(third.startMs + 800), y);
    await page.mouse.down();
    await page.mouse.move(x(third.startMs + 1600), y, { steps: 5 });
    await page.mouse.up();
    await range.waitFor();
  };
  const made = () => texts.nth(1).evaluate((text) => text === document.activeElement && text.textContent === '');
  await selectSpeech();
  await page.keyboard.press('Alt+n');
  await page.getByText(/^A segment is already here\. Next free gap: 00:/u).waitFor();
  await goTo(page, gap.startMs + 50);
  await page.keyboard.press('Alt+n');
  await expect.poll(made).toBe(true);
  expect(await range.count()).toBe(1);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);
  // The playhead is where somebody speaks, and the caret in front of the gap.
  await texts.first().click();
  await goTo(page, first.startMs + 100);
  await page.keyboard.press('Alt+n');
  await expect.poll(made).toBe(true);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.startMs).toBe(first.endMs);
  expect(complaints).toEqual([]);
  await close();
});

test('the gap after the caret is no place for a new segment where it is short, and the playhead is elsewhere', async () => {
  const segments = transcript.segments.map((segment) =>
    segment === third ? { ...segment, endMs: (whole.segments[3]?.startMs ?? 0) - 400 } : segment,
  );
  const { page, texts, complaints, close } = await rig.openText({ ...transcript, segments });
  const count = await texts.count();
  await texts.first().click();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.press('Alt+n');
  await notice(page).waitFor();
  expect(await texts.count()).toBe(count);
  expect(complaints).toEqual([]);
  await close();
});

test('the menu of the waveform adds a segment in a gap or in the selected part of one, and none where somebody speaks', async () => {
  const { page, texts, complaints, close } = await open();
  const count = await texts.count();
  const box = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (box === null) throw new Error('no lane');
  const [x, y] = [(timeMs: number) => box.x + (timeMs / whole.durationMs) * box.width, box.y + box.height / 2];
  const entry = page.getByRole('menuitem', { name: 'New segment here' });
  await page.mouse.click(x((third.startMs + third.endMs) / 2), y, { button: 'right' });
  await expect.poll(() => entry.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await page.mouse.click(x(middleMs), y, { button: 'right' });
  await entry.click();
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  const made = async () => (await onDisk(page, transcript)).segments[1];
  await expect.poll(async () => Math.abs(((await made())?.startMs ?? 0) - middleMs)).toBeLessThan(100);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);

  await page.mouse.move(x(middleMs), y);
  await page.mouse.down();
  await page.mouse.move(x((third.startMs + third.endMs) / 2), y, { steps: 5 });
  await page.mouse.up();
  const range = page.getByRole('toolbar', { name: /^Selection/u });
  await range.getByRole('button', { name: 'New segment here' }).waitFor();
  await page.mouse.click(x(middleMs + 200), y, { button: 'right' });
  await entry.click();
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  await expect.poll(() => range.count()).toBe(0);
  // Until all is saved, the one on disk may still be the first.
  await expect.poll(async () => (await made())?.endMs).toBe(gap.endMs);
  expect((await made())?.text).toBe('');
  expect(complaints).toEqual([]);
  await close();
});

test('an imported text is as long as its recording, so a segment fits after its last caption; beyond the end that is said', async () => {
  const segments = whole.segments.slice(0, 2);
  const short: Transcript = { ...whole, segments, durationMs: second.endMs };
  const recording = rig.server.addRecording(sample('interview-uz.mp3'));
  const answers = { 'transcripts.edit': { revision: 0 } };
  const imported = detailOf(short, recording, { sourceName: 'suhbat.srt' });
  const { page, texts, complaints, close } = await rig.openText(short, { answers, detail: imported });
  const length = page.locator('dt', { hasText: 'Length' }).locator('xpath=following-sibling::dd[1]');
  await page.getByRole('tab', { name: 'Info' }).click();
  await expect.poll(() => length.textContent()).toBe('0:40');
  await goTo(page, second.endMs + 5000);
  await page.keyboard.press('Alt+n');
  await expect.poll(() => texts.count()).toBe(3);
  await expect.poll(async () => (await onDisk(page, short)).segments[2]?.startMs).toBe(second.endMs + 5000);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(2);
  expect(await length.textContent()).toBe('0:40');
  expect(complaints).toEqual([]);
  await close();

  const other = await rig.openText(short);
  await goTo(other.page, second.endMs + 5000);
  await other.page.keyboard.press('Alt+n');
  await other.page.getByText(/^This is past the end of the recording, 00:/u).waitFor();
  await other.close();
});

test('a selection that reaches over other segments says that the new one is shorter, and one within the gap says nothing', async () => {
  const made = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, texts, complaints, close } = await rig.openText(transcript, {
    detail: { ...made, sourceName: 'talk.srt' },
  });
  const count = await texts.count();
  const box = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  if (box === null) throw new Error('no lane');
  const [x, y] = [(timeMs: number) => box.x + (timeMs / whole.durationMs) * box.width, box.y + box.height / 2];
  const shortened = page.getByText('Shortened to the gap: there are other segments in the selection.');
  const addFrom = async (fromMs: number, toMs: number) => {
    await page.mouse.move(x(fromMs), y);
    await page.mouse.down();
    await page.mouse.move(x(toMs), y, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.press('Alt+n');
    await expect.poll(() => texts.count()).toBe(count + 1);
  };
  await addFrom(middleMs, gap.endMs - 300);
  expect(await shortened.count()).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);
  await addFrom(middleMs, (third.startMs + third.endMs) / 2);
  await shortened.waitFor();
  // Segments of subtitles are captions, which keep the least gap.
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.endMs).toBe(gap.endMs - 83);
  expect(complaints).toEqual([]);
  await close();
});
