import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const sample = fileURLToPath(new URL('../../assets/samples/podcast-en.flac', import.meta.url));
/** The library, its ledger, files that were put aside, and its backups. */
const libraryName = /^(library|ledger|search)[-.](db|corrupt|\d)/;

async function openStorage(page: Page): Promise<void> {
  await page.keyboard.press('Control+Comma');
  await page.getByRole('link', { name: 'Storage' }).click();
}

/** Answers the system dialog; everything after it is the app. */
const chooseFolder = ({ app }: Studio, folder: string) =>
  app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, folder);

test('a library is moved, the old folder is empty, the app says where it is, and the next start continues there', async () => {
  const dataDir = newDataDir();
  const disk = newDataDir();
  const folder = join(disk, 'Tashqi disk');
  mkdirSync(folder);
  const library = join(folder, 'Ovoz Studio Library');
  const service = await startPracticeServer('--state-dir', join(disk, 'service'));
  const start = () => startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  let studio = await start();
  try {
    let { page } = studio;
    const address = page.getByRole('textbox', { name: 'Service address' });
    await address.fill(service.url);
    await address.blur();
    await expect(page.getByText('Works', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(page, [sample]);
    await expect(page.getByRole('row').getByText('Done')).toBeVisible({ timeout: 30_000 });

    // A target inside its own folder is refused, and the library stays in use.
    await openStorage(page);
    await chooseFolder(studio, dataDir);
    await page.getByRole('button', { name: 'Move…', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('can’t be moved into its own folder');
    expect(readdirSync(dataDir)).toContain('library.db');

    await chooseFolder(studio, folder);
    await page.getByRole('button', { name: 'Move…', exact: true }).click();
    await expect(page.getByText('The library is in its new location.')).toBeVisible();
    await expect(page.getByText('in the folder “Tashqi disk”')).toBeVisible();
    await expect(page.getByText('The library is in the app’s own folder')).toBeHidden();
    const left = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => libraryName.test(basename(path)))).toEqual([]);
    expect(statSync(join(library, 'library.db')).mode & 0o077).toBe(0);
    expect(await page.locator('body').innerText()).not.toContain(disk);
    await page.keyboard.press('Control+Digit2');
    await expect(page.getByRole('row').getByText('Done')).toBeVisible();
    await studio.quit();

    studio = await start();
    ({ page } = studio);
    await expect(page.getByRole('row').getByText('Done')).toBeVisible();
    await page.getByRole('row').getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await openStorage(page);
    await expect(page.getByText('in the folder “Tashqi disk”')).toBeVisible();
    expect(existsSync(join(dataDir, 'library.db'))).toBe(false);
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
    removeDataDir(disk);
  }
});
