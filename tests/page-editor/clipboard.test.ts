import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first] = transcript.segments;
if (first === undefined) throw new Error('no segment');
/** The first segment with its first word redacted. */
const redacted = {
  ...transcript,
  segments: transcript.segments.map((segment) =>
    segment !== first
      ? segment
      : {
          ...segment,
          words: segment.words.map((word, at) => (at === 0 ? { ...word, mark: 'redacted' as const } : word)),
        },
  ),
};
const [head, ...rest] = first.text.split(' ');
const masked = ['█████', ...rest].join(' ');
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('redacted words are masked in what is copied and cut, of one segment and of several, by keys and by the menu', async () => {
  const { page, texts, complaints, close } = await rig.openText(redacted);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toBe(masked);
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toContain(`${masked}\n`);
  expect(await copied(page)).not.toContain(head);
  await page.keyboard.press('Escape');
  for (const name of [/^Copy( Ctrl|$)/u, /^Copy with/u]) {
    await page.evaluate(() => navigator.clipboard.writeText('nothing'));
    await texts.first().click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await texts.first().click({ button: 'right', position: { x: 5, y: 10 } });
    await page.getByRole('menuitem', { name }).click();
    await expect.poll(() => copied(page)).toContain('█████');
    expect(await copied(page)).not.toContain(head);
  }
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.press('Control+x');
  await expect.poll(() => texts.first().textContent()).toBe(rest.join(' '));
  expect((await copied(page)).trim()).toBe('█████');
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect(complaints).toEqual([]);
  await close();
});

test('what is typed after a paste follows it and its space, also where spaces were typed before that the text does not keep', async () => {
  const { page, texts, close } = await rig.openText(transcript);
  await page.evaluate(() => navigator.clipboard.writeText('yana'));
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.type('  ha  ');
  await page.keyboard.press('Control+v');
  await expect.poll(() => texts.first().textContent()).toBe([head, 'ha', 'yana', ...rest].join(' '));
  await page.keyboard.type('X');
  await expect.poll(() => texts.first().textContent()).toBe([head, 'ha', 'yana', `X${rest.join(' ')}`].join(' '));
  await close();
});

/** Main answers the request of the menu with the browser's own pasting. */
async function pasteByMenu(page: Page, times: number) {
  await page.getByRole('menuitem', { name: /^Paste/u }).click();
  await expect.poll(() => callsOf(page, 'window.paste').then(({ length }) => length)).toBe(times);
  const browser = await page.context().newCDPSession(page);
  const key = { key: 'Unidentified', windowsVirtualKeyCode: 0 };
  await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['Paste'], ...key });
}

test('a right click without a selection puts the caret there and selects nothing: "Paste" and typing go there, "Cut" and "Copy" have nothing', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await texts.nth(2).click();
  const text = transcript.segments[2]?.text ?? '';
  const [, word = ''] = text.split(' ');
  const inWord = await texts.nth(2).evaluate((host) => {
    const range = document.createRange();
    range.setStart(host.firstChild ?? host, 5);
    const [at, own] = [range.getBoundingClientRect(), host.getBoundingClientRect()];
    return { x: at.left - own.left, y: at.top + at.height / 2 - own.top };
  });
  const open = () => texts.nth(2).click({ button: 'right', position: inWord });
  await open();
  for (const name of [/^Cut( Ctrl|$)/u, /^Copy( Ctrl|$)/u])
    expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true');
  expect(await page.evaluate(() => CSS.highlights.get('ovoz-selected')?.size ?? 0)).toBe(0);
  // What is meant for words applies to the one at the caret, and says so.
  for (const name of [/^Cut from audio/u, /^Redact/u])
    expect(await page.getByRole('menuitem', { name }).textContent()).toContain(word);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.type('X');
  await expect.poll(() => texts.nth(2).textContent()).toBe(`${text.slice(0, 5)}X${text.slice(5)}`);
  await page.keyboard.press('Control+z');
  await page.evaluate(() => navigator.clipboard.writeText('QOʻSHIMCHA '));
  await open();
  await pasteByMenu(page, 1);
  await expect.poll(() => texts.nth(2).textContent()).toBe(`${text.slice(0, 5)}QOʻSHIMCHA ${text.slice(5)}`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(2).textContent()).toBe(text);
  // Behind the last word too, for what is typed next.
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await page.keyboard.type('yana');
  await expect.poll(() => texts.nth(2).textContent()).toMatch(/QOʻSHIMCHA yana$/u);
  // A selection elsewhere is over, so that nothing pastes over it.
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await open();
  await pasteByMenu(page, 2);
  await expect.poll(() => texts.nth(2).textContent()).toMatch(/QOʻSHIMCHA.*QOʻSHIMCHA/u);
  expect(await texts.first().textContent()).toBe(transcript.segments[0]?.text);
  expect(complaints).toEqual([]);
  await close();
});

test('"Paste" of the menu pastes what the key would: at the pointer, over the selected letters, and over several segments', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await page.evaluate(() => navigator.clipboard.writeText('yana'));
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await texts.first().click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(page, 1);
  await expect.poll(() => texts.first().textContent()).toBe(['yana', ...rest].join(' '));
  await page.keyboard.type('X');
  await expect.poll(() => texts.first().textContent()).toMatch(/^yana ?X/u);
  await texts.nth(2).click({ button: 'right', position: { x: 1, y: 10 } });
  await pasteByMenu(page, 2);
  await expect.poll(() => texts.nth(2).textContent()).toBe(`yana ${transcript.segments[2]?.text ?? ''}`);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  const count = await texts.count();
  await texts.nth(1).click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(page, 3);
  await expect.poll(() => texts.first().textContent()).toMatch(/^yana( |$)/u);
  expect(await texts.count()).toBeLessThan(count);
  expect(complaints).toEqual([]);
  await close();
});

const textsOf = (page: Page) => page.locator('[data-text]').allTextContents();

test('what is cut and pasted in a search field while segments are selected leaves the transcript alone', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  const before = await textsOf(page);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  for (const key of ['Control+k', 'Control+f']) {
    await page.keyboard.press(key);
    const field = page.locator('input:focus');
    await field.fill('');
    await page.keyboard.press('Control+v');
    await expect.poll(() => field.inputValue()).toContain('Dilnoza Karimova');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+x');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
  }
  expect(await textsOf(page)).toEqual(before);
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('copied segments are pasted without the names of their speakers, into as many selected ones one by one', async () => {
  const { page, texts, complaints, close } = await rig.openText(redacted);
  const before = await textsOf(page);
  const selectTwo = async (at: number) => {
    await texts.nth(at).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
  };
  await selectTwo(0);
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toBe(`Dilnoza Karimova: ${masked}\n${before[1] ?? ''}`);
  // Over itself nothing changes, not even what is masked in the copy.
  await page.keyboard.press('Control+v');
  await expect.poll(() => page.locator('[data-text]:focus').count()).toBe(1);
  expect(await textsOf(page)).toEqual(before);
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  await selectTwo(3);
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await textsOf(page)).slice(3, 6)).toEqual([masked, before[1], before[5]]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => textsOf(page)).toEqual(before);
  await texts.nth(5).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await expect.poll(() => texts.nth(5).textContent()).toBe(`${before[5] ?? ''} ${masked} ${before[1] ?? ''}`);
  expect(complaints).toEqual([]);
  await close();
});

test.each(['', ' '])('the end of a long pasted text is in view, where the caret is, with %j behind it', async (end) => {
  const { page, texts, close } = await rig.openText(transcript);
  await page.evaluate((text) => navigator.clipboard.writeText(text), 'uzun matn '.repeat(600).trim() + end);
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await expect.poll(() => texts.first().textContent()).toMatch(/uzun matn\s?$/u);
  const distances = () =>
    page.evaluate(() => {
      const line = document.getSelection()?.getRangeAt(0).getClientRects()[0];
      const pane = document.querySelector('[data-pane="text"] > section')?.getBoundingClientRect();
      return [(line?.top ?? -1) - (pane?.top ?? 0), (pane?.bottom ?? 0) - (line?.bottom ?? Infinity)];
    });
  await expect.poll(async () => Math.min(...(await distances()))).toBeGreaterThanOrEqual(0);
  await close();
});
