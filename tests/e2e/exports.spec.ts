import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { dragFiles } from './support/drag-files.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const sample = fileURLToPath(new URL('../../assets/samples/podcast-en.flac', import.meta.url));

/** The system's dialog is answered in its place: the file gets the name that was offered. */
const saveInto = ({ app }: Studio, folder: string) =>
  app.evaluate(({ dialog }, into) => {
    dialog.showSaveDialog = ((_: unknown, options: { defaultPath: string }) =>
      Promise.resolve({
        canceled: false,
        filePath: `${into}/${options.defaultPath.split('/').at(-1) ?? ''}`,
      })) as unknown as typeof dialog.showSaveDialog;
  }, folder);

test('a transcript is saved as subtitles, Word and PDF, repeated by one key, and comes back from a file', async () => {
  test.setTimeout(120_000);
  const dataDir = newDataDir();
  const out = newDataDir();
  const service = await startPracticeServer('--state-dir', join(out, '.service'));
  const studio = await startStudio({ dataDir, env: { OVOZ_API_KEY: service.key } });
  try {
    const { page } = studio;
    const address = page.getByRole('textbox', { name: 'Service address' });
    await address.fill(service.url);
    await address.blur();
    await expect(page.getByText('Works', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await dragFiles(page, [sample]);
    await expect(page.getByRole('row').getByText('Done')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('row').getByRole('button', { name: 'Open' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await saveInto(studio, out);
    await page.keyboard.press('Control+KeyE');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    for (const [format, save] of [
      [/^Word/u, 'docx'],
      [/^PDF/u, 'pdf'],
      [/^SubRip/u, 'srt'],
    ] as const) {
      await dialog.getByRole('radio', { name: format }).check({ force: true });
      await dialog.getByRole('button', { name: new RegExp(`^(Save as|Export) [.]${save}$`) }).click();
      await expect(dialog.getByText(`Saved as podcast-en.${save}`)).toBeVisible({ timeout: 30_000 });
    }
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(readFileSync(join(out, 'podcast-en.docx')).subarray(0, 2).toString()).toBe('PK');
    expect(readFileSync(join(out, 'podcast-en.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    const srt = readFileSync(join(out, 'podcast-en.srt'), 'utf8');
    expect(srt).toContain(' --> ');
    await page.keyboard.press('Control+Shift+KeyE');
    await expect(page.getByText('Saved as podcast-en (2).srt')).toBeVisible();
    expect(readdirSync(out)).toContain('podcast-en (2).srt');
    expect(readFileSync(join(out, 'podcast-en (2).srt'), 'utf8')).toBe(srt);

    const other = join(out, 'boshqa.srt');
    writeFileSync(other, '1\r\n00:00:01,000 --> 00:00:02,500\r\nSalom, dunyo!\r\n');
    await studio.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, other);
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('Import transcripts');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Salom, dunyo!').first()).toBeVisible();
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
    removeDataDir(out);
  }
});
