import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { listAccess, readPermissions } from '../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { someJob } from '../support/some-jobs.ts';
import { planStudio, someConnection } from '../support/studio-plan.ts';
import { known, signedIn } from './account-plans.ts';
import { goTo, pagesOfFile } from './page-rig.ts';
import { noKey, workingKey } from './screens.ts';

const { open } = pagesOfFile();

describe('a key', () => {
  it('that may not transcribe is explained before anything is sent, until another is entered', async () => {
    const permission = 'speech_to_text: write';
    const failure = makeFailure('permission-missing', { params: { permission } });
    const denied = listAccess(readPermissions([{ product: 'transcribe', permission, failure }]));
    const page = await open({
      plan: planStudio({ connection: { access: { checkedAtMs: 1, products: denied } } }),
    });
    const banner = page.getByText(/speech_to_text: write/);
    await banner.waitFor();
    await page.getByRole('button', { name: /key/i }).filter({ visible: true }).first().click();
    await expect.poll(() => callsOf(page, 'connection.enterKey')).toHaveLength(1);
    expect(await callsOf(page, 'connection.check')).toEqual([]);
    await page.evaluate((connection) => window.fakeStudio.setConnection(connection), someConnection);
    await banner.waitFor({ state: 'detached' });
  });

  it('that was not kept is explained once on every screen that needs it, and one button asks for it', async () => {
    const missing = makeFailure('key-missing', { code: 'no_key', outcome: 'not_sent' });
    const page = await open({
      plan: planStudio({
        connection: { key: { ...noKey, keychain: 'no-service' } },
        jobs: [someJob('a', { tag: 'blocked', by: 'key', failure: missing })],
        failures: { 'speak.voices': missing, 'webhooks.list': missing },
      }),
      location: '/library',
    });
    const main = page.getByRole('main');
    const said = main.getByText('The API key was not kept').filter({ visible: true });
    const places = ['/transcribe', '/dictate', '/ask', '/speak', '/voices', '/isolate', '/account/webhooks'];
    const title = () => main.getByRole('heading', { level: 1 }).first().textContent();
    for (const [at, place] of places.entries()) {
      const before = await title();
      await goTo(page, place);
      await expect.poll(title).not.toBe(before);
      await said.waitFor();
      await main.getByRole('button', { name: 'Enter key' }).click();
      await expect.poll(() => callsOf(page, 'connection.enterKey')).toHaveLength(at + 1);
      const wrong = main.getByText(/not accepted|Could not load the voices/u).filter({ visible: true });
      expect(await wrong.count()).toBe(0);
    }
    await page.evaluate((connection) => window.fakeStudio.setConnection(connection), someConnection);
    await said.waitFor({ state: 'detached' });
  });
});

it('costs that are not known yet have one name, are said once with one way to learn them, and have no empty chart', async () => {
  const product = { product: 'transcribe', credits: 0, requests: 2, unreported: 2, audioMs: null, characters: null };
  const day = { fromMs: 1_790_000_000_000, credits: 0, requests: 2, unreported: 2, products: [product] };
  const page = await open({
    plan: planStudio({
      answers: {
        'usage.today': { credits: '0', actionCount: 2, unreportedCount: 2 },
        'usage.days': {
          source: 'computer',
          days: [day],
          products: [product],
          credits: 0,
          creditsBefore: null,
          requests: 2,
          unreported: 2,
          service: null,
        },
      },
    }),
  });
  const chip = page.getByRole('button', { name: 'Credits today: not known yet' });
  await chip.click();
  const explained = page.getByRole('dialog', { name: 'Credits used today' });
  await explained.getByText('Enter the account token to see what everything cost.').waitFor();
  await explained.getByRole('button', { name: 'Enter token…' }).click();
  await expect.poll(() => callsOf(page, 'accountToken.enter')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await goTo(page, '/account/usage');
  await page.getByText('Enter the account token to see what everything cost.').waitFor();
  // The only day and the only feature do not repeat the sum.
  await page.getByRole('row', { name: 'Transcribe 2 requests' }).waitFor();
  await page.getByRole('columnheader', { name: 'Used', exact: true }).waitFor();
  expect(await page.getByRole('main').getByText('not known yet', { exact: true }).count()).toBe(1);
  expect(await page.getByRole('main').getByRole('button', { name: /token/iu }).count()).toBe(1);
  expect(await page.locator('canvas').count()).toBe(0);
});

describe('keys of the account', () => {
  const openKeys = () => open({ plan: signedIn, location: '/account/keys' });
  const ready = (page: Page, id: string) => page.getByRole('region', { name: `“${id}” is ready` });
  const makeKey = async (page: Page, id: string, maskedSuffix: string) => {
    const answer = { key: { ...known['account.createKey'].key, id, name: id }, maskedSuffix };
    await page.evaluate((made) => window.fakeStudio.setAnswer('account.createKey', made), answer);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill(id);
    // Without permissions it is asked first: nothing works with such a key.
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText('nothing will work with it').waitFor();
    await dialog.getByRole('button', { name: 'Create without permissions' }).click();
    await ready(page, id).waitFor();
  };

  it('stay to be copied, each until the user has it, and are not those of another account', async () => {
    const page = await openKeys();
    await makeKey(page, 'first', 'aaaa');
    await makeKey(page, 'second', 'bbbb');
    const first = ready(page, 'first');
    // What is not on the clipboard has no tick, and is not closed without a question.
    const refused = makeFailure('key-secret-lost', { code: 'not_copied', outcome: 'accepted', layer: 'local' });
    const refuse = (failure: Failure | null) =>
      page.evaluate((given) => window.fakeStudio.setFailure('account.copyKey', given), failure);
    await refuse(refused);
    await first.getByRole('button', { name: 'Copy' }).click();
    await first.getByText('did not take it').waitFor();
    await first.getByRole('button', { name: 'I’ve saved it' }).click();
    const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await refuse(null);
    await first.getByRole('button', { name: 'Copy' }).click();
    await first.getByRole('button', { name: 'Copied' }).waitFor();
    await expect.poll(() => callsOf(page, 'account.copyKey')).toEqual([{ keyId: 'first' }, { keyId: 'first' }]);
    await first.getByRole('button', { name: 'I’ve saved it' }).click();
    await first.waitFor({ state: 'detached' });
    expect(await ready(page, 'second').count()).toBe(1);
    await page.evaluate(() =>
      window.fakeStudio.setConnection({
        accountToken: { present: true, maskedSuffix: 'zzzz', store: 'keychain', keychain: 'present' },
      }),
    );
    await ready(page, 'second').waitFor({ state: 'detached' });
  });

  it('being made are not left unasked when the app is to close', async () => {
    const page = await openKeys();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('Yangi kalit');
    await emitEvent(page, 'window.leaving', {});
    await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: false }]);
  });

  it('are gone with what was said of them', async () => {
    const page = await openKeys();
    // The key that the app works with can't be deleted.
    await page.evaluate((answer) => window.fakeStudio.setAnswer('account.keys', answer), {
      ...known['account.keys'],
      ownSuffix: '',
    });
    await makeKey(page, 'key_2', 'aaaa');
    const details = page.getByRole('complementary', { name: 'Key details' });
    // The list of the service tells no limit, so one would be gone when the page is opened again.
    await details.getByText('The service doesn’t report limits').waitFor();
    expect(await details.getByText('1,000').count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke or delete' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await ready(page, 'key_2').waitFor({ state: 'detached' });
    expect(await callsOf(page, 'account.dropKey')).toEqual([{ keyId: 'key_2' }]);
  });
});

it('without a key every section that needs one leads to the page that says what it adds, and that to the service', async () => {
  const plan = planStudio({ settings: { mode: 'local' }, connection: { key: noKey } });
  const page = await open({ plan, location: '/library' });
  const title = (name: string) => page.getByRole('heading', { level: 1, name });
  for (const path of ['/ask', '/voices', '/account/webhooks']) {
    await goTo(page, path);
    await title('More with a key').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await goTo(page, '/library');
    await title('Library').waitFor();
  }
  await page.getByRole('link', { name: 'More with a key' }).click();
  await page.getByRole('button', { name: 'Connect with a key' }).click();
  await page.getByRole('textbox', { name: 'Service address' }).waitFor();

  const answers = { 'connection.check': workingKey };
  const keyed = await open({ plan: planStudio({ settings: { mode: 'local' }, answers }), location: '/account' });
  await keyed.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
  expect(await keyed.getByRole('button', { name: 'Connect with a key' }).count()).toBe(0);
  const use = keyed.getByRole('button', { name: 'Use the service' });
  await use.click();
  await expect.poll(() => callsOf(keyed, 'connection.choose')).toEqual([{ mode: 'service' }]);
  await use.waitFor({ state: 'detached' });
});
