import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { filesHolding } from '../security/scan-for-secret.ts';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

test(
  'practice files are deleted while in use, the log can be stopped, and erasing returns to the first screen',
  { tag: '@long' },
  async () => {
    const dataDir = newDataDir();
    const studio = await startStudio({ dataDir });
    try {
      const { page } = studio;
      await page.getByRole('button', { name: 'Look around with samples' }).click();
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
      await page.getByRole('button', { name: /practice data/i }).click();
      await page.getByRole('button', { name: 'Delete practice' }).click();
      await expect(page.getByText(/freed/)).toBeVisible();
      expect(readFileSync(log, 'utf8')).toBe(logged);
      // While a dialog is open it has the keyboard.
      await expect(page.getByRole('alertdialog')).toBeHidden();
      await page.keyboard.press('Control+Digit2');
      await expect(page.getByText('No recordings in the queue')).toBeVisible();

      await page.keyboard.press('Control+Comma');
      await page.getByRole('link', { name: 'Privacy' }).click();
      await page.getByRole('button', { name: 'Erase everything…' }).click();
      await page.getByRole('textbox').fill('erase');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Erase everything' }).click();
      await expect(page.getByRole('button', { name: 'Look around with samples' })).toBeAttached();
      // A new user has a log again, which starts after the erasure.
      expect(existsSync(log) ? readFileSync(log, 'utf8') : '').not.toContain('app-start');
      expect(logged).toContain('app-start');
      expect(readdirSync(join(dataDir, 'practice'))).toEqual(['library.lock']);
      expect(readdirSync(dataDir).filter((name) => /library\.db|reserve|damaged/.test(name))).toEqual([]);

      // It can be begun again at once.
      await page.getByRole('button', { name: 'Look around with samples' }).click();
      await expect(page.getByRole('button', { name: 'Try the samples' })).toBeVisible();
    } finally {
      await studio.quit();
      removeDataDir(dataDir);
    }
  },
);

test(
  'a transcript is deleted for good and its words are in no file; a key is no title; a script can’t raise the limit',
  { tag: '@long' },
  async () => {
    test.slow();
    const dataDir = newDataDir();
    const studio = await startStudio({ dataDir });
    try {
      const { page } = studio;
      await page.getByRole('button', { name: 'Look around with samples' }).click();
      await page.getByRole('button', { name: 'Try the samples' }).click();
      await expect(page.getByRole('row').first().getByText('Done')).toBeVisible({ timeout: 60_000 });
      const listed = await ask(page, 'transcripts.list', {});
      if (!listed.ok) throw new Error(listed.error.row);
      const [first] = listed.value.transcripts;
      if (first === undefined) throw new Error('no transcript');
      const title = 'qovun-xurmo-7731-anjir';
      expect(
        await ask(page, 'transcripts.rename', { transcriptId: first.id, title: 'sk_live_0123456789abcdef' }),
      ).toMatchObject({ ok: false, error: { row: 'E-237' } });
      expect(await ask(page, 'transcripts.rename', { transcriptId: first.id, title })).toMatchObject({ ok: true });
      expect(filesHolding(join(dataDir, 'practice'), title).length).toBeGreaterThan(0);

      await page.keyboard.press('Control+Comma');
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('for good');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Choose a transcript…' }).click();
      await page.getByRole('option', { name: title }).click();
      await page.getByRole('button', { name: 'Delete for good' }).click();
      await expect(page.getByText(`“${title}” is deleted.`)).toBeVisible();
      expect(await ask(page, 'transcripts.open', { transcriptId: first.id })).toMatchObject({ ok: false });

      // The click above authorizes one request; after it no script can remove the limit of an hour.
      const limit = (spendLimitMinutes: number | null) => ask(page, 'settings.update', { spendLimitMinutes });
      expect(await limit(null)).toMatchObject({ ok: true });
      expect(await limit(60)).toMatchObject({ ok: true });
      expect(await limit(null)).toMatchObject({ ok: false, error: { row: 'E-238' } });
    } finally {
      await studio.quit();
    }
    // The practice service stands in for the service: it keeps its own data, and is asked at the next start.
    const holding = filesHolding(dataDir, 'qovun-xurmo-7731-anjir').map((path) => relative(dataDir, path));
    expect(holding.filter((path) => !path.startsWith(join('practice', 'service')))).toEqual([]);

    // Its recording can be added again like any other: nothing remembers that it was paid for.
    const again = await startStudio({ dataDir });
    try {
      const rows = again.page.getByRole('row');
      const before = await rows.count();
      await again.page.keyboard.press('Control+KeyK');
      await again.page.getByRole('combobox').fill('try the samples');
      await again.page.keyboard.press('Enter');
      await expect(rows).toHaveCount(before + 1);
      await expect(rows.getByText('Done')).toHaveCount(before + 1, { timeout: 60_000 });
    } finally {
      await again.quit();
      removeDataDir(dataDir);
    }
  },
);
