import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Settings } from '../../shared/ipc/schemas.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { editorRig } from './support/editor-rig.ts';
import { partlyTooFast } from './support/too-fast.ts';
import { detailOf, sample } from './support/transcripts.ts';

const rig = editorRig();

const open = (options: Partial<Parameters<typeof rig.open>[0]> = {}) =>
  rig.open({
    detail: detailOf(partlyTooFast([2]), rig.server.addRecording(sample('interview-uz.mp3'))),
    settings: { checksCaptions: true },
    ...options,
  });
const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);
const rulesOf = (page: Page) => page.locator('[data-setting="captionRules"]');
const stored = async (page: Page) =>
  ((await callsOf(page, 'settings.update')) as readonly Partial<Settings>[]).at(-1)?.exportChoices?.srt;

test('a limit of captions that is typed or moved in the settings counts at once in an open transcript and in its export', async () => {
  const { page, complaints, close } = await open();
  const editor = await page.evaluate(() => location.hash);
  await page
    .locator('[data-index="2"]')
    .getByText(/CPS.*, limit 17/u)
    .first()
    .waitFor();
  await goTo(page, '#/settings/editor');
  const rules = rulesOf(page);
  const speed = rules.getByRole('textbox', { name: 'Reading speed, at most: Uzbek' });
  await speed.fill('18');
  await speed.press('Enter');
  await expect.poll(() => stored(page)).toEqual({ 'charactersPerSecond.uz': 18 });
  await rules.getByRole('slider', { name: 'Reading speed, at most: Uzbek' }).press('ArrowRight');
  await rules.getByRole('radiogroup', { name: 'Lines per caption' }).getByText('1').click();
  await expect.poll(() => stored(page)).toEqual({ 'charactersPerSecond.uz': 19, linesPerCue: 1 });
  expect(await speed.inputValue()).toBe('19');
  // Those of the other languages stay as they were.
  for (const [language, limit] of [
    ['Russian', '17'],
    ['English', '20'],
  ] as const)
    expect(await rules.getByRole('textbox', { name: `Reading speed, at most: ${language}` }).inputValue()).toBe(limit);
  expect(await tellBarriers(page)).toEqual([]);
  await goTo(page, editor);
  await page
    .locator('[data-index="2"]')
    .getByText(/CPS.*, limit 19/u)
    .first()
    .waitFor();
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Reading speed, at most' }).inputValue()).toBe('19');
  expect(await dialog.getByRole('combobox', { name: 'Caption style' }).inputValue()).toBe('own');
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['en', 'Type a number from 8 to 40 CPS.', '0.9', '20.5', 'The shortest time can’t be above the longest, 4500 ms.'],
  [
    'ru',
    'Введите число от 8 до 40 симв./с.',
    '0,9',
    '20,5',
    'Самый короткий показ не может быть дольше самого долгого: 4500 мс.',
  ],
  ['uz', '8 dan 40 belgi/s gacha son yozing.', '0,9', '20,5', 'Eng qisqa vaqt eng uzunidan koʻp boʻlolmaydi: 4500 ms.'],
] as const)(
  'a limit that can’t be is refused in words, where it was typed (%s)',
  async (language, outside, tooLow, tooHigh, above) => {
    const { page, close } = await open({
      language,
      size: { width: 960, height: 640 },
      settings: { exportChoices: { srt: { maximumMs: 4000 } } },
    });
    await goTo(page, '#/settings/editor');
    const fields = rulesOf(page).getByRole('textbox');
    await fields.nth(3).fill('100');
    await fields.nth(3).press('Enter');
    await rulesOf(page).getByText(outside).waitFor();
    await fields.nth(3).fill('');
    await fields.nth(3).press('Tab');
    await rulesOf(page).getByText(outside).waitFor();
    expect(await fields.nth(3).getAttribute('aria-invalid')).toBe('true');
    await fields.nth(3).press('Escape');
    await expect.poll(() => rulesOf(page).getByRole('alert').count()).toBe(0);
    const longest = fields.nth(7);
    for (const wrong of [tooLow, tooHigh]) {
      await longest.fill(wrong);
      await longest.press('Enter');
      await expect.poll(() => rulesOf(page).getByRole('alert').count()).toBe(1);
    }
    // Both decimal signs are understood.
    for (const typed of ['4.5', '4,5']) {
      await longest.fill(typed);
      await longest.press('Enter');
      await expect.poll(() => stored(page)).toEqual({ maximumMs: 4500 });
    }
    expect(await longest.inputValue()).toBe(language === 'en' ? '4.5' : '4,5');
    const shortest = fields.nth(6);
    await shortest.fill('4600');
    await shortest.press('Enter');
    await rulesOf(page).getByText(above).waitFor();
    await close();
  },
);

test('changed limits go back to the style they began with, and “Ovoz Studio” is that of each language again', async () => {
  const { page, close } = await open();
  await goTo(page, '#/settings/editor');
  const rules = rulesOf(page);
  const style = rules.getByRole('combobox', { name: 'Caption style' });
  await style.selectOption({ label: 'BBC' });
  await expect.poll(async () => (await stored(page))?.['charactersPerLine']).toBe(37);
  const letters = rules.getByRole('textbox', { name: 'Characters per line: Uzbek' });
  await letters.fill('40');
  await letters.press('Enter');
  await rules.getByRole('button', { name: 'Reset to “BBC”' }).click();
  await expect.poll(() => letters.inputValue()).toBe('37');
  await letters.fill('41');
  await letters.press('Enter');
  await style.selectOption({ label: 'Ovoz Studio' });
  await expect.poll(() => stored(page)).toEqual({});
  const russian = rules.getByRole('textbox', { name: 'Characters per line: Russian' });
  await expect.poll(() => russian.inputValue()).toBe('39');
  expect(await rules.getByRole('button', { name: /^Reset/u }).count()).toBe(0);
  await close();
});
