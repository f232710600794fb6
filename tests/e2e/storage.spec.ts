import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { filesHolding } from '../security/scan-for-secret.ts';
import { ask } from './support/ask.ts';
import { test } from './support/journey.ts';

async function openSettings(page: Page, section: string): Promise<void> {
  await page.keyboard.press('Control+Comma');
  await page.getByRole('link', { name: section }).click();
}

test('a transcript is deleted for good and its words are in no file; the log stops; practice files and everything are erased', async ({
  journey,
}) => {
  test.setTimeout(120_000);
  const { dataDir } = journey;
  const title = 'qovun-xurmo-7731-anjir';
  const studio = await journey.start();
  await test.step('a key is no title; what is deleted for good is gone; a script can’t raise the limit', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await page.getByRole('button', { name: 'Try the samples' }).click();
    await expect(page.getByRole('row').first().getByText('Done')).toBeVisible({ timeout: 60_000 });
    const listed = await ask(page, 'transcripts.list', {});
    if (!listed.ok) throw new Error(listed.error.kind);
    const [first] = listed.value.transcripts;
    if (first === undefined) throw new Error('no transcript');
    const rename = (wanted: string) => ask(page, 'transcripts.rename', { transcriptId: first.id, title: wanted });
    expect(await rename('sk_live_0123456789abcdef')).toMatchObject({ ok: false, error: { kind: 'key-in-text' } });
    expect(await rename(title)).toMatchObject({ ok: true });
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
    expect(await limit(null)).toMatchObject({ ok: false, error: { kind: 'not-asked-for' } });
    await studio.quit();
    // The practice service stands in for the service: it keeps its own data, and is asked at the next start.
    const holding = filesHolding(dataDir, title).map((path) => relative(dataDir, path));
    expect(holding.filter((path) => !path.startsWith(join('practice', 'service')))).toEqual([]);
  });

  const { page } = await journey.start();
  await test.step('its recording can be added again like any other: nothing remembers that it was paid for', async () => {
    const done = async () => {
      const list = await ask(page, 'jobs.list', {});
      return list.ok ? list.value.jobs.filter(({ state }) => state.tag === 'done').length : Number.NaN;
    };
    const before = await done();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('try the samples');
    await page.keyboard.press('Enter');
    await expect.poll(done, { timeout: 60_000 }).toBe(before + 1);
  });

  await test.step('the log is stopped, practice files are deleted while in use, and erasing returns to the first screen', async () => {
    await openSettings(page, 'Privacy');
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

    await openSettings(page, 'Privacy');
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
  });
});
