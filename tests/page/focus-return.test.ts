import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const legacyKey = { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } as const;
/** Where each question of the settings is opened, by the name of its button. */
const openers: Readonly<Record<string, readonly RegExp[]>> = {
  connection: [/^Forget key/, /^Forget legacy key/],
  shortcuts: [/^Reset all/],
  storage: [
    /^Remove… Extracted audio/,
    /^Remove… Waveforms/,
    /^Remove… Older copies/,
    /^Remove… Practice data/,
    /^Remove… (Old items|Old jobs|Finished)/,
  ],
  privacy: [/^Choose a transcript/, /^Erase everything/],
};

it.each(Object.entries(openers))(
  'every dialog of settings/%s takes the focus and gives it back',
  async (name, buttons) => {
    const plan = planStudio({ connection: { legacyKey }, settings: { shortcuts: { 'playback.replay': 'F8' } } });
    const page = await served.open({ plan, location: `/settings/${name}` });
    for (const button of buttons) {
      const opener = page.getByRole('button', { name: button });
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.locator('[role="dialog"], [role="alertdialog"]');
      await dialog.waitFor();
      await expect
        .poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement)), { message: String(button) })
        .toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(() => opener.evaluate((one) => one === document.activeElement), { message: String(button) })
        .toBe(true);
    }
    await page.context().close();
  },
);

it('what is opened from a row, the title bar and by keys gives the focus back too', async () => {
  const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
  const row = page.locator('[data-key="processing"]');
  const dialog = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').first();
  for (const keys of ['Enter', 'Delete', 'Shift+F10', 'Control+KeyK', 'Control+Slash', 'Control+KeyJ', 'F10']) {
    await row.focus();
    await page.keyboard.press(keys);
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => row.evaluate((one) => one === document.activeElement), { message: keys }).toBe(true);
  }
  await page.context().close();
});
