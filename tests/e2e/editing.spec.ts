import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';
import { turn } from '../support/turn.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));

const shown = (page: Page) => expect(page.locator('[data-text]').first()).toBeVisible();
const openAgain = async (page: Page, address: string) => {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, address);
  await shown(page);
};
const textsOf = (page: Page) => page.locator('[data-text]').allTextContents();

test('a corrected text is there again after quitting and after kill -9, with its speakers; what was taken back is not', async () => {
  const dataDir = newDataDir();
  let studio = await startStudio({ dataDir });
  try {
    await turn(studio.page.getByRole('radio', { name: /practice mode/i }));
    await studio.page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(studio.page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(studio.page, [sample]);
    const row = studio.page.getByRole('row').filter({ hasText: 'interview-uz.mp3' });
    await expect(row.getByText('Done')).toBeVisible({ timeout: 30_000 });
    await row.getByRole('button', { name: 'Open' }).click();
    const { page } = studio;
    await shown(page);
    const address = await page.evaluate(() => window.location.hash);
    const texts = page.locator('[data-text]');
    const before = await textsOf(page);

    await texts.first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Xush kelibsiz.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await texts.nth(1).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('Enter');
    await expect(texts.nth(1)).toHaveText((before[1] ?? '').split(' ')[0] ?? '');
    await page.keyboard.press('Control+z');
    await expect(texts.nth(1)).toHaveText(before[1] ?? '');
    await expect(page.getByText('Saved on this computer')).toBeVisible();
    const edited = await textsOf(page);
    expect(edited).toEqual([`${before[0]} Xush kelibsiz.`, ...before.slice(1)]);
    await studio.quit();

    studio = await startStudio({ dataDir });
    await openAgain(studio.page, address);
    expect(await textsOf(studio.page)).toEqual(edited);
    await studio.page.locator('[data-text]').nth(2).click();
    await studio.page.keyboard.press('End');
    await studio.page.keyboard.type(' Rahmat.');
    await expect(studio.page.getByText('Saved on this computer')).toBeVisible({ timeout: 2_000 });
    const last = await textsOf(studio.page);
    const ended = new Promise((resolve) => studio.app.process().once('exit', resolve));
    studio.app.process().kill('SIGKILL');
    await ended;

    studio = await startStudio({ dataDir });
    await openAgain(studio.page, address);
    expect(await textsOf(studio.page)).toEqual(last);
    expect(last[2]).toBe(`${before[2]} Rahmat.`);
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
