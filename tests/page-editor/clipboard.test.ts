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

test('"Paste" of the menu pastes what the key would: at the pointer, over the selected letters, and over several segments', async () => {
  const { page, texts, complaints, close } = await rig.openText(transcript);
  await page.evaluate(() => navigator.clipboard.writeText('yana'));
  /** Main answers the request with the browser's own pasting. */
  const pasteByMenu = async (times: number) => {
    await page.getByRole('menuitem', { name: /^Paste/u }).click();
    await expect.poll(() => callsOf(page, 'window.paste').then(({ length }) => length)).toBe(times);
    const browser = await page.context().newCDPSession(page);
    const key = { key: 'Unidentified', windowsVirtualKeyCode: 0 };
    await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['Paste'], ...key });
  };
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await texts.first().click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(1);
  await expect.poll(() => texts.first().textContent()).toBe(['yana', ...rest].join(' '));
  await page.keyboard.type('X');
  await expect.poll(() => texts.first().textContent()).toMatch(/^yana ?X/u);
  await texts.nth(2).click({ button: 'right', position: { x: 1, y: 10 } });
  await pasteByMenu(2);
  await expect.poll(() => texts.nth(2).textContent()).toBe(`yana ${transcript.segments[2]?.text ?? ''}`);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  const count = await texts.count();
  await texts.nth(1).click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(3);
  await expect.poll(() => texts.first().textContent()).toMatch(/^yana( |$)/u);
  expect(await texts.count()).toBeLessThan(count);
  expect(complaints).toEqual([]);
  await close();
});
