import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overridesOf } from '../../shared/domain/commands/key-presets.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = (settings = {}) => served.open({ plan: planStudio({ settings }), location: '/settings/shortcuts' });

describe('shortcuts', () => {
  const edit = (page: Page) => page.getByRole('button', { name: 'Change the keys: Add files…' });

  it('gives an action other keys, which work at once, and restores the default ones', async () => {
    const page = await open();
    await edit(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Alt+KeyJ');
    await page.getByText('Changed').waitFor();
    await expect.poll(() => edit(page).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+KeyO');
    await page.keyboard.press('Control+Alt+KeyJ');
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addPicked'));
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
    await page.evaluate(() => {
      location.hash = '#/settings/shortcuts';
    });
    await page.getByRole('button', { name: 'Reset to the keys of Ovoz Studio: Add files…' }).click();
    await page.getByText('Changed').waitFor({ state: 'detached' });
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ shortcuts: { 'files.add': 'Mod+Alt+KeyJ' } }, { shortcuts: {} }]);
    await page.context().close();
  });

  it('shows which action has the keys already, and takes them only on request', async () => {
    const page = await open();
    await edit(page).click();
    await page.keyboard.press('Control+KeyC');
    await page.getByText('belongs to text fields or the system').waitFor();
    await page.keyboard.press('Control+KeyK');
    await page.getByText('Ctrl K is already used for').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Use here' }).click();
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ shortcuts: { 'files.add': 'Mod+KeyK', 'palette.open': null } }]);
    // Resetting asks in the same way, because the usual key belongs to another action now.
    await page.getByRole('button', { name: 'Reset to the keys of Ovoz Studio: Command palette' }).click();
    await page.getByText('Ctrl K is already used for').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => callsOf(page, 'settings.update')).toHaveLength(1);
    await page.getByRole('button', { name: 'Reset all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset all' }).click();
    await page.getByText('Changed').first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('calls keys changed that differ from the preset in use, and restores those of the preset', async () => {
    const shortcuts = overridesOf['subtitle-edit'];
    const page = await open({ shortcuts });
    const preset = page.getByLabel('Key preset');
    await edit(page).waitFor();
    expect(await page.getByText('Changed').count()).toBe(0);
    await page.getByRole('button', { name: 'Change the keys: Next match' }).click();
    await page.keyboard.press('Control+Alt+KeyJ');
    await page.getByText('Changed').waitFor();
    await expect.poll(() => preset.inputValue()).toBe('own');
    await page.getByRole('button', { name: 'Reset to the keys of Subtitle Edit: Next match' }).click();
    await page.getByText('Changed').waitFor({ state: 'detached' });
    await expect.poll(() => preset.inputValue()).toBe('subtitle-edit');
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ shortcuts: { ...shortcuts, 'text.findNext': 'Mod+Alt+KeyJ' } }, { shortcuts }]);
    await page.context().close();
  });

  it('cancels by Escape and by Tab, and removes keys', async () => {
    const page = await open();
    await edit(page).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => edit(page).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Changed').waitFor();
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ shortcuts: { 'files.add': null } }]);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  });
});
