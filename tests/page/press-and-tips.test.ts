import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { callsOf } from '../support/fake-studio.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = () =>
  served.open({ plan: planStudio({ settings: { interfaceLanguage: 'en' }, jobs: jobsInEveryState() }) });
const tip = (page: Page) => page.getByRole('tooltip');
const appMenu = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Menu' });
const listMenu = (page: Page) => page.getByRole('button', { name: 'Queue options' });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

describe('a button that opens a menu', () => {
  it('opens it at the first line by Enter, Space and the arrow down, at the last by the arrow up; Escape gives the focus back', async () => {
    const page = await open();
    const button = appMenu(page);
    for (const [key, at] of [
      ['Enter', 'first'],
      ['Space', 'first'],
      ['ArrowDown', 'first'],
      ['ArrowUp', 'last'],
    ] as const) {
      await button.focus();
      await page.keyboard.press(key);
      const lines = page.getByRole('menuitem');
      await lines.first().waitFor();
      const wanted = await (at === 'first' ? lines.first() : lines.last()).textContent();
      await expect.poll(() => focused(page)).toBe(wanted);
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await button.getAttribute('aria-expanded')).toBe('false');
    }
    await page.context().close();
  });

  it('closes it by a click on the button and does not reopen it', async () => {
    const page = await open();
    const box = (await appMenu(page).boundingBox())!;
    const press = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await press();
    await page.getByRole('menu').waitFor();
    await press();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await press();
    await page.getByRole('menu').waitFor();
    await page.context().close();
  });
});

it.each(['Enter', 'Space'])('%s held on a button is one press', async (key) => {
  const page = await open();
  await page.getByRole('button', { name: 'Add files' }).focus();
  for (let times = 0; times < 4; times += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
  await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
  await page.context().close();
});

describe('a tooltip', () => {
  it('appears on hover, at once on the neighbour, and disappears when the pointer leaves or by a click or Escape', async () => {
    const page = await open();
    const row = page.locator('[data-key="uploading"]');
    const [pause, more] = [row.getByRole('button').first(), row.getByRole('button').last()];
    await pause.hover();
    await tip(page).waitFor();
    const first = await tip(page).textContent();
    expect(first).toBe(await pause.getAttribute('aria-label'));
    await more.hover();
    await expect.poll(() => tip(page).textContent()).toBe(await more.getAttribute('aria-label'));
    await page.keyboard.press('Escape');
    await tip(page).waitFor({ state: 'detached' });
    await pause.hover();
    await tip(page).waitFor();
    await page.mouse.move(400, 690);
    await tip(page).waitFor({ state: 'detached' });
    await more.hover();
    await tip(page).waitFor();
    await page.mouse.down();
    await tip(page).waitFor({ state: 'detached' });
    await page.mouse.up();
    await page.context().close();
  });

  it('appears at once on keyboard focus, with its shortcut, and disappears with the focus', async () => {
    const page = await open();
    await listMenu(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await tip(page).waitFor();
    expect(await tip(page).textContent()).toContain('Queue options');
    await page.keyboard.press('Tab');
    await tip(page).waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('stays away from a button whose menu Escape closes, and comes back with the next key', async () => {
    const page = await open();
    await listMenu(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(() => listMenu(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await tip(page).count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await tip(page).waitFor();
    await page.context().close();
  });

  it('disappears with any key but a modifier, which may change what is below it, and does not come while the pointer rests', async () => {
    const page = await open();
    const more = page.locator('[data-key="uploading"]').getByRole('button').last();
    await more.hover();
    await tip(page).waitFor();
    await page.keyboard.press('Shift');
    expect(await tip(page).count()).toBe(1);
    await page.keyboard.press('F9');
    await tip(page).waitFor({ state: 'detached' });
    await page.mouse.move(400, 690);
    await more.hover();
    await tip(page).waitFor();
    await page.context().close();
  });

  it('disappears when its element leaves the page', async () => {
    const page = await open();
    await page.locator('[data-key="uploading"]').getByRole('button').last().hover();
    await tip(page).waitFor();
    await page.evaluate(() => {
      location.hash = '#/settings/general';
    });
    await tip(page).waitFor({ state: 'detached' });
    await page.context().close();
  });
});
