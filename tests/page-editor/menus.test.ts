import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { listedTranscript } from '../support/listed-transcript.ts';
import { copied, enter, pressKeys } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const said = transcript.segments.map(({ text }) => text);
const [, ...rest] = (said[0] ?? '').split(' ');
const choose = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name }).click();
const write = (page: Page, text: string) => page.evaluate((next) => navigator.clipboard.writeText(next), text);

/** Main answers the request of the menu with the browser's own pasting. */
async function pasteByMenu(page: Page, times: number) {
  await choose(page, /^Paste/u);
  await expect.poll(() => callsOf(page, 'window.paste').then(({ length }) => length)).toBe(times);
  const browser = await page.context().newCDPSession(page);
  const key = { key: 'Unidentified', windowsVirtualKeyCode: 0 };
  await browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['Paste'], ...key });
}

test('"Paste" of the menu pastes at the pointer, or over the selected letters or segments there', async () => {
  const { page, texts } = await rig.openText(transcript);
  await write(page, 'yana');
  await texts.first().click();
  await pressKeys(page, 'Home', 'Control+Shift+ArrowRight');
  await texts.first().click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(page, 1);
  await expect.poll(() => texts.first().textContent()).toBe(['yana', ...rest].join(' '));
  await pressKeys(page, 'Home', 'Shift+ArrowDown');
  await texts.nth(2).click({ button: 'right', position: { x: 1, y: 10 } });
  await pasteByMenu(page, 2);
  await expect.poll(() => texts.nth(2).textContent()).toBe(`yana ${said[2] ?? ''}`);
  expect(await texts.nth(1).textContent()).toBe(said[1]);
  const count = await texts.count();
  await texts.first().click();
  await pressKeys(page, 'Home', 'Shift+ArrowDown');
  await texts.nth(1).click({ button: 'right', position: { x: 5, y: 10 } });
  await pasteByMenu(page, 3);
  await expect.poll(() => texts.first().textContent()).toMatch(/^yana( |$)/u);
  expect(await texts.count()).toBeLessThan(count);
});

test('copied segments are pasted without names, one by one over as many; search fields stay apart', async () => {
  const { page, texts } = await rig.openText(transcript);
  const textsOf = () => texts.allTextContents();
  const selectTwo = async (at: number) => {
    await texts.nth(at).click();
    await pressKeys(page, 'Home', 'Shift+ArrowDown');
  };
  await selectTwo(0);
  await page.keyboard.press('Control+c');
  await expect.poll(() => copied(page)).toBe(`Dilnoza Karimova: ${said[0] ?? ''}\n${said[1] ?? ''}`);
  for (const key of ['Control+k', 'Control+f']) {
    await page.keyboard.press(key);
    const field = page.locator('input:focus');
    await field.fill('');
    await page.keyboard.press('Control+v');
    await expect.poll(() => field.inputValue()).toContain('Dilnoza Karimova');
    await pressKeys(page, 'Control+a', 'Control+x');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
  }
  await selectTwo(0);
  await pressKeys(page, 'Control+c', 'Control+v');
  await expect.poll(() => page.locator('[data-text]:focus').count()).toBe(1);
  expect(await textsOf()).toEqual(said);
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  await selectTwo(3);
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await textsOf()).slice(3, 6)).toEqual([said[0], said[1], said[5]]);
  await page.keyboard.press('Control+z');
  await expect.poll(textsOf).toEqual(said);
  await texts.nth(5).click();
  await pressKeys(page, 'End', 'Control+v');
  await expect.poll(() => texts.nth(5).textContent()).toBe([said[5], said[0], said[1]].join(' '));
  // The end of a long pasted text is in view, where the caret is.
  await write(page, 'uzun matn '.repeat(600));
  await page.keyboard.press('Control+v');
  const hidden = () =>
    page.evaluate(() => {
      const line = document.getSelection()?.getRangeAt(0).getClientRects()[0];
      const pane = document.querySelector('[data-pane="text"] > section')?.getBoundingClientRect();
      if (line === undefined || pane === undefined) return Infinity;
      return Math.max(0, pane.top - line.top, line.bottom - pane.bottom);
    });
  await expect.poll(hidden).toBe(0);
});

test('the title is copied and renamed; what was typed is saved before the text goes to the trash', async () => {
  const listed = listedTranscript('t1', { title: 'Suhbat' });
  const { page, texts } = await rig.openText(transcript, {
    answers: {
      'transcripts.list': { transcripts: [listed] },
      'transcripts.rename': { title: 'Gʻoya' },
      'library.rename': {},
      'library.trash': {},
    },
  });
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  const field = page.getByRole('textbox', { name: 'Title' });
  const shown = (await title.textContent()) ?? '';
  await title.click({ button: 'right' });
  await choose(page, 'Copy the title');
  await expect.poll(() => copied(page)).toBe(shown);
  await title.click();
  await field.fill('Something else');
  await page.keyboard.press('Escape');
  await expect.poll(() => title.textContent()).toBe(shown);
  await title.click({ button: 'right' });
  await choose(page, 'Rename…');
  // It keeps the menu of the system.
  await field.click({ button: 'right' });
  expect(await page.getByRole('menu').count()).toBe(0);
  await enter(field, "  G'oya ");
  await expect.poll(() => title.textContent()).toBe('Gʻoya');
  expect(await callsOf(page, 'transcripts.rename')).toEqual([{ transcriptId: 't1', title: 'Gʻoya' }]);
  const recent = page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: 'Suhbat' });
  await recent.click({ button: 'right' });
  await choose(page, 'Rename…');
  await enter(page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'Ustaxonada');
  await expect.poll(() => title.textContent()).toBe('Ustaxonada');
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Xoʻsh.');
  await recent.click({ button: 'right' });
  await choose(page, 'Move to the trash');
  await expect.poll(() => callsOf(page, 'library.trash')).toHaveLength(1);
  const calls = await page.evaluate(() => window.fakeStudio.calls.map(({ method }) => method));
  expect(calls.lastIndexOf('transcripts.edit')).toBeGreaterThan(0);
  expect(calls.lastIndexOf('transcripts.edit')).toBeLessThan(calls.indexOf('library.trash'));
});

test('a button whose menu was left with Esc has the focus back, and no tip until the pointer or Tab comes', async () => {
  const { page } = await rig.openText(transcript);
  const button = page.getByRole('button', { name: 'More', exact: true });
  await button.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => button.evaluate((own) => own === document.activeElement)).toBe(true);
  await painted(page);
  expect(await page.getByRole('tooltip').count()).toBe(0);
  await pressKeys(page, 'Tab', 'Shift+Tab');
  await page.getByRole('tooltip').waitFor();
});
