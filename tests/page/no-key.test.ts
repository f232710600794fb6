import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { someSpeech, someVoices } from '../support/some-speech.ts';
import { planStudio, someConnection } from '../support/studio-plan.ts';
import { someJob } from '../support/some-jobs.ts';
import { noKey } from './screens.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const places = ['/transcribe', '/dictate', '/ask', '/speak', '/voices', '/isolate', '/account/webhooks'];
const missing = makeFailure('E-235', { code: 'no_key', outcome: 'not_sent' });
const open = (location: string, keychain: 'absent' | 'no-service' | 'locked') =>
  served.open({
    plan: planStudio({
      connection: { key: { ...noKey, keychain } },
      jobs: [someJob('a', { tag: 'blocked', by: 'key', failure: missing })],
      answers: { 'connection.enterKey': {}, 'connection.recheckKey': someConnection },
      failures: { 'speak.voices': missing, 'webhooks.list': missing },
    }),
    location,
  });

it.each(places)('a key that was not kept is explained on %s once, and one button asks for it', async (location) => {
  const page = await open(location, 'no-service');
  const main = page.getByRole('main');
  await main.getByText('The API key was not kept').waitFor();
  await main.getByRole('button', { name: 'Enter key' }).click();
  await expect.poll(() => callsOf(page, 'connection.enterKey')).toHaveLength(1);
  expect(await main.getByText(/not accepted|Could not load the voices/u).count()).toBe(0);
  await page.evaluate((connection) => {
    window.fakeStudio.setConnection(connection);
  }, someConnection);
  await main.getByText('The API key was not kept').waitFor({ state: 'detached' });
  await page.context().close();
});

it('without a key, voices from before are listed, and nothing says that the service is away', async () => {
  const page = await served.open({
    plan: planStudio({
      connection: { key: noKey },
      answers: { ...someSpeech(), 'speak.voices': { ...someVoices, failure: missing } },
    }),
    location: '/voices',
  });
  const main = page.getByRole('main');
  await main.getByRole('listitem', { name: 'Claire' }).waitFor();
  expect(await main.getByRole('status').allInnerTexts()).toEqual([expect.stringContaining('No API key')]);
  await page.context().close();
});

it('a key that was never entered is asked for, and a locked keychain is asked again', async () => {
  const never = await open('/ask', 'absent');
  await never.getByRole('main').getByText('Add a key in Settings to ask questions.', { exact: false }).waitFor();
  await never.getByRole('main').getByRole('button', { name: 'Enter key' }).waitFor();
  await never.context().close();
  const locked = await open('/speak', 'locked');
  await locked.getByRole('main').getByText('Keychain is locked').waitFor();
  await locked.getByRole('main').getByRole('button', { name: 'Check again' }).click();
  await locked.getByRole('main').getByText('Keychain is locked').waitFor({ state: 'detached' });
  await locked.context().close();
});
