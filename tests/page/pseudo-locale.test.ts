import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitEvent, type StudioPlan } from '../support/fake-studio.ts';
import { findCutText } from '../support/find-cut-text.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { buildPseudoPage, type PseudoPage } from '../support/pseudo-page.ts';
import { fileNames, screenStates } from './screens.ts';

const sizes = [
  { width: 1280, height: 800 },
  { width: 960, height: 640 },
] as const;

let served: PageUnderTest;
let pseudo: PseudoPage;
beforeAll(async () => {
  served = await servePage();
  pseudo = await buildPseudoPage();
});
afterAll(async () => {
  await served.close();
  pseudo.remove();
});

async function speak(page: Page, plan: StudioPlan, interfaceLanguage: 'en' | 'uz') {
  await emitEvent(page, 'settings.changed', { ...plan.app.settings, interfaceLanguage });
  await page.waitForFunction((language) => document.documentElement.lang === language, interfaceLanguage);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** English words on the screen: written into a component instead of the catalogue. */
const plainWords = (page: Page, names: readonly string[]): Promise<string[]> =>
  page.evaluate((known) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // Keys are called what is printed on them.
      const keys = /\b(?:Ctrl|Shift|Alt|Enter|Space|Esc|Delete|Backspace|Home|End|Tab)\b/g;
      const text = node.textContent?.replaceAll(keys, '').trim() ?? '';
      if (
        /[a-z]{3}/.test(text) &&
        !/[\u00e0-\u00ff\u00c0-\u00dd]/.test(text) &&
        !known.some((name) => text.includes(name))
      )
        found.add(text);
    }
    return [...found];
  }, names);

/** What comes from elsewhere than the catalogue: names of files, dates and units of Intl, codes of answers. */
const notWords = [
  ...fileNames,
  'notes.pdf',
  'Boʻsh yozuv.wav',
  'Русский',
  'English',
  'noyabr',
  'soat',
  'failed',
  'req_',
  'https://',
];

it('finds a word that is cut and a word that is in no catalogue', async () => {
  const { plan } = screenStates[0] ?? { plan: null };
  if (plan === null) throw new Error('there is no screen to plant a defect in');
  const page = await served.open({ plan });
  await pseudo.applyTo(page);
  await speak(page, plan, 'uz');
  expect(await plainWords(page, notWords)).toEqual([]);
  await page.evaluate(() => {
    const planted = document.createElement('p');
    planted.textContent = 'Planted words without a translation';
    planted.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 40px; overflow: hidden; white-space: nowrap';
    document.querySelector('main')?.append(planted);
  });
  expect(await plainWords(page, notWords)).toEqual(['Planted words without a translation']);
  expect((await findCutText(page, fileNames)).join()).toContain('Planted words');
  await page.context().close();
});

describe.each(screenStates)('$name', ({ plan, reach, proof }) => {
  it('has room for words a third longer, and no words of its own', async () => {
    const page = await served.open({ plan });
    await pseudo.applyTo(page);
    await reach?.(page);
    await speak(page, plan, 'uz');
    const cut: string[] = [];
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect(await proof(page).isVisible()).toBe(true);
      cut.push(...(await findCutText(page, fileNames)).map((text) => `${String(size.width)}: ${text}`));
    }
    expect.soft(cut).toEqual([]);
    expect.soft(await plainWords(page, notWords)).toEqual([]);
    await page.context().close();
  });
});
