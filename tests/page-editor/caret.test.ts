import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { isCut } from '../../shared/domain/transcript/transcript.ts';
import { caretOf, goTo, lanePane, noticesOf, onDisk, pressKeys } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { longTranscript, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

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

test('a cut takes the words with selected letters, and with only a space selected the word before it', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts } = await rig.openText(transcript);
  const cut = async () => {
    await page.keyboard.press('Control+Shift+KeyK');
    await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.words.filter(isCut)).toHaveLength(1);
    const words = (await onDisk(page, transcript)).segments[0]?.words.filter(isCut).map(({ text }) => text);
    await page.keyboard.press('Control+Shift+KeyK');
    await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.words.some(isCut)).toBe(false);
    return words;
  };
  // As Chromium on Linux does by a double-click beside the last letter, and on Windows by one in the word.
  for (const [from, selected] of [
    [8, ' '],
    [0, 'Assalomu '],
  ] as const) {
    await texts.first().click();
    await pressKeys(page, 'Home', ...Array<string>(from).fill('ArrowRight'));
    await pressKeys(page, ...Array<string>(selected.length).fill('Shift+ArrowRight'));
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(selected);
    expect(await cut()).toEqual(['Assalomu']);
  }
});
