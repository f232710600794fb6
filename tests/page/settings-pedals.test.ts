import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Settings } from '../../shared/ipc/schemas.ts';
import { areOpen, fakePedals, infinity, olympus, philips, plugIn, send, unplug } from '../support/fake-pedals.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { turnTo } from './settings-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

type Platform = 'linux' | 'win32';
async function open(pedals: Settings['pedals'], platform: Platform = 'linux'): Promise<Page> {
  const page = await served.open({ plan: planStudio({ settings: { pedals }, capabilities: { platform } }) });
  await page.evaluate(fakePedals);
  await turnTo(page, 'shortcuts');
  return page;
}
const choiceOf = (page: Page, pedal: string, button: string) =>
  page.getByRole('region', { name: pedal }).getByRole('combobox', { name: button });
/** The buttons that light up. */
const litButtons = (page: Page) => page.locator('[data-held]').getByRole('combobox');

it('the switch opens the connected pedals, and closes them when it is switched off', async () => {
  const page = await open({ areRead: false, choices: {} });
  await plugIn(page, infinity);
  const option = page.getByRole('switch', { name: 'Read foot pedals' });
  expect(await option.isChecked()).toBe(false);
  await option.focus();
  await page.keyboard.press('Space');
  await page.getByRole('region', { name: 'VEC USB Footpedal' }).getByText('Ready').waitFor();
  expect(await areOpen(page)).toEqual([true]);
  await page.keyboard.press('Space');
  await expect.poll(() => areOpen(page)).toEqual([false]);
  await expect.poll(() => page.getByRole('region', { name: 'VEC USB Footpedal' }).count()).toBe(0);
  expect(await callsOf(page, 'settings.update')).toEqual([
    { pedals: { areRead: true, choices: {} } },
    { pedals: { areRead: false, choices: {} } },
  ]);
  await page.context().close();
});

it('pedals are asked for only after main has stored the switch, because it permits none before', async () => {
  const page = await open({ areRead: false, choices: {} });
  await page.evaluate(() => {
    window.fakeStudio.hold('settings.update');
  });
  await page.getByText('Read foot pedals').click();
  await expect.poll(() => callsOf(page, 'settings.update')).toHaveLength(1);
  expect(await page.getByText('No pedal is connected').count()).toBe(0);
  await page.evaluate(() => {
    window.fakeStudio.letGo('settings.update');
  });
  await page.getByText('No pedal is connected').waitFor();
  await page.context().close();
});

it('a pressed button lights up, gets another action by keyboard, and keeps it', async () => {
  const page = await open({ areRead: true, choices: { '07b4:025f 0:25': 'playback.toggle' } });
  await page.getByText('No pedal is connected').waitFor();
  await plugIn(page, infinity);
  await plugIn(page, olympus);
  const usual = ['Left pedal', 'Middle pedal', 'Right pedal'].map((name) =>
    choiceOf(page, 'VEC USB Footpedal', name).inputValue(),
  );
  expect(await Promise.all(usual)).toEqual(['playback.back', 'hold', 'playback.forward']);
  expect(await choiceOf(page, 'HID FootSwitch RS Series', 'Button 26').inputValue()).toBe('playback.toggle');

  await send(page, 1, 0, 0, 1, 0);
  await expect.poll(() => litButtons(page).count()).toBe(1);
  await page.getByRole('status').filter({ hasText: 'Pressed: Button 17' }).waitFor({ state: 'attached' });
  expect(await litButtons(page).inputValue()).toBe('none');
  expect(await tellBarriers(page)).toEqual([]);
  await send(page, 1, 0, 0, 0, 0);
  await expect.poll(() => litButtons(page).count()).toBe(0);

  await choiceOf(page, 'HID FootSwitch RS Series', 'Button 17').focus();
  await page.keyboard.type('Back');
  await choiceOf(page, 'VEC USB Footpedal', 'Right pedal').selectOption({ label: 'Replay slower' });
  const choices = {
    '07b4:025f 0:25': 'playback.toggle',
    '07b4:025f 0:16': 'playback.back',
    '05f3:00ff 0:2': 'playback.replaySlower',
  };
  await expect
    .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
    .toEqual({ pedals: { areRead: true, choices } });
  await unplug(page, 1);
  await expect.poll(() => page.getByRole('region', { name: 'HID FootSwitch RS Series' }).count()).toBe(0);
  await plugIn(page, olympus);
  await expect.poll(() => choiceOf(page, 'HID FootSwitch RS Series', 'Button 17').inputValue()).toBe('playback.back');
  await page.context().close();
});

it('a pedal that can’t be opened says why and what to do, and is opened when it is tried again', async () => {
  const page = await open({ areRead: true, choices: {} }, 'win32');
  await page.evaluate(() => {
    window.fakePedals.refuse(true);
  });
  await plugIn(page, philips);
  const pedal = page.getByRole('region', { name: 'Philips Footcontrol' });
  await pedal.getByText('Can’t be read').waitFor();
  const reason = pedal.getByRole('alert').filter({ hasText: 'Another program may be using this pedal.' });
  await reason.waitFor();
  await page.evaluate(() => {
    window.fakePedals.refuse(false);
  });
  await pedal.getByRole('button', { name: 'Retry' }).click();
  await pedal.getByText('Ready').waitFor();
  expect(await reason.count()).toBe(0);
  await page.context().close();
});

it('the search finds it by the maker of a pedal', async () => {
  const page = await open({ areRead: false, choices: {} });
  await page.getByRole('searchbox').fill('olympus');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.closest('[data-setting="pedals"]') !== null);
  await page.context().close();
});
