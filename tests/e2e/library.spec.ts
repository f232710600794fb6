import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { toUzbekCyrillic } from '../../shared/domain/text/transliterate-uzbek.ts';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const filler = fileURLToPath(new URL('../support/fill-library.ts', import.meta.url));

const libraryOf = async (page: Page) => {
  const listed = await ask(page, 'library.list', {});
  if (!listed.ok) throw new Error(`the library was not listed: ${listed.error.row}`);
  return listed.value.items;
};

test('among forty items of all kinds a word typed in the wrong alphabet is found and opened at its moment; a deleted item is restored', async () => {
  test.setTimeout(240_000);
  const dataDir = newDataDir();
  const filled = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', filler, dataDir], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(filled.stderr).not.toContain('Error');
  let studio = await startStudio({ dataDir });
  try {
    let { page } = studio;
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await page.getByRole('heading', { name: 'Transcribe' }).waitFor();
    await page.keyboard.press('Control+Digit1');
    await page.locator('header').getByText('40 items,').waitFor();
    const items = await libraryOf(page);
    expect(
      Object.fromEntries(
        Map.groupBy(items, ({ kind }) => kind)
          .entries()
          .map(([kind, of]) => [kind, of.length]),
      ),
    ).toEqual({
      transcript: 20,
      dictation: 8,
      isolation: 6,
      speech: 6,
    });

    // A word with oʻ or gʻ, typed with other apostrophes, with none, and in Cyrillic with a wrong one.
    const word = 'gʻalabakor';
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('searchbox', { name: 'Search words, titles and speakers' });
    await expect(field).toBeFocused();
    const wrong = `${toUzbekCyrillic(word).slice(0, 1)}’${toUzbekCyrillic(word).slice(1)}`;
    for (const form of ["g'alabakor", 'g`alabakor', 'galabakor', toUzbekCyrillic(word), wrong]) {
      await field.fill(form);
      await expect(page.locator('mark').first(), form).toHaveText(word);
    }
    await page.getByRole('checkbox', { name: 'Uzbek' }).check();
    const moment = page.getByRole('row').filter({ has: page.locator('mark') });
    await expect(moment).toHaveAccessibleName(/^00:20 Ustaning gʻalabakor/);
    await moment.focus();
    await page.keyboard.press('Enter');
    const found = items.find(({ title }) => title === 'Suhbat 3');
    await expect(page).toHaveURL(new RegExp(`/transcripts/${found?.id ?? ''}/20000/`));
    await expect(page.locator('[data-time]').first()).toContainText('00:20');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(field).toHaveValue(wrong);
    await expect(page.getByRole('checkbox', { name: 'Uzbek' })).toBeChecked();

    // The list returns to its position, with the same filter.
    await field.fill('');
    const grid = page.getByRole('grid');
    const below = page.getByRole('row', { name: 'Suhbat 1', exact: true });
    await grid.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    await below.or(page.getByRole('row').last()).first().waitFor();
    const scrolled = await grid.evaluate((element) => element.scrollTop);
    expect(scrolled).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/(?:transcripts|dictate|speak)\//);
    await page.keyboard.press('Control+Digit1');
    await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBe(scrolled);
    await expect(page.getByRole('checkbox', { name: 'Uzbek' })).toBeChecked();

    // In the trash it is not found; after a restart it is restored with all of its words.
    await page.keyboard.press('Control+Shift+KeyF');
    await field.fill(word);
    await moment.focus();
    await page.keyboard.press('Delete');
    await expect(page.getByText(`“${word}” is not in these recordings`)).toBeVisible();
    const [spoken] = items.filter(({ kind }) => kind === 'speech');
    await field.fill('');
    await page.getByRole('checkbox', { name: 'Speech' }).check();
    await page.getByRole('row', { name: spoken?.title ?? '', exact: true }).focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('row', { name: spoken?.title ?? '', exact: true })).toBeHidden();
    await studio.quit();

    studio = await startStudio({ dataDir });
    ({ page } = studio);
    await page.keyboard.press('Control+Digit1');
    await page.getByRole('button', { name: /^Trash/ }).click();
    await page.getByRole('row', { name: 'Suhbat 3', exact: true }).focus();
    await page.keyboard.press('Control+KeyA');
    await page.getByRole('toolbar').getByText('2 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Everything/ }).click();
    await page.locator('header').getByText('40 items,').waitFor();
    await page.getByRole('searchbox').fill(word);
    await expect(page.locator('mark').first()).toHaveText(word);
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
