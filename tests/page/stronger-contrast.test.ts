import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

/** The colours of the tokens that increased contrast changes, as painted. */
const tokens = (page: Page) =>
  page.evaluate(() => {
    const names = ['--line', '--line-strong', '--line-field', '--chosen-line', '--fg-muted', '--fg-subtle'];
    const probe = document.body.appendChild(document.createElement('i'));
    const painted = names.map((name) => {
      probe.style.color = `var(${name})`;
      return [name, getComputedStyle(probe).color] as const;
    });
    probe.remove();
    return Object.fromEntries(painted);
  });

/** Selected elements here without a border in the colour of selection. */
const unlined = (page: Page) =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--chosen-line)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    const chosen = '[aria-current], [role="row"][aria-selected="true"], [role="option"][aria-selected="true"]';
    const segments = '[role="radiogroup"] label:has(:checked):not(:has([data-look]))';
    return [...document.querySelectorAll(`${chosen}, ${segments}`)]
      .filter((element) => element.checkVisibility() && !element.matches(':focus'))
      .filter((element) => !getComputedStyle(element).boxShadow.includes(color))
      .map((element) => element.textContent);
  });

const settings = { interfaceLanguage: 'en', appearance: 'light' } as const;

describe('increased contrast', () => {
  it('is the same whether the system or the user asks for it, and is stronger than the default', async () => {
    const usual = await served.open({ plan: planStudio({ settings }) });
    const before = await tokens(usual);
    await usual.emulateMedia({ contrast: 'more' });
    const asked = await tokens(usual);
    await usual.context().close();
    const chosen = await served.open({ plan: planStudio({ settings: { ...settings, contrast: 'high' } }) });
    expect(await tokens(chosen)).toEqual(asked);
    for (const [name, colour] of Object.entries(before)) expect([name, asked[name]]).not.toEqual([name, colour]);
    await chosen.context().close();
  });

  it('draws a border around everything selected', async () => {
    const plan = planStudio({ settings: { ...settings, contrast: 'high' }, jobs: jobsInEveryState() });
    const page = await served.open({ plan });
    await page.getByRole('row').first().focus();
    await page.keyboard.press('Control+KeyA');
    await page.getByRole('toolbar').waitFor();
    expect(await unlined(page)).toEqual([]);
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('option').first().waitFor();
    expect(await unlined(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Comma');
    await page.getByRole('slider').waitFor();
    expect(await unlined(page)).toEqual([]);
    // A missing border is detected.
    await page.evaluate(() => {
      document.documentElement.removeAttribute('data-contrast');
      document.documentElement.style.setProperty('--chosen-line', 'rgb(1, 2, 3)');
      document.querySelector<HTMLElement>('nav [aria-current]')?.style.setProperty('box-shadow', 'none');
    });
    expect(await unlined(page)).toHaveLength(1);
    await page.context().close();
  });
});

it('in forced colours every icon has the colour of the text beside it, whatever theme was chosen', async () => {
  const page = await served.open({ plan: planStudio({ settings, jobs: jobsInEveryState() }) });
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const strays = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('svg')]
        .filter((icon) => icon.checkVisibility())
        .filter((icon) => getComputedStyle(icon).color !== getComputedStyle(icon.parentElement ?? icon).color)
        .map((icon) => icon.parentElement?.outerHTML ?? ''),
    );
  await page.getByRole('row').first().waitFor();
  expect(await strays()).toEqual([]);
  await page.keyboard.press('Control+Comma');
  await page.getByRole('slider').waitFor();
  expect(await strays()).toEqual([]);
  await page.context().close();
});
