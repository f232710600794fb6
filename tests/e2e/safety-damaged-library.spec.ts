import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const letter = 'a letter to a friend who is far away, where a library should be';

async function startOn(
  damage: (library: string) => void,
  look: (dataDir: string, answer: unknown, page: Page) => void | Promise<void>,
) {
  const dataDir = newDataDir();
  const folder = join(dataDir, 'practice');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'practice' }));
  damage(join(folder, 'library.db'));
  const started = performance.now();
  const studio = await startStudio({ dataDir });
  try {
    // The first window is usable by now, whatever happened to the library.
    const took = performance.now() - started;
    test.info().annotations.push({ type: 'start', description: `${Math.round(took)} ms` });
    await look(dataDir, await ask(studio.page, 'jobs.list', {}), studio.page);
    await expect(studio.page.locator('main, [role="main"]').first()).toBeVisible();
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
}

test('the app opens on an invalid library: the file is put aside as it was, and a new one replaces it (F-49, E-182)', async () => {
  await startOn(
    (library) => writeFileSync(library, letter),
    async (dataDir, answer, page) => {
      expect(answer).toMatchObject({ ok: true, value: { jobs: [] } });
      const folder = join(dataDir, 'practice');
      const aside = readdirSync(folder).filter((name) => name.includes('.corrupt-'));
      expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([letter]);
      expect(readFileSync(join(dataDir, 'logs', 'studio.log'), 'utf8')).toContain('"library-restored"');
      // In the page, not in a system dialog; and no path is sent there.
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      const told = await ask(page, 'recovery.describe', {});
      expect(told).toMatchObject({ ok: true, value: { library: { restoredFromMs: null, isDamagedFileKept: true } } });
      expect(JSON.stringify(told)).not.toContain('corrupt');
      await page.getByRole('main').getByRole('button').first().click();
      await expect(page.getByRole('navigation')).toBeVisible();
    },
  );
});

test('the app opens if a folder is in place of the library, says so, leaves it alone, and opens the library once that is fixed (F-49, E-185)', async () => {
  await startOn(
    (library) => mkdirSync(library),
    async (dataDir, answer, page) => {
      expect(answer).toMatchObject({ ok: false, error: { row: 'E-185' } });
      const library = join(dataDir, 'practice', 'library.db');
      expect(existsSync(library)).toBe(true);
      await expect(page.getByRole('main')).toContainText('E-185');
      // Once the obstacle is removed, trying again opens the studio.
      rmdirSync(library);
      await page.getByRole('main').getByRole('button').first().click();
      await expect(page.getByRole('navigation')).toBeVisible();
    },
  );
});
