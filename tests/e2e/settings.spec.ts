import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

test('what practice left is deleted while it is in use, the log can stop, and erasing ends at the first screen', async () => {
  const dataDir = newDataDir();
  const studio = await startStudio({ dataDir });
  try {
    const { page } = studio;
    await page.getByRole('radio', { name: /practice mode/i }).check({ force: true });
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('button', { name: 'Try the samples' }).click();
    await expect(page.getByRole('row').first().getByText('Done')).toBeVisible({ timeout: 30_000 });

    await page.keyboard.press('Control+Comma');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByText('Keep a log').click();
    await expect
      .poll(() => JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8')) as object)
      .toMatchObject({ keepsLog: false, mode: 'practice' });
    const log = join(dataDir, 'logs', 'studio.log');
    const logged = readFileSync(log, 'utf8');

    await page.getByRole('link', { name: 'Storage' }).click();
    await page.getByRole('button', { name: /practice mode/ }).click();
    await page.getByRole('button', { name: 'Delete practice' }).click();
    await expect(page.getByText(/freed/)).toBeVisible();
    expect(readFileSync(log, 'utf8')).toBe(logged);
    // Keys belong to a dialog as long as it is there.
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await page.keyboard.press('Control+Digit1');
    await expect(page.getByText('No recordings in the queue')).toBeVisible();

    await page.keyboard.press('Control+Comma');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('button', { name: 'Erase everything…' }).click();
    await page.getByRole('textbox').fill('erase');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase everything' }).click();
    await expect(page.getByRole('button', { name: 'Open the studio' })).toBeVisible();
    // A newcomer has a log again, and it begins after the erasing.
    expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('app-start');
    expect(logged).toContain('app-start');
    expect(readdirSync(join(dataDir, 'practice'))).toEqual(['library.lock']);
    expect(readdirSync(dataDir).filter((name) => /library\.db|reserve|damaged/.test(name))).toEqual([]);

    // It can be begun again at once.
    await page.getByRole('radio', { name: /practice mode/i }).check({ force: true });
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('button', { name: 'Try the samples' })).toBeVisible();
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
