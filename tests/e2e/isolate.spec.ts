import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { tellBarriers } from '../support/find-barriers.ts';
import { dragFiles } from './support/drag-files.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const noisy = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));

/** Answers the system dialog; everything after it is the app. */
const saveTo = ({ app }: Studio, path: string) =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);

const listening = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

test('a noisy recording is dropped, its voice compared during playback, saved in two formats, transcribed, and restored after a restart', async () => {
  test.setTimeout(150_000);
  const dataDir = newDataDir();
  const saved = newDataDir();
  let studio = await startStudio({ dataDir });
  try {
    let { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    await page.keyboard.press('Control+Digit5');
    await expect(page.getByRole('heading', { name: 'Isolate', exact: true })).toBeVisible();
    await dragFiles(page, [noisy]);
    const row = page.getByRole('row', { name: /street-uz/ });
    await expect(row.getByText('Isolated')).toBeVisible({ timeout: 60_000 });

    // Both are measured: the isolated audio is quieter between the words, and has the same timing.
    const lanes = page.getByRole('slider', { name: 'Position' });
    await expect(page.getByText(/noise −2\d.* → no noise left · .*(?:aligned|same moment)/u)).toBeVisible({
      timeout: 30_000,
    });

    expect(await tellBarriers(page)).toEqual([]);
    await page.keyboard.press('Control+Space');
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    const timeNow = async () => Number(await lanes.getAttribute('aria-valuenow'));
    await expect.poll(timeNow, { timeout: 20_000 }).toBeGreaterThan(0);
    await page.keyboard.press('x');
    await expect(listening(page, 'Original')).toBeChecked();
    const at = await timeNow();
    await page.keyboard.press('x');
    await expect(listening(page, 'Isolated')).toBeChecked();
    expect(await timeNow()).toBeGreaterThanOrEqual(at);
    await page.keyboard.press('3');
    await expect(listening(page, 'Noise only')).toBeChecked();
    await page.getByRole('button', { name: 'Pause' }).click();
    const noise = join(saved, 'noise.wav');
    await saveTo(studio, noise);
    await page.getByRole('button', { name: 'Save the noise as WAV' }).click();
    await expect.poll(() => existsSync(noise), { timeout: 30_000 }).toBe(true);
    const removed = readFileSync(noise);
    expect(removed.readUInt32LE(40) / removed.readUInt32LE(28)).toBeCloseTo(15.456, 1);
    await page.keyboard.press('4');
    await page.getByRole('slider', { name: 'Blend' }).fill('35');
    await expect(page.getByText('35% isolated, 65% original')).toBeVisible();
    const blend = join(saved, 'blend.wav');
    // What lies beside it is not ours to write to.
    const other = join(saved, 'other.txt');
    writeFileSync(other, 'not ours');
    symlinkSync(other, `${blend}.mix.part`);
    await saveTo(studio, blend);
    await page.getByRole('button', { name: 'Save the blend as WAV' }).click();
    await expect.poll(() => existsSync(blend)).toBe(true);
    const mixed = readFileSync(blend);
    expect(readFileSync(other, 'utf8')).toBe('not ours');
    // 16-bit PCM as long as the original: 15.456 s at 48 kHz.
    expect([mixed.toString('latin1', 8, 16), mixed.readUInt32LE(24), mixed.length]).toEqual([
      'WAVEfmt ',
      48_000,
      44 + mixed.readUInt32LE(40),
    ]);
    expect(mixed.readUInt32LE(40) / mixed.readUInt32LE(28)).toBeCloseTo(15.456, 1);

    // The same blend as FLAC: has its signature, and is smaller.
    const packed = join(saved, 'blend.flac');
    await saveTo(studio, packed);
    await page.getByRole('button', { name: 'Save the blend as FLAC' }).click();
    await expect.poll(() => existsSync(packed), { timeout: 30_000 }).toBe(true);
    const flac = readFileSync(packed);
    expect([flac.toString('latin1', 0, 4), flac.length < mixed.length]).toEqual(['fLaC', true]);
    await expect(lanes.getByText(/Noise only.*−\d/)).toBeVisible({ timeout: 30_000 });

    for (const [name, file] of [
      ['MP3', 'voice.mp3'],
      ['FLAC', 'voice.flac'],
    ] as const) {
      await saveTo(studio, join(saved, file));
      await page.getByRole('button', { name: `Save ${name}` }).click({ timeout: 30_000 });
      await expect
        .poll(() => existsSync(join(saved, file)) && statSync(join(saved, file)).size)
        .toBeGreaterThan(10_000);
    }

    await page.getByRole('complementary').getByRole('button', { name: 'Transcribe this' }).click();
    await page.keyboard.press('Control+Digit2');
    const text = page.getByRole('row', { name: /street-uz/ }).filter({ hasNotText: 'Isolat' });
    await expect(text.getByRole('button', { name: 'Open' })).toBeVisible({ timeout: 60_000 });
    await studio.quit();

    studio = await startStudio({ dataDir });
    ({ page } = studio);
    await page.keyboard.press('Control+Digit5');
    await page
      .getByRole('row', { name: /street-uz/ })
      .getByText('Isolated')
      .click();
    await expect(page.getByRole('button', { name: 'Save FLAC' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
    removeDataDir(saved);
  }
});
