import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { keyRefused } from './settings-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = (plan = planStudio()) => served.open({ plan, location: '/settings/connection' });
const legacyKey = { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } as const;

describe('proxy', () => {
  it('an entered one applies when it is complete; errors are shown, and the last valid one stays', async () => {
    const page = await open();
    await expect.poll(() => page.getByLabel('Proxy address').count()).toBe(0);
    await page.getByRole('radio', { name: 'Custom' }).focus();
    await page.keyboard.press('Space');
    const [server, port] = [page.getByLabel('Proxy address'), page.getByLabel('Port')];
    await server.waitFor();
    await expect.poll(() => callsOf(page, 'connection.setProxy')).toEqual([]);
    await server.fill('user:word@proxy.example');
    await server.press('Enter');
    await page.getByText('Enter a host name or an address, without a name and password.').waitFor();
    await page.getByText('The proxy in use stays until this is right.').waitFor();
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
      .toEqual([8080, 3128].map((number) => ({ mode: 'manual', server: 'proxy.example', port: number })));
    await page.context().close();
  });

  it('another mode applies at once, and the entered proxy is remembered', async () => {
    const page = await open(planStudio({ settings: { proxy: { mode: 'manual', server: '10.0.0.1', port: 3128 } } }));
    await expect.poll(() => page.getByLabel('Proxy address').inputValue()).toBe('10.0.0.1');
    await page.getByRole('radiogroup', { name: 'Proxy' }).getByText('None').click();
    await page.getByLabel('Proxy address').waitFor({ state: 'detached' });
    await expect
      .poll(() => callsOf(page, 'connection.setProxy'))
      .toEqual([{ mode: 'none', server: '10.0.0.1', port: 3128 }]);
    await page.getByRole('radiogroup', { name: 'Proxy' }).getByText('Custom').click();
    await expect.poll(() => page.getByLabel('Port').inputValue()).toBe('3128');
    await page.context().close();
  });
});

describe('other addresses', () => {
  it('are stored when they are valid, one by one; that of the legacy call appears with a legacy key only', async () => {
    const page = await open(planStudio({ connection: { legacyKey } }));
    const stream = page.getByLabel('Address for live streams');
    await stream.fill('wss://live.example.com');
    await stream.press('Enter');
    await page.getByLabel('Host of the legacy call (gRPC)').fill('grpc.example.com');
    await page.getByLabel('Host of the legacy call (gRPC)').press('Enter');
    await expect
      .poll(() => callsOf(page, 'connection.setPlaces'))
      .toEqual([
        { streamAddress: 'wss://live.example.com', callHost: '' },
        { streamAddress: 'wss://live.example.com', callHost: 'grpc.example.com' },
      ]);
    await page.context().close();
    const without = await open(planStudio({ failures: { 'connection.setPlaces': makeFailure('E-234') } }));
    await without.getByLabel('Address for live streams').fill('https://x.example');
    await without.getByLabel('Address for live streams').press('Enter');
    await without.getByText('Enter an address that begins with wss://, without a path.').waitFor();
    expect(await without.getByLabel('Host of the legacy call (gRPC)').count()).toBe(0);
    await without.context().close();
    const full = await open(planStudio({ failures: { 'connection.setPlaces': makeFailure('E-180') } }));
    await full.getByLabel('Address for live streams').fill('wss://live.example.com');
    await full.getByLabel('Address for live streams').press('Enter');
    await full.getByText('disk', { exact: false }).first().waitFor();
    expect(await full.getByText('Enter an address that begins with wss://').count()).toBe(0);
    await full.context().close();
  });
});

describe('key of the legacy API', () => {
  it('is typed in its own window or pasted by main, shows only its last characters, and is forgotten after confirmation', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Enter legacy key…' }).click();
    await expect.poll(() => callsOf(page, 'legacyKey.enter')).toEqual([{}]);
    await page.getByRole('button', { name: 'Paste legacy key' }).click();
    await page.getByText('Key ending in 77aa').waitFor();
    const forget = page.getByRole('button', { name: 'Forget legacy key' });
    await forget.click();
    await page.getByRole('alertdialog', { name: 'Forget the legacy key?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'legacyKey.forget')).toEqual([]);
    await forget.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget legacy key' }).click();
    await page.getByText('Key ending in 77aa').waitFor({ state: 'detached' });
    await expect.poll(() => forget.count()).toBe(0);
    await page.context().close();
  });

  it('one entered as the current key is recognized and moved to its place', async () => {
    const misplaced = { ...keyRefused, key: 'legacy-generation' as const, failure: null };
    const page = await open(planStudio({ answers: { 'connection.check': misplaced } }));
    await page.getByRole('button', { name: 'Keep it as the legacy key' }).click();
    await page.getByText('Key ending in 3kQ9').first().waitFor();
    await page.getByText('No key yet').waitFor();
    await expect.poll(() => callsOf(page, 'legacyKey.adopt')).toEqual([{}]);
    await page.context().close();
  });

  it('says why it could not be stored', async () => {
    const plan = planStudio({ connection: { legacyKey }, failures: { 'legacyKey.forget': makeFailure('E-191') } });
    const page = await open(plan);
    await page.getByRole('button', { name: 'Forget legacy key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget legacy key' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('Key ending in 77aa').waitFor();
    await page.context().close();
  });
});

describe('before a large amount is sent', () => {
  it('the limit for an hour is chosen by keyboard, and one that is not in the list is shown too', async () => {
    const page = await open(planStudio({ settings: { spendLimitMinutes: 45 } }));
    const limits = page.getByRole('radiogroup', { name: 'Hourly sending limit' });
    await expect.poll(() => limits.getByRole('radio').count()).toBe(6);
    await expect.poll(() => limits.getByRole('radio', { checked: true }).count()).toBe(1);
    await limits.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowRight');
    await limits.getByText('Never ask').click();
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ spendLimitMinutes: 0 }, { spendLimitMinutes: null }]);
    await page.context().close();
  });

  it('one that main refuses to raise stays, and the page shows the valid one', async () => {
    const plan = planStudio({
      settings: { spendLimitMinutes: 60 },
      failures: { 'settings.update': makeFailure('E-238') },
    });
    const page = await open(plan);
    const limits = page.getByRole('radiogroup', { name: 'Hourly sending limit' });
    const chosen = () =>
      limits.getByRole('radio', { checked: true }).evaluate((radio) => radio.closest('label')?.textContent);
    const before = await chosen();
    await limits.getByText('Never ask').click();
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ spendLimitMinutes: null }]);
    await page.getByRole('alert').waitFor();
    await expect.poll(() => chosen()).toBe(before);
    await page.context().close();
  });

  it('parallel uploads are one of four numbers', async () => {
    const page = await open();
    await page.getByRole('radiogroup', { name: 'Parallel uploads' }).getByText('8').click();
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ uploadsAtOnce: 8 }]);
    await page.context().close();
  });
});
