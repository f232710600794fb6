import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { noKey, workingKey } from './screens.ts';
import { keyRefused } from './settings-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const plan = planStudio({ answers: { 'connection.check': workingKey } });
const open = (page: string, own = plan) => served.open({ plan: own, location: `/settings/${page}` });

/** Presses Tab until the named control has the focus, as a user would; fails if it never does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return [element?.getAttribute('aria-label'), element?.textContent, element?.closest('label')?.textContent].join(
        ' ',
      );
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab never reached ${String(name)}`);
}

describe('general', () => {
  it('is opened and changed by keyboard alone; the page follows at once', async () => {
    const page = await served.open({ plan });
    await page.keyboard.press('Control+Comma');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).getPropertyValue('--words-md') === '18px',
    );
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForFunction(
      () => getComputedStyle(document.documentElement).getPropertyValue('--words-md') === '24px',
    );
    await tabTo(page, /Reduce motion/);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.documentElement.dataset['motion'] === 'reduce');
    await page.getByRole('radio', { name: 'Light' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ transcriptSize: 18 }, { transcriptSize: 24 }, { reducesMotion: true }, { appearance: 'dark' }]);
    await page.getByRole('link', { name: 'Privacy' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What is sent, and where' }).waitFor();
    await page.context().close();
  });

  it('with reduced motion nothing is animated, whatever the system prefers', async () => {
    const moving = await served.open({ plan, location: '/settings/general', reducedMotion: 'no-preference' });
    const countMoving = () =>
      moving.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element);
            return style.transitionProperty !== 'none' && style.transitionDuration !== '0s';
          }).length,
      );
    await expect.poll(countMoving).toBeGreaterThan(0);
    await moving.getByText('Reduce motion').click();
    await moving.waitForFunction(() => document.documentElement.dataset['motion'] === 'reduce');
    await expect.poll(countMoving).toBe(0);
    await moving.context().close();
  });
});

describe('connection', () => {
  it('shows plainly how far it got and what to do, and copies that without anything of the key', async () => {
    const page = await open('connection', planStudio({ answers: { 'connection.check': keyRefused } }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Test now' }).click();
    await page.getByText('The service does not accept the key.').waitFor();
    await page.getByText('Reachable at https://api.example.test.').waitFor();
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await page.getByText('The report is copied. It holds no key.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('Ovoz Studio 0.1.0');
    expect(copied).toContain('What to do: Your API key was not accepted');
    expect(copied).toContain('req_7d11');
    expect(copied).not.toContain('3kQ9');
    await page.context().close();
  });

  it('a key pasted into another field does not arrive, and a typed one is masked (S-68)', async () => {
    const page = await open('connection');
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
    await page.context().close();
  });

  it('that a key is missing is no longer said once there is one', async () => {
    const page = await open(
      'connection',
      planStudio({
        settings: { mode: 'practice' },
        connection: { mode: 'practice', practice: 'running', key: noKey },
        answers: { 'connection.check': workingKey },
        failures: { 'connection.choose': makeFailure('E-235', { code: 'key_missing' }) },
      }),
    );
    await page.getByRole('radiogroup', { name: 'Mode' }).getByText('The service').click();
    const missing = page.getByRole('alert').getByText('No API key yet');
    await missing.waitFor();
    await page.getByRole('button', { name: 'Paste key', exact: true }).first().click();
    await page.getByText('Works').waitFor();
    expect(await missing.count()).toBe(0);
    await page.context().close();
  });

  it('says what to do without any address', async () => {
    const page = await open(
      'connection',
      planStudio({
        settings: { mode: 'practice', serviceAddress: '' },
        connection: { serviceAddress: '' },
        failures: { 'connection.check': makeFailure('E-234', { code: 'address_missing' }) },
      }),
    );
    await page.getByRole('button', { name: 'Test now' }).click();
    await page.getByText('There is no usable address yet.').waitFor();
    await page.getByText('Not checked, because the service was not reached.').waitFor();
    await page.context().close();
  });

  it('asks before it forgets the key', async () => {
    const page = await open('connection');
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('alertdialog', { name: 'Forget the key?' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => callsOf(page, 'connection.forgetKey')).toEqual([]);
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget key' }).click();
    await page.getByText('No key yet').waitFor();
    await expect.poll(() => callsOf(page, 'connection.forgetKey')).toEqual([{}]);
    await page.context().close();
  });
});

describe('storage and privacy', () => {
  it('removes a part after confirmation and shows the new sizes', async () => {
    const page = await open('storage');
    await page.getByText('483 MB in use, 212 GB free on this disk').waitFor();
    await page.getByRole('button', { name: /Older copies/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => callsOf(page, 'storage.clean')).toEqual([]);
    await page.getByRole('button', { name: /Older copies/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('60 MB freed.').waitFor();
    await page.getByText('423 MB in use').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /Nothing to remove: Older copies/ }).isDisabled())
      .toBe(true);
    await expect.poll(() => callsOf(page, 'storage.clean')).toEqual([{ part: 'backups' }]);
    await page.context().close();
  });

  it('names empty parts in one line, without a button each', async () => {
    const parts = ['library', 'prepared', 'peaks', 'backups', 'log', 'practice', 'app'] as const;
    const use = {
      parts: parts.map((part) => ({ part, bytes: 5000, removableBytes: part === 'peaks' ? 5000 : 0 })),
      freeBytes: 1_000_000,
      movedTo: null,
    };
    const page = await open('storage', planStudio({ answers: { 'storage.describe': use } }));
    await page.getByRole('button', { name: 'Remove… Waveforms' }).waitFor();
    await page.getByText(/^Nothing to remove:/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Older copies|Log|Practice data/ }).count()).toBe(0);
    await page.context().close();
  });

  it('says why a part could not be removed', async () => {
    const page = await open('storage', planStudio({ failures: { 'storage.clean': makeFailure('E-183') } }));
    await page.getByRole('button', { name: /Practice data/ }).click();
    await page.getByRole('button', { name: 'Delete practice' }).click();
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('erases everything only after the word is typed, and starts anew', async () => {
    const page = await open('privacy');
    await page.getByRole('button', { name: 'Erase everything…' }).click();
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Erase everything' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'To confirm, type: erase' }).fill('eras');
    await page.keyboard.press('Enter');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await expect.poll(() => callsOf(page, 'storage.eraseEverything')).toEqual([]);
    await page.keyboard.type('e');
    await confirm.click();
    await page.getByRole('heading', { name: 'How would you like to start?' }).waitFor();
    await expect.poll(() => callsOf(page, 'storage.eraseEverything')).toEqual([{ typed: 'erase' }]);
    await page.waitForFunction(() => location.hash === '#/');
    await page.context().close();
  });

  it('stops and starts the log by one switch', async () => {
    const page = await open('privacy');
    await page.getByRole('switch', { name: /Keep a log/ }).focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('input[role="switch"]:not(:checked)') !== null);
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ keepsLog: false }]);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  });
});

describe('a choice that main has not answered', () => {
  const words = planStudio({});
  const sounds = (page: Page) => page.getByRole('switch', { name: /Reduce motion/ });

  it('is shown at once, and a later one is not undone by the answer to it', async () => {
    const page = await open('general', { ...words, waits: ['settings.update'] });
    await sounds(page).press('Space');
    await expect.poll(() => sounds(page).isChecked()).toBe(true);
    await page.evaluate(() => window.fakeStudio.letGo('settings.update'));
    await expect.poll(() => sounds(page).isChecked()).toBe(true);
    await page.context().close();
  });

  it('is reverted when main refuses it, and the user is told why', async () => {
    const plan = {
      ...words,
      waits: ['settings.update' as const],
      failures: { 'settings.update': makeFailure('E-230') },
    };
    const page = await open('general', plan);
    await sounds(page).press('Space');
    await expect.poll(() => sounds(page).isChecked()).toBe(true);
    await page.evaluate(() => window.fakeStudio.letGo('settings.update'));
    await page.getByText('Couldn’t save this setting.').waitFor();
    await expect.poll(() => sounds(page).isChecked()).toBe(false);
    await page.context().close();
  });

  it.each(['Choose the folder for copies', 'Choose the folder to watch'])('of a folder too: %s', async (name) => {
    const failures = { 'automation.chooseFolder': makeFailure('E-230') };
    const page = await open('automation', planStudio({ failures }));
    await page.getByRole('button', { name }).click();
    await page.getByText('Couldn’t save this setting.').waitFor();
    await page.context().close();
  });
});

it('in a small window the name of every page stands on one line, in the longer letters too', async () => {
  const page = await served.open({
    plan: planStudio({ settings: { interfaceLanguage: 'uz-Cyrl' }, answers: { 'connection.check': workingKey } }),
    location: '/settings/editor',
    viewport: { width: 960, height: 640 },
  });
  const pages = page.locator('[data-pane="settings"]').getByRole('link');
  await pages.first().waitFor();
  const heights = await pages.evaluateAll((links) => [...new Set(links.map((link) => link.clientHeight))]);
  expect(heights).toHaveLength(1);
  await page.context().close();
});
