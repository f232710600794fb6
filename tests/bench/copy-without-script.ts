import type { Page } from '@playwright/test';

/**
 * The elements and styles of a page without any of its scripts: what the browser itself needs for a letter in it. The
 * caret goes to the end of the last text.
 */
export async function copyWithoutScript(page: Page): Promise<(copy: Page) => Promise<void>> {
  const html = await page.evaluate(() => {
    const copied = document.documentElement.cloneNode(true) as HTMLElement;
    for (const script of copied.querySelectorAll('script, link[rel="modulepreload"]')) script.remove();
    return `<!doctype html>${copied.outerHTML}`;
  });
  const address = new URL('/copy.html', page.url()).href;
  return async (copy) => {
    await copy.route(address, (route) => route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }));
    await copy.goto(address);
    await copy.evaluate(() => document.fonts.ready);
    await copy.locator('[data-text]').last().click();
    await copy.keyboard.press('End');
  };
}
