import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const barriers = (page: Page, inside: string) => tellBarriers(page, { inside });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane']);

describe('credits in the title bar', () => {
  const told = { credits: '12.31', actionCount: 3, unreportedCount: 0 };
  it.each([
    ['what the service told, never less', told, '12.4 credits today'],
    ['at least that, when it did not tell of all', { ...told, unreportedCount: 1 }, 'At least 12.4 credits today'],
    ['that it told nothing', { credits: '0', actionCount: 2, unreportedCount: 2 }, 'Credits today: unknown'],
  ])('say %s', async (_name, answer, text) => {
    const page = await served.open({ plan: planStudio({ answers: { 'usage.today': answer } }) });
    const chip = page.getByRole('banner').getByRole('button', { name: text, exact: true });
    await chip.click();
    await page.getByRole('dialog').getByText('the service doesn’t report a balance').waitFor();
    expect(await barriers(page, '[role="dialog"]')).toEqual([]);
    await page.context().close();
  });

  it.each(['en', 'ru', 'uz'] as const)('are told shorter in a narrow window, %s', async (interfaceLanguage) => {
    const used = { credits: '12345.31', actionCount: 3, unreportedCount: 1 };
    const page = await served.open({
      plan: planStudio({ settings: { interfaceLanguage }, answers: { 'usage.today': used } }),
      viewport: { width: 960, height: 640 },
    });
    const banner = page.getByRole('banner');
    const chip = banner.getByRole('button', { name: /12.?345[.,]4/u });
    await chip.waitFor();
    expect(await chip.innerText()).toMatch(/^≥ 12.?345[.,]4$/u);
    expect(await banner.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const [search, end] = [await banner.getByRole('button').nth(1).boundingBox(), await chip.boundingBox()];
    expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThan(end?.x ?? 0);
    await page.context().close();
  });

  it('follow the ledger, whatever was paid for, also when practice mode is left', async () => {
    const none = { credits: '0', actionCount: 0, unreportedCount: 0 };
    const plan = planStudio({ settings: { mode: 'practice' }, answers: { 'usage.today': none } });
    const page = await served.open({ plan });
    await page.getByRole('banner').getByText('Practice').waitFor();
    const spend = (used: typeof none) =>
      page.evaluate((answer) => {
        window.fakeStudio.setAnswer('usage.today', answer);
        window.fakeStudio.emit('usage.changed', {});
      }, used);
    await spend(told);
    await page.evaluate(() => window.fakeStudio.setConnection({ mode: 'service' }));
    const chip = (text: string) => page.getByRole('banner').getByRole('button', { name: text, exact: true });
    await chip('12.4 credits today').waitFor();
    await spend({ ...told, credits: '20' });
    await chip('20 credits today').waitFor();
    await page.context().close();
  });

  it('are replaced by practice mode and by being offline, and are hidden when nothing is known or used', async () => {
    const chip = (page: Page) => page.getByRole('banner').getByText(/credits/i);
    const plans = [
      planStudio({ settings: { mode: 'practice' } }),
      planStudio({ connection: { isOnline: false } }),
      planStudio({ failures: { 'usage.today': makeFailure('E-236') } }),
      planStudio({ answers: { 'usage.today': { credits: '0', actionCount: 0, unreportedCount: 0 } } }),
    ];
    for (const plan of plans) {
      const page = await served.open({ plan });
      await page.getByRole('banner').getByRole('button').last().waitFor();
      await expect.poll(() => chip(page).count()).toBe(0);
      await page.context().close();
    }
  });
});

describe('without a mouse', () => {
  it('the first stop of Tab leads past the title bar and the sections to the content', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.keyboard.press('Tab');
    const link = page.getByRole('button', { name: 'Go to the content' });
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    const box = await link.boundingBox();
    expect(box !== null && box.x >= 0 && box.y >= 0 && box.width > 40).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('header');
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'the card of jobs and its list have no accessibility barrier, %s',
    async (appearance) => {
      const page = await served.open({ plan: planStudio({ settings: { appearance }, jobs: jobsInEveryState() }) });
      expect(await barriers(page, 'nav')).toEqual([]);
      await page.keyboard.press('Control+KeyJ');
      await page.getByRole('dialog', { name: 'Jobs' }).waitFor();
      expect(await barriers(page, '[role="dialog"]')).toEqual([]);
      await page.context().close();
    },
  );
});

it.each([false, true])('a tray that is %s there is reported as it is', async (tray) => {
  const page = await served.open({ plan: planStudio({ capabilities: { tray } }), location: '/settings' });
  await page.getByText('Ovoz Studio 0.1.0').waitFor();
  await expect.poll(() => page.getByText('has no tray for the app’s icon').count()).toBe(tray ? 0 : 1);
  await page.context().close();
});

describe('the system’s preferences', () => {
  it('forced colours: the open section, the focus and the bars can still be distinguished', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }), forcedColors: 'active' });
    const current = page.getByRole('navigation').locator('[aria-current="page"]');
    const other = page.getByRole('navigation').getByText('Settings').locator('..');
    const look = (item: typeof current) =>
      item.evaluate((element) => {
        const { outlineStyle, borderColor, backgroundColor, outlineColor } = getComputedStyle(element);
        return [outlineStyle, borderColor, backgroundColor, outlineColor].join(' ');
      });
    expect(await look(current)).not.toBe(await look(other));
    await page.keyboard.press('F6');
    const ring = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null) return null;
      const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(element);
      return { isDrawn: outlineStyle !== 'none' && outlineWidth !== '0px', isClear: outlineColor.endsWith(', 0)') };
    });
    expect(ring).toEqual({ isDrawn: true, isClear: false });
    await page.context().close();
  });

  it('increased contrast: lines and hints become stronger', async () => {
    const read = async (contrast: 'more' | 'no-preference') => {
      const page = await served.open({ plan: planStudio(), contrast });
      const tokens = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return ['--line', '--fg-subtle'].map((name) => style.getPropertyValue(name));
      });
      expect(await barriers(page, 'main')).toEqual([]);
      await page.context().close();
      return tokens;
    };
    const [more, usual] = [await read('more'), await read('no-preference')];
    expect(more.every((value, index) => value !== usual[index])).toBe(true);
  });

  it('reduced motion: nothing moves by itself', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }), reducedMotion: 'reduce' });
    await page.getByRole('row').first().waitFor();
    const moving = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    await expect.poll(moving).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.waitForFunction(() => document.getAnimations().length > 0);
    await page.context().close();
  });
});
