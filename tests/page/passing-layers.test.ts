import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cutTexts } from '../support/find-cut-text.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const inWindow = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((found) =>
    found.map((element) => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    }),
  );

/** Tooltips and notices disappear by themselves, so they can't be switched from language to language as screens are. */
it.each(['ru', 'uz', 'uz-Cyrl'] as const)(
  'in %s tooltips and notices are whole and inside the window',
  async (language) => {
    const jobs = jobsInEveryState();
    const page = await served.open({
      plan: planStudio({ settings: { interfaceLanguage: language }, jobs }),
      viewport: { width: 960, height: 640 },
    });
    const names = jobs.map(({ name }) => name);
    await page.locator('[data-key="processing"]').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').getByRole('button').last().click();
    const toasts = '[data-pane="notices"] output > *';
    await page.locator(toasts).waitFor();
    await expect.poll(() => inWindow(page, toasts)).toEqual([true]);
    expect(await page.evaluate(cutTexts, names)).toEqual([]);

    await page.getByRole('banner').getByRole('button').first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('tooltip').waitFor();
    await expect.poll(() => inWindow(page, '[role="tooltip"]')).toEqual([true]);
    expect(await page.evaluate(cutTexts, names)).toEqual([]);
    await page.context().close();
  },
);
