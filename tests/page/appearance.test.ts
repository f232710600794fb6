import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interfaceLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import { emitEvent, planStudio, type StudioPlan } from '../support/fake-studio.ts';
import { findCutText } from '../support/find-cut-text.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { fileNames, screenStates } from './screens.ts';

const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 640 },
] as const;

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** All twelve when asked for; otherwise every language in both sizes, with the themes taking turns. */
const isThorough = process.env['OVOZ_LONG'] !== undefined || process.env['OVOZ_PICTURES'] !== undefined;
const looks = sizes.flatMap((size, sizeIndex) =>
  interfaceLanguages.flatMap((language, languageIndex) =>
    themes
      .filter((_, themeIndex) => isThorough || (sizeIndex + languageIndex) % 2 === themeIndex)
      .map((theme) => ({ size, language, theme })),
  ),
);

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

/** Changes language and appearance as main would after `settings.update`, and waits for the page to follow. */
async function show(page: Page, plan: StudioPlan, interfaceLanguage: InterfaceLanguage, appearance: 'light' | 'dark') {
  await emitEvent(page, 'settings.changed', { ...plan.app.settings, interfaceLanguage, appearance });
  await page.waitForFunction(
    ([language, theme]) =>
      document.documentElement.lang === language && document.documentElement.dataset['theme'] === theme,
    [interfaceLanguage, appearance] as const,
  );
  // Two frames: React has drawn the new words and the browser has laid them out.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** A folder for pictures of every look, to be laid beside the mocks. */
const pictures = process.env['OVOZ_PICTURES'];

describe.each(screenStates)('$name', ({ name, plan, reach, proof }) => {
  it('passes axe in both themes and cuts no word in any language, theme or size', async () => {
    const page = await served.open({ plan });
    await reach?.(page);
    for (const theme of themes) {
      await show(page, plan, 'en', theme);
      // A theme changes nothing but colours, so the second is asked about colours only.
      const axe = new AxeBuilder({ page });
      const asked = theme === themes[0] ? axe.withTags(everyRule) : axe.withRules(['color-contrast']);
      const { violations } = await asked.analyze();
      expect(
        violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
      ).toEqual([]);
    }
    const cut: string[] = [];
    for (const { size, language, theme } of looks) {
      await page.setViewportSize(size);
      await show(page, plan, language, theme);
      expect(await proof(page).isVisible(), `${name} in ${language}`).toBe(true);
      const texts = await findCutText(page, fileNames);
      cut.push(...texts.map((text) => `${String(size.width)} ${language} ${theme}: ${text}`));
      if (pictures !== undefined) {
        const file = `${name.replaceAll(/\W+/g, '-')}-${language}-${theme}-${String(size.width)}.png`;
        await page.screenshot({ path: `${pictures}/${file}` });
      }
    }
    expect([...new Set(cut)]).toEqual([]);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  }, 90_000);
});

describe('these checks', () => {
  it('find what is planted: a cut word, a nameless button, a faint text', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.evaluate(() => {
      const title = document.querySelector('h1');
      if (title) Object.assign(title.style, { inlineSize: '20px', overflow: 'hidden', flex: 'none' });
      const button = document.createElement('button');
      const faint = document.createElement('p');
      faint.textContent = 'faint';
      faint.style.color = '#eee';
      document.querySelector('main')?.append(button, faint);
    });
    expect(await findCutText(page)).toEqual(['Transcribe (sideways)']);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual(expect.arrayContaining(['button-name', 'color-contrast']));
    await page.context().close();
  });
});
