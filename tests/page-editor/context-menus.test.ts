import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { listedTranscript } from '../support/listed-transcript.ts';
import { isPlaying, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

const open = () => rig.openText(transcript);
const choose = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name }).click();
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a right click on the overview plays from there, sets A and B there, and brings the lane there closer', async () => {
  const { page, complaints, close } = await open();
  const box = await page.locator('[data-pane="lane"] canvas').first().boundingBox();
  if (box === null) throw new Error('no overview');
  const pressAt = async (part: number) => {
    await page.mouse.click(box.x + box.width * part, box.y + box.height / 2, { button: 'right' });
    await page.getByRole('menu', { name: 'Whole recording' }).waitFor();
  };
  await pressAt(0.25);
  expect(await playheadMs(page)).toBe(0);
  await choose(page, 'Loop from here (A)');
  await pressAt(0.75);
  await choose(page, 'Loop up to here (B)');
  const range = page.getByRole('toolbar', { name: /^Selection/u });
  const seconds = Number.parseFloat((await range.textContent()) ?? '');
  expect(Math.abs(seconds * 1000 - transcript.durationMs / 2)).toBeLessThan(200);
  await pressAt(0.5);
  await choose(page, 'Clear selection');
  await expect.poll(() => range.count()).toBe(0);
  await pressAt(0.8);
  await choose(page, 'Zoom in here');
  const frame = page.locator('[data-pane="lane"] [style*="inset-inline-start"][style*="inline-size"]').first();
  const middle = async () => {
    const shown = await frame.boundingBox();
    return shown === null ? -1 : (shown.x + shown.width / 2 - box.x) / box.width;
  };
  // Half of the recording is seen at most, so its last fifth can't be quite in the middle.
  await expect.poll(middle).toBeGreaterThan(0.7);
  await pressAt(0.5);
  await choose(page, /^Play from/u);
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await playheadMs(page)).toBeGreaterThan(transcript.durationMs * 0.45);
  expect(complaints).toEqual([]);
  await close();
});

test('the first segment has nothing to be merged with: the menu and the key say so, and the next one is merged', async () => {
  const { page, complaints, close } = await open();
  const texts = page.locator('[data-text]');
  await texts.first().click({ button: 'right' });
  const merge = page.getByRole('menuitem', { name: /^Merge with previous/u });
  await expect.poll(() => merge.textContent()).toContain('First segment');
  expect(await merge.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await texts.first().click();
  await page.keyboard.press('Control+Shift+m');
  await page.getByText('This is the first segment: there is nothing before it to merge with.').waitFor();
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  await texts.nth(1).click({ button: 'right' });
  expect(await merge.textContent()).not.toContain('First segment');
  await merge.click();
  const [first, second] = transcript.segments;
  await expect.poll(() => texts.first().textContent()).toBe(`${first?.text ?? ''} ${second?.text ?? ''}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a right click on the title offers to rename and to copy it, and its field keeps the menu of the system', async () => {
  const { page, complaints, close } = await open();
  const title = page.getByRole('heading', { level: 1 });
  const shown = (await title.textContent()) ?? '';
  await title.getByRole('button').click({ button: 'right' });
  await choose(page, 'Copy the title');
  await expect.poll(() => copied(page)).toBe(shown);
  await title.getByRole('button').click({ button: 'right' });
  await choose(page, 'Rename…');
  const field = page.getByRole('textbox', { name: 'Title' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await field.click({ button: 'right' });
  expect(await page.getByRole('menu').count()).toBe(0);
  await field.fill('Suhbat');
  await field.press('Enter');
  await expect
    .poll(() => callsOf(page, 'transcripts.rename').then((calls) => JSON.stringify(calls)))
    .toContain('Suhbat');
  expect(complaints).toEqual([]);
  await close();
});

test('a right click on the transport plays and loops, goes to a time, and copies the time of the playhead', async () => {
  const { page, complaints, close } = await open();
  const bar = page.locator('[data-pane="transport"]');
  const press = () => bar.click({ button: 'right', position: { x: 250, y: 10 } });
  await page.keyboard.press('F2');
  await press();
  await choose(page, 'Copy 00:05.000');
  await expect.poll(() => copied(page)).toBe('00:05.000');
  await press();
  await choose(page, 'Loop segment');
  await press();
  await page.getByRole('menuitem', { name: 'Stop looping' }).waitFor();
  await choose(page, 'Go to a time…');
  const field = page.getByRole('textbox', { name: 'Go to a time…' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await field.press('Escape');
  await press();
  await choose(page, /^Play/u);
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test.each(['en', 'ru', 'uz'] as const)(
  'every menu is seen whole in the smallest window, wherever it is opened (%s)',
  async (language) => {
    const detail = detailOf(longTranscript(30), rig.server.addRecording(sample('interview-uz.mp3')));
    const { page, close } = await rig.open({
      detail,
      language,
      size: { width: 960, height: 640 },
    });
    await waitForSound(page);
    const menu = page.getByRole('menu');
    const isWhole = () =>
      menu.evaluate((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        const isInside = top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth;
        return isInside && element.scrollHeight <= element.clientHeight;
      });
    const names = page.locator('[data-pane="text"] [aria-haspopup="menu"]:visible');
    const text = await page.locator('[data-pane="text"] > section').boundingBox();
    if (text === null) throw new Error('no text');
    let seen = 0;
    for (const name of await names.all()) {
      const box = await name.boundingBox();
      if (box === null || box.y + box.height > text.y + text.height) continue;
      await name.click();
      await menu.waitFor();
      await expect.poll(isWhole).toBe(true);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      seen += 1;
    }
    expect(seen).toBeGreaterThan(1);
    for (const part of [0.05, 0.5, 0.95]) {
      await page.mouse.click(text.x + text.width / 2, text.y + text.height * part, { button: 'right' });
      await menu.waitFor();
      await expect.poll(isWhole).toBe(true);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
    await close();
  },
);

test('without a recording nothing is listened to again or cut from it, and the menu says why; one segment needs no number', async () => {
  const { page, close } = await rig.open({ detail: detailOf(sampleTranscript('interview-uz'), null), language: 'ru' });
  await page.locator('[data-text]').first().click({ button: 'right' });
  for (const name of ['Расшифровать этот отрывок заново… нет записи', 'Вырезать из аудио нет записи'])
    expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('menuitem', { name: 'Удалить фрагмент', exact: true }).waitFor();
  await close();
});

test('the open transcript gets its new name from the list of recent ones, and what was typed is saved before it goes to the trash', async () => {
  const listed = listedTranscript('t1', {
    title: 'Suhbat',
    createdAtMs: 1,
    isAtService: false,
    wordCount: 90,
    credits: null,
  });
  const answers = {
    'transcripts.list': { transcripts: [listed] },
    'library.rename': {},
    'library.trash': {},
  };
  const { page, texts, complaints, close } = await rig.openText(transcript, { answers });
  const recent = page.getByRole('region', { name: 'Recent' }).getByRole('link', { name: 'Suhbat' });
  await recent.click({ button: 'right' });
  await choose(page, 'Rename…');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Ustaxonada');
  await page.keyboard.press('Enter');
  await page.locator('[data-pane]').getByText('Ustaxonada', { exact: true }).first().waitFor();
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Xoʻsh.');
  await recent.click({ button: 'right' });
  await choose(page, 'Move to the trash');
  await expect.poll(() => callsOf(page, 'library.trash')).toHaveLength(1);
  const calls = await page.evaluate(() => window.fakeStudio.calls.map(({ method }) => method));
  expect(calls.lastIndexOf('transcripts.edit')).toBeGreaterThan(0);
  expect(calls.lastIndexOf('transcripts.edit')).toBeLessThan(calls.indexOf('library.trash'));
  expect(complaints).toEqual([]);
  await close();
});

test('the edit menu of the app undoes what was typed, and nothing when nothing was', async () => {
  const { page, complaints, close } = await open();
  const first = page.locator('[data-text]').first();
  const before = await first.textContent();
  const undo = async () => {
    await page.keyboard.press('F10');
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    return page.getByRole('menuitem', { name: /^Undo/u });
  };
  await first.click();
  expect(await (await undo()).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').first().waitFor({ state: 'detached' });
  await first.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' va yana');
  await (await undo()).click();
  await expect.poll(() => first.textContent()).toBe(before);
  expect(complaints).toEqual([]);
  await close();
});
