import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { isPlaying, onDisk, playheadMs } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const caretOf = (page: Page) =>
  page.evaluate(() => [document.activeElement?.getAttribute('data-text'), document.getSelection()?.focusOffset]);

/** Moves the caret without the playhead. */
async function walkTo(page: Page, id: string, key: 'ArrowDown' | 'ArrowUp'): Promise<void> {
  for (let line = 0; line < 80 && (await caretOf(page))[0] !== id; line += 1) await page.keyboard.press(key);
}

test('what is typed after scrolling far away goes to the caret, which comes back into view', async () => {
  const transcript = longTranscript(300);
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('End');
  await page.mouse.move(400, 600);
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 900);
  const first = page.locator('[data-text="s1"]');
  await expect.poll(async () => (await first.boundingBox())?.y ?? 0).toBeLessThan(-2000);
  await page.keyboard.type(' salom');
  const said = `${transcript.segments[1]?.text ?? ''} salom`;
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.text).toBe(said);
  expect(await isPlaying(page)).toBe(false);
  const pane = await page.locator('[data-pane="text"] > section').boundingBox();
  // Its last line is in view, where the caret is.
  const endOfFirst = async () => {
    const box = await first.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(endOfFirst).toBeGreaterThanOrEqual((pane?.y ?? 0) + 20);
  expect(complaints).toEqual([]);
  await close();
});

test('Ctrl+End and Ctrl+Home put the caret at the end and the beginning of the whole text', async () => {
  const transcript = longTranscript(120);
  const { page, texts, close } = await rig.openText(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('Control+End');
  await expect.poll(() => caretOf(page)).toEqual(['s119', transcript.segments[119]?.text.length]);
  await page.keyboard.press('Control+Home');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  await close();
});

test('what is typed right after Ctrl+End and Ctrl+Home is typed there, however late the next frame is', async () => {
  const transcript = longTranscript(120);
  const { page, texts, complaints, close } = await rig.openText(transcript, {
    beforePage: () => {
      const ask = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (run) => window.setTimeout(() => ask(run), 200);
    },
  });
  await texts.nth(1).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('y');
  const said = transcript.segments.map(({ text }) => text);
  const wanted = [`y${said[0] ?? ''}`, ...said.slice(1, -1), `${said.at(-1) ?? ''}x`];
  await expect.poll(async () => (await onDisk(page, transcript)).segments.map(({ text }) => text)).toEqual(wanted);
  expect(complaints).toEqual([]);
  await close();
});

test('who goes to a field while the caret is on its way types there', async () => {
  const transcript = longTranscript(300);
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Find' });
  await field.waitFor();
  await texts.nth(1).click();
  await page.keyboard.type('x');
  await page.keyboard.press('Control+End');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s299');
  await page.mouse.move(400, 600);
  await page.mouse.wheel(0, -300);
  await page.locator('[data-text="s1"]').waitFor({ state: 'detached' });
  // The segment of the last edit isn't on the page yet when the field gets the focus.
  await page.evaluate(async () => {
    const to = { key: 'F7', code: 'F7', bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', to));
    await Promise.resolve();
    document.querySelector<HTMLElement>('input[type="search"]')?.focus();
  });
  await page.locator('[data-text="s1"]').waitFor();
  for (let frame = 0; frame < 4; frame += 1) await painted(page);
  await page.keyboard.type('salom');
  expect(await field.inputValue()).toBe('salom');
  expect(complaints).toEqual([]);
  await close();
});

test('F7 puts the caret where the last edit is, also one of a speaker, and never to one that was undone', async () => {
  const transcript = longTranscript(120);
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await texts.nth(2).click();
  await page.keyboard.type('Ha, ');
  await walkTo(page, 's4', 'ArrowDown');
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('Control+End');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s119');
  await page.keyboard.press('F7');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s4');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('F7');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s2');
  expect(complaints).toEqual([]);
  await close();
});

test('letters typed beside the text say how to get there, and F7 leads into it where nothing was edited yet', async () => {
  const { page, close } = await rig.openText(longTranscript(6));
  await page.locator('[data-pane="lane"] input[type="range"]').focus();
  await page.keyboard.press('x');
  await page.getByText('To type, put the caret into the text: press F7').waitFor();
  await page.keyboard.press('F7');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  await close();
});

test('undoing a change of a speaker that is out of sight brings it into view, and leaves the focus where it is', async () => {
  const transcript = longTranscript(120);
  const { page, texts, close } = await rig.openText(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('Alt+1');
  const slider = page.locator('[data-pane="lane"] input[type="range"]');
  await slider.focus();
  await page.mouse.move(400, 600);
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, 900);
  const top = async () => (await page.locator('[data-text="s1"]').boundingBox())?.y ?? -Infinity;
  await expect.poll(top).toBeLessThan(0);
  await page.keyboard.press('Control+z');
  await expect.poll(top).toBeGreaterThan(0);
  expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
  await close();
});

test('undoing a change of many segments scrolls nowhere where one of them is in view', async () => {
  const transcript = longTranscript(120);
  const { page, texts, close } = await rig.openText(transcript);
  await texts.nth(1).click();
  for (let press = 0; press < 2; press += 1) await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+1');
  const named = () => onDisk(page, transcript).then(({ segments }) => segments.map(({ speakerId }) => speakerId));
  await expect.poll(async () => new Set(await named()).size).toBe(1);
  await page.locator('[data-pane="lane"] input[type="range"]').focus();
  const list = page.locator('[data-pane="text"] > section');
  await list.evaluate((element) => {
    element.scrollTop = 3000;
  });
  await painted(page);
  const top = () => list.evaluate((element) => element.scrollTop);
  const before = await top();
  expect(before).toBeGreaterThan(2000);
  await page.keyboard.press('Control+z');
  await expect.poll(named).toEqual(transcript.segments.map(({ speakerId }) => speakerId));
  await painted(page);
  expect(Math.abs((await top()) - before)).toBeLessThan(60);
  await close();
});

test('replaying and looping are of the segment with the caret, wherever the playhead is', async () => {
  const transcript = longTranscript(6);
  const { page, close } = await rig.openText(transcript);
  await page.locator('[data-text="s1"]').click();
  await walkTo(page, 's3', 'ArrowDown');
  await page.keyboard.press('F5');
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await playheadMs(page)).toBeGreaterThanOrEqual(transcript.segments[3]?.startMs ?? Infinity);
  await page.keyboard.press('Control+Space');
  await walkTo(page, 's2', 'ArrowUp');
  await page.keyboard.press('Control+KeyL');
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[2]?.startMs);
  await close();
});

test('after a pause the next segment is that of the playhead, which moved on after a caret that was moved meanwhile', async () => {
  const { page, close } = await rig.openText(longTranscript(12));
  await page.locator('[data-text="s1"]').click();
  await page.keyboard.press('F5');
  await expect.poll(() => isPlaying(page)).toBe(true);
  await walkTo(page, 's6', 'ArrowDown');
  await page.keyboard.press('Control+Space');
  await expect.poll(() => isPlaying(page)).toBe(false);
  const heard = Math.floor((await playheadMs(page)) / 6000);
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual([`s${heard + 1}`, 0]);
  await close();
});

test('comparing versions and searching for nothing give the caret and the place of the text back', async () => {
  const transcript = longTranscript(60);
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({
    detail,
    answers: { 'transcripts.edit': { revision: 0 }, 'transcripts.versions': { versions: [] } },
  });
  const host = page.locator('[data-text="s20"]');
  await page.locator('[data-text="s1"]').click();
  await walkTo(page, 's20', 'ArrowDown');
  const caret = await caretOf(page);
  const before = (await host.boundingBox())?.y ?? 0;
  await page.keyboard.press('Control+KeyF');
  await page.getByRole('searchbox', { name: 'Find' }).fill('yoʻqdir');
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(caret);
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(caret);
  // Rows are measured when they are drawn.
  await expect.poll(async () => Math.abs(((await host.boundingBox())?.y ?? 0) - before)).toBeLessThan(120);
  await close();
});

test('Escape in a time field that holds nothing typed leads back to the caret', async () => {
  const { page, close } = await rig.openText(longTranscript(6));
  await page.locator('[data-text="s2"]').click();
  const caret = await caretOf(page);
  await page.keyboard.press('Alt+KeyT');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(caret);
  await close();
});

test('the segment with the caret is deleted or merged with the next one by key, and the keys go on from there', async () => {
  const { page, texts, complaints, close } = await rig.openText(sampleTranscript('interview-uz'));
  const [, second = '', third = '', fourth = ''] = await texts.allTextContents();
  await texts.nth(1).click();
  await page.keyboard.press('Control+Shift+Delete');
  await expect.poll(() => texts.nth(1).textContent()).toBe(third);
  await page.keyboard.type('§');
  await expect.poll(() => texts.nth(1).textContent()).toBe(`§${third}`);
  await page.keyboard.press('Control+KeyZ');
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(second);
  await page.keyboard.press('Alt+Shift+KeyM');
  await expect.poll(() => texts.nth(1).textContent()).toBe(`${second} ${third}`);
  expect(await texts.nth(2).textContent()).toBe(fourth);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Alt+Shift+KeyM');
  await page.getByText('This is the last segment: there is nothing after it to merge with.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the caret is where it was when a segment is not merged with the next one, or no longer', async () => {
  const { page, texts, close } = await rig.openText(longTranscript(6));
  await texts.nth(1).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const caret = await caretOf(page);
  const said = await texts.nth(1).textContent();
  await page.keyboard.press('Alt+Shift+KeyM');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => caretOf(page)).toEqual(caret);
  await page.keyboard.press('Alt+Shift+KeyM');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merge' }).click();
  await expect.poll(() => texts.nth(1).textContent()).not.toBe(said);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(said);
  await expect.poll(() => caretOf(page)).toEqual(caret);
  await close();
});

test('a transcript that is opened again does not put the caret where something was undone', async () => {
  const transcript = longTranscript(120);
  const { page, texts, close } = await rig.openText(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+z');
  await expect.poll(() => caretOf(page)).toEqual(['s119', transcript.segments[119]?.text.length]);
  await page.keyboard.press('Control+Home');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  const address = page.url();
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await texts.first().waitFor({ state: 'detached' });
  await page.goto(address);
  await texts.first().waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Transcript');
  expect(await page.locator('[data-text="s119"]').count()).toBe(0);
  await close();
});

test.each(['keyboard', 'mouse'])(
  'after two speakers’ segments are merged by %s the caret is at the seam',
  async (by) => {
    const { page, texts, complaints, close } = await rig.openText(longTranscript(6));
    const [first = '', second = ''] = await texts.allTextContents();
    await texts.nth(1).click({ position: { x: 2, y: 8 } });
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    const merge = page.getByRole('alertdialog').getByRole('button', { name: 'Merge' });
    await merge.waitFor();
    if (by === 'mouse') await merge.click();
    else await page.keyboard.press('Enter');
    await expect.poll(() => caretOf(page)).toEqual(['s0', first.length + 1]);
    await page.keyboard.type('va ');
    await expect.poll(() => texts.first().textContent()).toBe(`${first} va ${second}`);
    expect(await isPlaying(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  },
);
