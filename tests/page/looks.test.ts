import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { catalogues, type Catalogue } from '../../shared/i18n/catalogues.ts';
import { mapWords } from '../../shared/i18n/uzbek-cyrillic.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { playNoisy } from './isolate-states.ts';
import { pagesOfFile } from './page-rig.ts';
import { screenStates } from './screens.ts';

const { open } = pagesOfFile();

/** `npm run pictures` wants a picture of each of these screens. */
const { OVOZ_PICTURES: pictures, OVOZ_STATE: wanted = '' } = process.env;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/gu) ?? [];
const wordsOf = (catalogue: Catalogue): Set<string> => {
  const found = new Set<string>();
  mapWords(catalogue, (text, path) => {
    if (!path.startsWith('cli.')) for (const word of wordsIn(text.replaceAll(/\{\{[^}]*\}\}/gu, ' '))) found.add(word);
    return text;
  });
  return found;
};
/** Names of languages are written in their own, keys as they are on the keyboard, and an example is an address. */
const englishOnly = wordsOf(catalogues.en)
  .difference(wordsOf(catalogues.ru))
  .difference(new Set(['english', 'ctrl', 'shift', 'space', 'live']));

/** The texts that a page shows or reads aloud, and leaves to its own language. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isForeign = (element: Element) =>
      element.closest('[lang]') !== document.documentElement || element.closest('kbd, pre, code') !== null;
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      if (parentElement?.checkVisibility() === true && !isForeign(parentElement)) found.push(node.textContent ?? '');
    }
    for (const name of ['aria-label', 'aria-valuetext', 'aria-description', 'title', 'placeholder'])
      for (const element of document.body.querySelectorAll(`[${name}]`))
        if (!isForeign(element)) found.push(element.getAttribute(name) ?? '');
    return found;
  });

describe('every screen has no barrier that axe finds, and in Russian no English word', () => {
  it.each(screenStates.filter(({ name }) => new RegExp(wanted, 'u').test(name)))('$name', async (state) => {
    const { name, plan, location = '/', reach } = state;
    const page = await open({ plan, location });
    await playNoisy(page);
    await reach(page);
    expect(await axeViolations(page)).toEqual([]);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name.replaceAll(/\W+/gu, '-')}.png` });
    await page.evaluate((settings) => window.fakeStudio.emit('settings.changed', settings), {
      ...plan.app.settings,
      interfaceLanguage: 'ru',
    });
    await page.waitForFunction(() => document.documentElement.lang === 'ru');
    // What the person, a file or the service wrote stays as it is.
    const own = new Set(wordsIn(`Interview, Bukhara ${JSON.stringify(plan)}`));
    const isEnglish = (word: string) => englishOnly.has(word) && !own.has(word);
    await expect.poll(async () => (await textsOf(page)).filter((text) => wordsIn(text).some(isEnglish))).toEqual([]);
  });
});
