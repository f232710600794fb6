import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { findCutText } from '../support/find-cut-text.ts';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';
import { turn } from '../support/turn.ts';

const samples = fileURLToPath(new URL('../../assets/samples', import.meta.url));
const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 640 },
] as const;

/**
 * Every language once, with sizes and themes in turn: the page tests check every screen in all of them, and here the
 * texts are those of real answers. All combinations on request.
 */
const isThorough = process.env['OVOZ_LONG'] !== undefined;
const looks = sizes.flatMap((size, sizeIndex) =>
  interfaceLanguages.flatMap((language, languageIndex) =>
    themes
      .filter((_, index) => isThorough || (languageIndex % 2 === sizeIndex && (languageIndex >> 1) % 2 === index))
      .map((theme) => ({ size, language, theme })),
  ),
);

/** Texts of the user, which lists may shorten: the speech of the samples. */
const spoken = readdirSync(samples)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(samples, name), 'utf8')) as { segments?: { text: string }[] })
  .flatMap(({ segments = [] }) => segments.map(({ text }) => text));

async function show(page: Page, interfaceLanguage: (typeof interfaceLanguages)[number], appearance: 'light' | 'dark') {
  await ask(page, 'settings.update', { interfaceLanguage, appearance });
  await page.waitForFunction(
    ([language, theme]) =>
      document.documentElement.lang === language && document.documentElement.dataset['theme'] === theme,
    [interfaceLanguage, appearance] as const,
  );
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Names of controls that are still English in another language: react-aria has strings of its own. */
const englishNames = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-label]')]
      .map((element) => element.getAttribute('aria-label') ?? '')
      .filter((name) => /\b(dismiss|close|select|open|press|loading|notifications?)\b/i.test(name)),
  );

/** The problems of a screen in any language, theme and size; leaves it in English, light and large. */
async function faultsOf(page: Page, screen: string, worn: typeof looks = looks): Promise<string[]> {
  const faults: string[] = [];
  for (const { size, language, theme } of worn) {
    await page.setViewportSize(size);
    await show(page, language, theme);
    const where = `${screen}, ${language}, ${theme}, ${String(size.width)}`;
    for (const text of await findCutText(page, spoken)) faults.push(`${where}: cut: ${text}`);
    if (language !== 'en') for (const name of await englishNames(page)) faults.push(`${where}: English: ${name}`);
  }
  await page.setViewportSize(sizes[0]);
  // The page tests check the dark colours of every screen.
  for (const theme of isThorough ? themes.toReversed() : themes.slice(0, 1)) {
    await show(page, 'en', theme);
    faults.push(...(await tellBarriers(page)).map((what) => `${screen}, ${theme}: ${what}`));
  }
  return faults;
}

test('every screen of the real app is whole in three languages, two themes and two sizes, and axe finds nothing', async () => {
  test.setTimeout(240_000);
  const dataDir = newDataDir();
  const studio = await startStudio({ dataDir });
  try {
    const { page } = studio;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const faults = await faultsOf(page, 'welcome');

    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await page.getByRole('button', { name: 'Try the samples' }).click();
    await expect(page.getByRole('row').getByText('Done')).toHaveCount(3, { timeout: 30_000 });
    faults.push(...(await faultsOf(page, 'transcribe')));

    await page
      .getByRole('row')
      .filter({ hasText: 'interview-uz' })
      .getByRole('button', { name: 'Open', exact: true })
      .click();
    await page.locator('[data-peaks="ready"]').waitFor();
    faults.push(...(await faultsOf(page, 'editor')));

    await page.getByRole('button', { name: 'Export' }).click();
    await turn(page.getByRole('dialog').getByRole('radio', { name: /SubRip/ }));
    await page.getByRole('dialog').getByText('→').first().waitFor();
    faults.push(...(await faultsOf(page, 'export')));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Comma');
    const pages = page.locator('[data-pane="settings"]').getByRole('link');
    await pages.first().waitFor();
    for (const [at, link] of (await pages.all()).entries()) {
      await link.click();
      await expect(link).toHaveAttribute('aria-current', 'page');
      const name = (await link.textContent()) ?? '';
      // The pages take turns with the languages, so that all are checked without each page in each.
      faults.push(
        ...(await faultsOf(
          page,
          `settings, ${name}`,
          looks.filter((_, turn) => turn % 4 === at % 4),
        )),
      );
    }
    expect(faults).toEqual([]);

    // Planted, to show that an empty list above means something.
    await page.evaluate(() => document.body.setAttribute('aria-label', 'Dismiss'));
    expect(await englishNames(page)).toContain('Dismiss');
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
