import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { goTo, pagesOfFile, tabTo, waitForFocus } from './page-rig.ts';
import { refusedKey, workingKey } from './screens.ts';

const { open } = pagesOfFile();

const openPage = (name: string, plan: StudioPlan = planStudio({ answers: { 'connection.check': workingKey } })) =>
  open({ plan, location: `/settings/${name}` });
const updates = (page: Page) => callsOf(page, 'settings.update');

describe('a choice', () => {
  it('is made by keyboard alone, and the page follows at once, in size, motion, theme and language', async () => {
    const page = await open({ plan: planStudio() });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.keyboard.press('Control+Comma');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const countMoving = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element);
            return style.transitionProperty !== 'none' && style.transitionDuration !== '0s';
          }).length,
      );
    const wordSize = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--words-md'));
    await expect.poll(countMoving).toBeGreaterThan(0);
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(wordSize).toBe('18px');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(wordSize).toBe('24px');
    await tabTo(page, /Reduce motion/);
    await page.keyboard.press('Space');
    await expect.poll(countMoving).toBe(0);
    await page.getByRole('radio', { name: 'Light' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.getByRole('radiogroup', { name: 'Interface language' }).getByText('Русский').click();
    await page.getByRole('heading', { name: 'Настройки', level: 1 }).waitFor();
    await expect
      .poll(() => updates(page))
      .toEqual([
        { transcriptSize: 18 },
        { transcriptSize: 24 },
        { reducesMotion: true },
        { appearance: 'dark' },
        { interfaceLanguage: 'ru' },
      ]);
  });

  it('is found by words of any language, by arrows, on another page, and a found button is not pressed', async () => {
    const page = await openPage('privacy');
    const field = page.getByRole('searchbox', { name: 'Search settings' });
    await field.focus();
    await page.keyboard.type('zebra');
    await page.getByText('No matching settings.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.keyboard.type('erase');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('[data-setting="erase"]') !== null);
    await page.keyboard.press('Shift');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await field.fill('контраст');
    await page.getByText('1 setting found').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-result'));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'General' }).and(page.locator('[aria-current="page"]')).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[data-setting="contrast"]') !== null);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.documentElement.dataset['contrast'] === '');
    await expect.poll(() => updates(page)).toEqual([{ contrast: 'high' }]);
  });
});

describe('the connection', () => {
  it('says how far it got and what to do, copies that without anything of the key, and what it says is missing is no longer said', async () => {
    const page = await openPage(
      'connection',
      planStudio({
        settings: { mode: 'practice' },
        answers: { 'connection.check': refusedKey },
        failures: { 'connection.choose': makeFailure('key-missing', { code: 'key_missing' }) },
      }),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Test now' }).click();
    await page.getByText('The service does not accept the key.').waitFor();
    await page.getByText('Reachable at https://api.example.test.').waitFor();
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await page.getByText('Report copied. It contains no key.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('Ovoz Studio 0.1.0');
    expect(copied).toContain('What to do: Your API key was not accepted');
    expect(copied).toContain('req_7d11');
    expect(copied).not.toContain('3kQ9');

    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('alertdialog', { name: 'Forget the key?' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => callsOf(page, 'connection.forgetKey')).toEqual([]);
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget key' }).click();
    await page.getByText('No key yet').waitFor();
    await expect.poll(() => callsOf(page, 'connection.forgetKey')).toEqual([{}]);
    await page.getByRole('radiogroup', { name: 'Mode' }).getByText('The service').click();
    const missing = page.getByRole('alert').getByText('No API key yet');
    await missing.waitFor();
    await page.evaluate((report) => window.fakeStudio.setAnswer('connection.check', report), workingKey as unknown);
    await page.getByRole('button', { name: 'Paste key', exact: true }).first().click();
    await page.getByText('Works').waitFor();
    expect(await missing.count()).toBe(0);
  });

  it('a key pasted into another field does not arrive, and a typed one is masked (S-68)', async () => {
    const page = await openPage('connection');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const address = page.getByLabel('Service address');
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await address.fill('');
      await page.keyboard.press('Control+KeyV');
    };
    await paste('https://speech.example.test');
    await expect.poll(() => address.inputValue()).toBe('https://speech.example.test');
    await paste('sk_live_CANARY_0123456789');
    await page.getByText('it was not put here').waitFor();
    await expect.poll(() => address.inputValue()).toBe('');
    await address.pressSequentially('sk_live_CANARY_0123456789');
    await page.getByText('It is covered').waitFor();
    await expect
      .poll(() => address.evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security')))
      .toBe('disc');
    await page.keyboard.press('Control+KeyA');
    await page.keyboard.press('Backspace');
    await expect.poll(() => address.getAttribute('data-holds-key')).toBeNull();
  });

  it('a proxy applies when it is complete; what is wrong is said, and the last valid one stays', async () => {
    const page = await openPage('connection');
    await page.getByRole('radio', { name: 'Custom' }).focus();
    await page.keyboard.press('Space');
    const [server, port] = [page.getByLabel('Proxy address'), page.getByLabel('Port')];
    await server.waitFor();
    await expect.poll(() => callsOf(page, 'connection.setProxy')).toEqual([]);
    await server.fill('user:word@proxy.example');
    await server.press('Enter');
    await page.getByText('Enter a host name or an address, without a username and password.').waitFor();
    await page.getByText('Until this is fixed, the previous one stays in use.').waitFor();
    await server.fill('proxy.example');
    await port.fill('70000');
    await port.press('Enter');
    await page.getByText('The port is a number from 1 to 65535.').waitFor();
    await port.fill('3128');
    await port.press('Enter');
    await page.getByText('The port is a number').waitFor({ state: 'detached' });
    // The server alone was complete with the default port, so it applied when its field was left.
    await expect
      .poll(() => callsOf(page, 'connection.setProxy'))
      .toEqual([
        { mode: 'manual', server: 'proxy.example', port: 8080 },
        { mode: 'manual', server: 'proxy.example', port: 3128 },
      ]);
  });

  it('the limit for an hour is chosen by keyboard; one that main refuses to raise stays, and the page shows the valid one', async () => {
    const page = await openPage('connection', planStudio({ settings: { spendLimitMinutes: 45 } }));
    const limits = page.getByRole('radiogroup', { name: 'Hourly limit without asking' });
    const chosen = limits.getByRole('radio', { checked: true });
    // One that is not in the list is shown too.
    await expect.poll(() => limits.getByRole('radio').count()).toBe(6);
    const label = () => chosen.evaluate((radio) => radio.closest('label')?.textContent);
    const first = await label();
    await chosen.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => updates(page)).toEqual([{ spendLimitMinutes: 0 }]);
    const failure = makeFailure('not-asked-for');
    await page.evaluate((given) => window.fakeStudio.setFailure('settings.update', given), failure);
    // Main is asked before the page has drawn the choice.
    await expect.poll(label).not.toBe(first);
    const before = await label();
    await limits.getByText('Never ask').click();
    await expect.poll(async () => (await updates(page)).at(-1)).toEqual({ spendLimitMinutes: null });
    await page.getByRole('alert').waitFor();
    await expect.poll(label).toBe(before);
  });
});

describe('privacy', () => {
  it('everything is erased only after the word is typed; the log is one switch, and a report for support is saved here', async () => {
    const answers = { 'diagnostics.save': { savedAs: 'ovoz-diagnostics.json' } };
    const page = await openPage('privacy', planStudio({ answers }));
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByText('Saved: ovoz-diagnostics.json.').waitFor();
    const failure = makeFailure('export-unfinished', { code: 'export_not_writable' });
    await page.evaluate((given) => window.fakeStudio.setFailure('diagnostics.save', given), failure);
    await page.getByRole('button', { name: 'Save…' }).click();
    await page
      .getByText(/could not be|can’t be/)
      .first()
      .waitFor();
    await page.getByRole('switch', { name: /Keep a log/ }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => updates(page)).toEqual([{ keepsLog: false }]);

    await page.getByRole('button', { name: 'Erase everything…' }).click();
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Erase everything' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'To confirm, type: erase' }).fill('eras');
    await page.keyboard.press('Enter');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    expect(await callsOf(page, 'storage.eraseEverything')).toEqual([]);
    await page.keyboard.type('e');
    await confirm.click();
    await page.getByRole('heading', { name: 'How would you like to start?' }).waitFor();
    await expect.poll(() => callsOf(page, 'storage.eraseEverything')).toEqual([{ typed: 'erase' }]);
  });
});

describe('shortcuts', () => {
  const edit = (page: Page) => page.getByRole('button', { name: 'Change the keys: Add files…' });
  const unfold = (page: Page) => page.getByText(/actions and their keys$/).click();

  it('are changed and work at once, are removed, cancelled and given back', async () => {
    const page = await openPage('shortcuts');
    await unfold(page);
    await edit(page).click();
    await page.keyboard.press('Escape');
    await waitForFocus(edit(page));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Alt+KeyJ');
    await page.getByText('Changed').waitFor();
    await waitForFocus(edit(page));
    await page.keyboard.press('Control+KeyO');
    await page.keyboard.press('Control+Alt+KeyJ');
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
    await goTo(page, '/settings/shortcuts');
    await unfold(page);
    await page.getByRole('button', { name: 'Reset to the keys of Ovoz Studio: Add files…' }).click();
    await page.getByText('Changed').waitFor({ state: 'detached' });
    await edit(page).click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Changed').waitFor();
    await expect
      .poll(() => updates(page))
      .toEqual([
        { shortcuts: { 'files.add': 'Mod+Alt+KeyJ' } },
        { shortcuts: {} },
        { shortcuts: { 'files.add': null } },
      ]);
  });
});
