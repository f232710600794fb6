import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { toneWav } from '../support/wav-files.ts';
import { dragFiles } from './support/drag-files.ts';
import { startPracticeServer, type PracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));
const soundCount = 180;
const kinds = ['two-sentences.mp3', 'two-sentences.m4a', 'two-sentences.opus.ogg', 'two-sentences.flac'];

/** A week at court: recordings in nested folders, among files that are no recordings. 200 files. */
function writeWeek(folder: string): readonly string[] {
  const inside = join(folder, 'Hafta', '18-noyabr');
  mkdirSync(inside, { recursive: true });
  for (let at = 0; at < soundCount; at += 1) {
    const place = at % 3 === 0 ? inside : join(folder, 'Hafta');
    writeFileSync(join(place, `Majlis ${String(at)} 🎙 запись.wav`), toneWav(200 + at * 3, 0.15));
  }
  for (const [at, kind] of kinds.entries()) {
    writeFileSync(join(inside, `${String(at)} ${kind}`), readFileSync(fixture(kind)));
  }
  for (let at = 0; at < 8; at += 1)
    writeFileSync(join(folder, 'Hafta', `bayon ${String(at)}.txt`), 'no sound at all here');
  for (let at = 0; at < 4; at += 1) writeFileSync(join(inside, `boʻsh ${String(at)}.mp3`), '');
  for (let at = 0; at < 4; at += 1) writeFileSync(join(inside, `arxiv ${String(at)}.zip`), 'PK\u0003\u0004 nothing');
  return [join(folder, 'Hafta')];
}

const openRows = (page: Page) => page.getByRole('grid', { name: 'Queue' });
const rowCount = async (page: Page) => Number(await openRows(page).getAttribute('aria-rowcount'));
const doneCount = async (page: Page): Promise<number> =>
  Number(/Finished\s+(\d+)/.exec(await page.locator('main').innerText())?.[1] ?? 0);

async function begin(studio: Studio, service: PracticeServer): Promise<void> {
  const { page } = studio;
  const field = page.getByRole('textbox', { name: 'Service address' });
  await field.fill(service.url);
  await field.blur();
  await expect(page.getByText('Works', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Open the studio' }).click();
  await page.getByText('No recordings in the queue').waitFor();
}

/** Filters the rows by kind. */
async function show(page: Page, kind: RegExp): Promise<void> {
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: kind }).click();
}

/** Sets the state of the network that the system reports. */
const setOnline = (studio: Studio, isOnline: boolean) =>
  studio.app.evaluate(({ net }, value) => {
    net.isOnline = () => value;
  }, isOnline);

test('a week of 200 files dropped as a folder is paused, reordered, extended, left in the middle, and completes', async () => {
  test.setTimeout(240_000);
  const dataDir = newDataDir();
  const service = await startPracticeServer('--state-dir', join(dataDir, 'service'));
  const env = { OVOZ_API_KEY: service.key };
  let studio = await startStudio({ dataDir, env });
  try {
    const { page } = studio;
    await begin(studio, service);
    await dragFiles(page, writeWeek(dataDir));

    const total = soundCount + kinds.length;
    await expect.poll(() => rowCount(page), { timeout: 30_000 }).toBe(total);
    await expect(page.getByRole('alert', { name: '16 files skipped' })).toBeVisible();
    await page.getByRole('button', { name: 'Hide the list' }).click();

    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('Queue paused').waitFor();
    const heldAt = await doneCount(page);
    await show(page, /^In progress/);
    const last = openRows(page).getByRole('row').last();
    await openRows(page).getByRole('row').first().focus();
    await page.keyboard.press('End');
    await last.getByRole('button', { name: /^More for/ }).click();
    await page.getByRole('menuitem', { name: 'Move to front' }).click();
    await show(page, /^All/);
    await page.getByRole('slider', { name: 'Parallel uploads' }).press('End');
    await page.getByRole('button', { name: 'Resume all' }).click();
    await expect.poll(() => doneCount(page), { timeout: 60_000 }).toBeGreaterThan(heldAt + 20);

    await studio.quit();
    studio = await startStudio({ dataDir, env });
    expect(await rowCount(studio.page)).toBe(total);

    await setOnline(studio, false);
    await studio.page.getByText('You are offline').first().waitFor();
    await setOnline(studio, true);
    await expect.poll(() => doneCount(studio.page), { timeout: 150_000 }).toBe(total);
  } finally {
    await studio.quit();
    await service.stop();
    removeDataDir(dataDir);
  }
});
