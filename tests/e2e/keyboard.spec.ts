import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { openFromDialog, saveByDialog, test } from './support/journey.ts';

const sample = fileURLToPath(new URL('../../assets/samples/podcast-en.flac', import.meta.url));

/** Presses Tab until the focused element has this name; what Tab does not reach can't be used without a mouse. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let step = 0; step < 150; step += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label =
        element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.textContent;
      return label ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab never reached ${name.source}`);
}

test('from the first screen to corrected and saved subtitles and changed settings without a mouse', async ({
  journey,
}) => {
  test.setTimeout(120_000);
  const studio = await journey.start();
  const { page } = studio;
  const target = join(journey.dataDir, 'by-keyboard.vtt');
  await openFromDialog(studio, sample);
  await saveByDialog(studio, target);

  await tabTo(page, /Look around with samples/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();

  await page.keyboard.press('Control+o');
  const row = page.getByRole('row').filter({ hasText: 'podcast-en' });
  await expect(row.getByText('Done')).toBeVisible();
  for (let step = 0; step < 40 && !(await row.evaluate((element) => element === document.activeElement)); step += 1) {
    await page.keyboard.press('Tab');
  }
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  const time = page.locator('[data-time]');
  await expect(time).toContainText('00:00.000');

  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.keyboard.press('F2');
  await expect(time).toContainText(/00:0[5-9]/);

  const texts = page.locator('[data-text]');
  const first = await texts.first().innerText();
  const count = await texts.count();
  const isInText = () => page.evaluate(() => document.activeElement?.matches('[data-text]') === true);
  for (let step = 0; step < 40 && !(await isInText()); step += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Well, ');
  await page.keyboard.press('Alt+9');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Madina');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Madina', exact: true }).first()).toBeVisible();
  await expect(texts.first()).toBeFocused();
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Control+Enter');
  await expect(texts).toHaveCount(count + 1);
  await page.keyboard.press('Control+z');
  await expect(texts).toHaveCount(count);
  await expect(texts.first()).toHaveText(`Well, ${first}`);

  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog).toBeVisible();
  await tabTo(page, /SubRip|WebVTT/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /Export \.vtt/);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Saved as by-keyboard\.vtt/)).toBeVisible();
  expect(readFileSync(target, 'utf8')).toMatch(/<v Madina>Well, /);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+Comma');
  await tabTo(page, /^English$/);
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
});
