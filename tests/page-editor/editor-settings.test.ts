import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { someSettings } from '../support/studio-plan.ts';
import { playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = () =>
  rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), rig.server.addRecording(sample('interview-uz.mp3'))),
  });
const goTo = async (page: Page, hash: string) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
};

test('keys, buttons and all names of the jump follow the length that was chosen in the settings', async () => {
  const { page, complaints, close } = await open();
  const editor = await page.evaluate(() => location.hash);
  await waitForSound(page);
  await page.getByRole('button', { name: 'Forward 5 seconds' }).click();
  await expect.poll(() => playheadMs(page)).toBe(5000);
  await goTo(page, '#/settings/editor');
  const jump = page.getByRole('radiogroup', { name: 'Jump back and forward' });
  expect(await jump.getByRole('radio').evaluateAll((all) => all.map((one) => one.parentElement?.textContent))).toEqual([
    '1 s',
    '2 s',
    '3 s',
    '5 s',
    '10 s',
    '15 s',
    '30 s',
  ]);
  await jump.getByText('10 s', { exact: true }).click();
  expect(await tellBarriers(page)).toEqual([]);
  await expect.poll(() => callsOf(page, 'settings.update')).toContainEqual({ jumpMs: 10_000 });

  await goTo(page, editor);
  await waitForSound(page);
  const start = await playheadMs(page);
  await page.keyboard.press('F2');
  await expect.poll(() => playheadMs(page)).toBe(start + 10_000);
  await page.getByRole('button', { name: 'Forward 10 seconds' }).click();
  await expect.poll(() => playheadMs(page)).toBe(start + 20_000);
  await page.getByRole('button', { name: 'Back 10 seconds' }).click();
  await expect.poll(() => playheadMs(page)).toBe(start + 10_000);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Back 10');
  await page.getByRole('option', { name: 'Back 10 seconds' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Slash');
  await page.getByText('Forward 10 seconds', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await goTo(page, '#/settings/shortcuts');
  await page.getByRole('button', { name: 'Change the keys: Back 10 seconds' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the rewind on pause is in the settings as well as in the menu of the speed', async () => {
  const { page, close } = await open();
  await goTo(page, '#/settings/editor/rewind');
  const rewind = page.getByRole('radiogroup', { name: 'Rewind on pause' });
  await rewind.getByText('2 s', { exact: true }).click();
  await expect.poll(() => callsOf(page, 'settings.update')).toContainEqual({ rewindOnPauseMs: 2000 });
  await page.goBack();
  await page.getByRole('button', { name: 'Speed 1×' }).click();
  await page.getByRole('menuitem', { name: 'Rewind on pause' }).click();
  await expect.poll(() => page.getByRole('menuitemradio', { name: '2 s' }).getAttribute('aria-checked')).toBe('true');
  await close();
});

test('F3 and F4 step through the speeds that the menu offers', async () => {
  const { page, close } = await open();
  await waitForSound(page);
  const speed = page.getByRole('button', { name: /^Speed/ });
  const said: (string | null)[] = [];
  for (const key of ['F4', 'F4', 'F4', 'F4', 'F4', 'F4', 'F4', 'F3', 'Shift+F5']) {
    const before = await speed.textContent();
    await page.keyboard.press(key);
    if (said.at(-1) !== '3×' || key !== 'F4') await expect.poll(() => speed.textContent()).not.toBe(before);
    said.push(await speed.textContent());
  }
  expect(said).toEqual(['1.25×', '1.5×', '1.75×', '2×', '2.5×', '3×', '3×', '2.5×', '2×']);
  await speed.click();
  await expect.poll(() => page.getByRole('menuitemradio', { name: '2×' }).getAttribute('aria-checked')).toBe('true');
  await close();
});

test('the settings show the limits of captions by language, and lead to the export and to the typeface', async () => {
  const detail = detailOf(sampleTranscript('interview-uz'), null);
  const { id, title } = detail;
  const listed = {
    id,
    title,
    sourceName: 'interview-uz.mp3',
    createdAtMs: 1,
    openedAtMs: null,
    isAtService: true,
    language: 'uz' as const,
    wordCount: 90,
    durationMs: 40_000,
    hasRecording: true,
    credits: null,
  };
  const { page, complaints, close } = await rig.open({
    detail,
    answers: { 'transcripts.list': { transcripts: [listed] } },
  });
  await goTo(page, '#/settings/editor');
  const rules = page.locator('[data-setting="captionRules"]');
  const limits = (name: string) =>
    Promise.all(
      ['Uzbek', 'Russian', 'English'].map((language) =>
        rules.getByRole('textbox', { name: `${name}: ${language}` }).inputValue(),
      ),
    );
  await expect.poll(() => limits('Reading speed, at most')).toEqual(['17', '17', '20']);
  expect(await limits('Characters per line')).toEqual(['42', '39', '42']);
  expect(await tellBarriers(page)).toEqual([]);
  const chosen = { charactersPerSecond: 15, charactersPerLine: 40 };
  await emitEvent(page, 'settings.changed', { ...someSettings, exportChoices: { srt: chosen } });
  // As they were stored when one number counted for all languages.
  await expect.poll(() => limits('Reading speed, at most')).toEqual(['15', '15', '15']);
  await page.getByRole('link', { name: 'In General, under Appearance' }).click();
  await page.waitForFunction(() => document.activeElement?.closest('[data-setting="typeface"]') !== null);
  await goTo(page, '#/settings/editor');
  await rules.getByRole('link', { name: /in the export of “/u }).click();
  const style = page.getByRole('dialog', { name: 'Export' }).getByRole('combobox', { name: 'Caption style' });
  await style.waitFor();
  await expect.poll(() => style.evaluate((select) => select === document.activeElement)).toBe(true);
  // The address no longer asks for the export, which a window that is loaded again would open.
  await page.waitForFunction((to) => location.hash === to, `#/transcripts/${id}`);
  await page.keyboard.press('Escape');
  await style.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('[data-pane="text"]').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
