import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import {
  caretOf,
  copied,
  goTo,
  isPlaying,
  markedWord,
  lanePane,
  noticesOf,
  onDisk,
  playheadMs,
  pressKeys,
  scrollTop,
  seek,
} from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { longTranscript, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const startOf = (at: number, { segments } = transcript) => segments[at]?.startMs ?? Number.NaN;
const boxOf = async (page: Page, segment: number) => {
  const box = await page.locator('[data-text]').nth(segment).boundingBox();
  if (box === null) throw new Error('no segment');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

/** Moves the caret without the playhead. */
async function walkTo(page: Page, id: string, key: 'ArrowDown' | 'ArrowUp'): Promise<void> {
  for (let line = 0; line < 80 && (await caretOf(page))[0] !== id; line += 1) await page.keyboard.press(key);
}

test('what is typed right after Ctrl+End and Ctrl+Home is typed there, however late the next frame is', async () => {
  const long = longTranscript(120);
  const { page, texts } = await rig.openText(long);
  await page.evaluate(() => {
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => window.setTimeout(() => ask(run), 200);
  });
  await texts.nth(1).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('y');
  const said = long.segments.map(({ text }) => text);
  const wanted = [`y${said[0] ?? ''}`, ...said.slice(1, -1), `${said.at(-1) ?? ''}x`];
  await expect.poll(async () => (await onDisk(page, long)).segments.map(({ text }) => text)).toEqual(wanted);
});

test('F7 leads to the last edit that was not undone, unless a field is gone to meanwhile', async () => {
  const long = longTranscript(120);
  const { page, texts } = await rig.openText(long);
  const toEnd = async () => {
    await page.keyboard.press('Control+End');
    await expect.poll(() => caretOf(page)).toEqual(['s119', long.segments[119]?.text.length]);
  };
  await lanePane(page).focus();
  await page.keyboard.press('x');
  await noticesOf(page).getByText('To type, put the caret into the text: press F7').waitFor();
  await page.keyboard.press('F7');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  await texts.nth(2).click();
  await page.keyboard.type('Ha, ');
  await walkTo(page, 's4', 'ArrowDown');
  await page.keyboard.press('Alt+1');
  await toEnd();
  await page.keyboard.press('F7');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s4');
  await page.keyboard.press('Control+z');
  await toEnd();
  await page.keyboard.press('F7');
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s2');

  // Who goes to a field while the caret is on its way types there.
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Find' });
  await field.waitFor();
  await texts.first().click();
  await toEnd();
  await page.locator('[data-text="s2"]').waitFor({ state: 'detached' });
  await page.evaluate(async () => {
    const key = { key: 'F7', code: 'F7', bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
    await Promise.resolve();
    document.querySelector<HTMLElement>('input[type="search"]')?.focus();
  });
  await page.locator('[data-text="s2"]').waitFor();
  for (let frame = 0; frame < 4; frame += 1) await painted(page);
  await page.keyboard.type('salom');
  expect(await field.inputValue()).toBe('salom');
});

test('Find, Versions and a time field give caret and place back; a text opened again has neither', async () => {
  const long = longTranscript(60);
  const { page, texts } = await rig.openText(long, { answers: { 'transcripts.versions': { versions: [] } } });
  const host = page.locator('[data-text="s20"]');
  // The field is of a segment that the recording is long enough for.
  await page.locator('[data-text="s1"]').click();
  const clicked = await caretOf(page);
  expect(clicked[0]).toBe('s1');
  await page.keyboard.press('Alt+KeyT');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(clicked);
  await walkTo(page, 's20', 'ArrowDown');
  const caret = await caretOf(page);
  const before = (await host.boundingBox())?.y ?? 0;
  await page.keyboard.press('Control+KeyF');
  await page.getByRole('searchbox', { name: 'Find' }).fill('yoʻqdir');
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(caret);
  await page.keyboard.press('Control+Shift+KeyH');
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => caretOf(page)).toEqual(caret);
  // Rows are measured when they are drawn.
  await expect.poll(async () => Math.abs(((await host.boundingBox())?.y ?? 0) - before)).toBeLessThan(120);

  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await pressKeys(page, 'Control+z', 'Control+Home');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  const address = page.url();
  await goTo(page, '#/transcribe');
  await texts.first().waitFor({ state: 'detached' });
  await page.goto(address);
  await texts.first().waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Transcript');
  expect(await page.locator('[data-text="s59"]').count()).toBe(0);
});

test('the keys begin in the text and go on from caret or playhead, whichever was moved last', async () => {
  const { page, texts } = await rig.openText(transcript);
  const paneOfFocus = () =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane']);
  await expect.poll(paneOfFocus).toBe('text');
  await pressKeys(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Tab');
  await page.keyboard.type('§');
  const said = transcript.segments[3]?.text ?? '';
  await expect.poll(() => texts.nth(3).textContent()).toBe(said.replace(' ', ' §'));
  await page.keyboard.press('Tab');
  expect(await paneOfFocus()).not.toBe('text');
  // Back over the name of the speaker to the text as a whole.
  for (let press = 0; press < 2; press += 1) await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Speaker 2');
  await page.keyboard.press('Shift+Tab');
  expect([await paneOfFocus(), (await caretOf(page))[0]]).toEqual(['text', null]);
  await texts.nth(3).focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(3).textContent()).toBe(said);

  // A press would move the playhead; the recording begins before its first segment.
  await page.locator('[data-text]').first().focus();
  await page.keyboard.press('Control+Home');
  for (const id of ['s0', 's1']) {
    await page.keyboard.press('Control+ArrowDown');
    await expect.poll(() => caretOf(page)).toEqual([id, 0]);
  }
  await page.keyboard.type('X');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.text[0]).toBe('X');
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  await seek(page, startOf(3) + 100);
  await expect.poll(() => markedWord(page)).toBe(transcript.segments[3]?.words[0]?.text);
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual(['s4', 0]);
  await walkTo(page, 's3', 'ArrowUp');
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual(['s4', 0]);
  await walkTo(page, 's6', 'ArrowDown');
  await page.keyboard.press('F5');
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await playheadMs(page)).toBeGreaterThanOrEqual(startOf(6));
  // After a pause the playhead has moved on after a caret that was moved meanwhile.
  await walkTo(page, 's2', 'ArrowUp');
  await page.keyboard.press('Control+Space');
  await expect.poll(() => isPlaying(page)).toBe(false);
  const heardMs = await playheadMs(page);
  const heard = transcript.segments.findLastIndex(({ startMs }) => startMs <= heardMs);
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual([`s${String(heard + 1)}`, 0]);
  await walkTo(page, 's2', 'ArrowUp');
  await page.keyboard.press('Control+KeyL');
  await expect.poll(() => playheadMs(page)).toBe(startOf(2));
});

test('a press or a drag beside the words begins at the nearest letter; far below them, nowhere', async () => {
  const segments = transcript.segments.slice(0, 4);
  const { page, texts } = await rig.openText({ ...transcript, segments });
  const said = segments.map(({ text }) => text);
  const [, second, third, fourth] = await Promise.all(segments.map((_segment, at) => boxOf(page, at)));
  if (second === undefined || third === undefined || fourth === undefined) throw new Error('too few segments');
  const presses = [
    // Below a paragraph, right of a name, in the room beside the text, and between time and text.
    { x: third.x + third.width * 0.9, y: third.bottom + 5, segment: 2, written: `${said[2]}§` },
    { x: fourth.x + 400, y: fourth.y - 12, segment: 3, written: `${said[3]}§` },
    { x: third.right + 60, y: third.y + 10, segment: 2, written: `${said[2]}§` },
    { x: third.x - 6, y: third.y + 10, segment: 2, written: `§${said[2]}` },
  ];
  for (const { x, y, segment, written } of presses) {
    await page.mouse.click(x, y);
    await page.keyboard.type('§');
    await expect.poll(() => texts.nth(segment).textContent()).toBe(written);
    await page.keyboard.press('Control+z');
    await expect.poll(() => texts.nth(segment).textContent()).toBe(said[segment]);
  }
  expect([await playheadMs(page), await scrollTop(page)]).toEqual([0, 0]);

  for (const [to, expected] of [
    [third, said[2]],
    [second, `${said[1]}\n${said[2]}`],
  ] as const) {
    await page.mouse.move(third.right + 60, third.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 1, to.y + 10, { steps: 6 });
    await page.mouse.up();
    const taken = async () => {
      await page.keyboard.press('Control+c');
      return copied(page);
    };
    await expect.poll(taken).toContain(expected);
  }
  // A press on a time takes playback and caret to the start of its segment.
  await page.locator('[data-segment-time]').nth(3).click();
  await expect.poll(() => playheadMs(page)).toBe(startOf(3));
  await expect.poll(() => caretOf(page)).toEqual(['s3', 0]);
  for (const y of [fourth.bottom + 120, fourth.bottom + 200]) {
    await page.mouse.click(fourth.x + 200, y);
    expect(await page.evaluate(() => document.activeElement?.closest('[data-text]') ?? null)).toBeNull();
  }
  await page.keyboard.type('?');
  expect(await texts.allTextContents()).toEqual(said);
});
