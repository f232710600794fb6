import type { Locator, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openPage, type OpenedPage, type OpenOptions } from '../support/page-under-test.ts';
import { serveBuiltPage, type ExtraRoute } from '../support/serve-built-page.ts';

interface PagesOfFile {
  readonly open: (options: OpenOptions) => Promise<Page>;
  /** What the pages complained about since it was last asked. */
  readonly takeComplaints: () => string[];
}

/** Opens pages for the tests of a file, one at a time. After each test none may have logged an error. */
export function pagesOfFile(extra: ExtraRoute = () => false): PagesOfFile {
  let opened: OpenedPage | null = null;
  const told: string[] = [];
  beforeAll(async () => void ((await serveBuiltPage()).answerFirst = extra));
  afterAll(async () => void ((await serveBuiltPage()).answerFirst = () => false));
  const endOpened = async () => {
    await opened?.page.context().close();
    told.push(...(opened?.complaints.splice(0) ?? []));
    opened = null;
  };
  afterEach(async () => {
    await endOpened();
    expect(told.splice(0)).toEqual([]);
  });
  return {
    takeComplaints: () => [...told.splice(0), ...(opened?.complaints.splice(0) ?? [])],
    open: async (options) => {
      // A window that is free is used again; another one costs as much as four loads.
      await endOpened();
      opened = await openPage(options);
      return opened.page;
    },
  };
}

/** The name of the control that has the focus. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    const label = isField ? element.labels?.[0]?.textContent : null;
    return element.getAttribute('aria-label') ?? label ?? element.textContent ?? '';
  });

/** Presses Tab, as a person would, until the control of this name has the focus; fails if it never does. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 90; presses += 1) {
    const at = await focusedName(page);
    if (name.test(at)) return;
    passed.push(at.slice(0, 30));
    await page.keyboard.press(key);
  }
  throw new Error(`${String(name)} is not reached: ${passed.join(' | ')}`);
}

export const waitForFocus = (control: Locator): Promise<void> =>
  control.and(control.page().locator(':focus')).waitFor();

export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, path);

export const waitForPlace = async (page: Page, hash: string): Promise<void> => {
  await page.waitForFunction((wanted) => location.hash === wanted, hash);
};

/** Files that come over the window and are dropped there, as the system would. */
export const dropFiles = (page: Page, names: readonly string[]): Promise<void> =>
  page.evaluate((given) => {
    const dataTransfer = new DataTransfer();
    for (const name of given) dataTransfer.items.add(new File(['RIFF'], name, { type: 'audio/wav' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, names);
