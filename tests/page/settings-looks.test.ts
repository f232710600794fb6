import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { emitEvent, planStudio, type StudioPlan } from '../support/fake-studio.ts';
import { findCutText } from '../support/find-cut-text.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { workingKey } from './screens.ts';

interface PageState {
  readonly name: string;
  readonly location: string;
  readonly plan?: StudioPlan;
  readonly reach?: (page: Page) => Promise<void>;
  readonly proof: (page: Page) => Locator;
}

const plan = planStudio({ answers: { 'connection.check': workingKey } });
const refused = planStudio({
  settings: { mode: 'practice' },
  answers: {
    'connection.check': {
      service: 'reached',
      key: 'refused',
      products: [],
      failure: makeFailure('E-032', { status: 401, code: 'invalid_api_key', requestId: 'req_7d11' }),
    },
  },
});
const states: readonly PageState[] = [
  { name: 'general', location: '/settings/general', proof: (page) => page.getByRole('slider') },
  {
    name: 'connection, tested and well',
    location: '/settings/connection',
    reach: (page) => page.getByRole('button', { name: 'Test now' }).click(),
    proof: (page) => page.getByRole('main').getByRole('status').locator('dl'),
  },
  {
    name: 'connection, key refused',
    location: '/settings/connection',
    plan: refused,
    reach: (page) => page.getByRole('button', { name: 'Test now' }).click(),
    proof: (page) => page.getByRole('main').getByRole('status').locator('dl'),
  },
  {
    name: 'storage',
    location: '/settings/storage',
    reach: async (page) => {
      await page.getByRole('button', { name: /Waveforms/ }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('7.3 MB freed.').waitFor();
    },
    proof: (page) => page.getByRole('main').getByRole('list').last(),
  },
  { name: 'privacy', location: '/settings/privacy', proof: (page) => page.getByRole('switch') },
  {
    name: 'privacy, before everything is erased',
    location: '/settings/privacy',
    reach: (page) => page.getByRole('button', { name: 'Erase everything…' }).click(),
    proof: (page) => page.getByRole('alertdialog'),
  },
];

const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 640 },
] as const;
const themes = ['light', 'dark'] as const;
const pictures = process.env['OVOZ_PICTURES'];

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

async function show(
  page: Page,
  shown: StudioPlan,
  interfaceLanguage: 'uz' | 'ru' | 'en',
  appearance: 'light' | 'dark',
) {
  await emitEvent(page, 'settings.changed', { ...shown.app.settings, interfaceLanguage, appearance });
  await page.waitForFunction(
    ([language, theme]) =>
      document.documentElement.lang === language && document.documentElement.dataset['theme'] === theme,
    [interfaceLanguage, appearance] as const,
  );
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

describe.each(states)('$name', ({ name, location, plan: own, reach, proof }) => {
  it('passes axe in both themes and cuts no word in any language or size', async () => {
    const shown = own ?? plan;
    const page = await served.open({ plan: shown, location });
    await reach?.(page);
    await proof(page).waitFor();
    for (const theme of themes) {
      await show(page, shown, 'en', theme);
      const axe = new AxeBuilder({ page });
      const asked =
        theme === 'light'
          ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
          : axe.withRules(['color-contrast']);
      const { violations } = await asked.analyze();
      expect(
        violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
      ).toEqual([]);
    }
    const cut: string[] = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const [index, language] of (['en', 'uz', 'ru'] as const).entries()) {
        for (const theme of themes) {
          if (pictures === undefined && theme !== themes[index % 2]) continue;
          await show(page, shown, language, theme);
          expect(await proof(page).isVisible()).toBe(true);
          cut.push(...(await findCutText(page)).map((text) => `${String(size.width)} ${language}: ${text}`));
          if (pictures === undefined) continue;
          const file = `settings-${name.replaceAll(/\W+/g, '-')}-${language}-${theme}-${String(size.width)}.png`;
          await page.screenshot({ path: `${pictures}/${file}` });
        }
      }
    }
    expect([...new Set(cut)]).toEqual([]);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  }, 90_000);
});
