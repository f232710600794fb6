import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { listAccess, readPermissions } from '../../shared/domain/permissions/permission-map.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio, someConnection } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { workingKey } from './screens.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const denied = (permission: string) => ({
  ...someConnection,
  access: {
    checkedAtMs: 1,
    products: listAccess(
      readPermissions([
        { product: 'transcribe', permission, failure: makeFailure('E-037', { params: { permission } }) },
      ]),
    ),
  },
});
const plan = planStudio({ answers: { 'connection.check': workingKey } });

it('a key that may not transcribe is explained on the screen before anything is sent, and the screen asks for another', async () => {
  const page = await served.open({
    plan: planStudio({ connection: denied('speech_to_text: write'), answers: { 'connection.enterKey': {} } }),
  });
  const banner = page.getByText(/speech_to_text: write/);
  await banner.waitFor();
  await page.getByRole('button', { name: /key/i }).filter({ visible: true }).first().click();
  await expect.poll(() => callsOf(page, 'connection.enterKey')).toHaveLength(1);
  await expect.poll(() => callsOf(page, 'connection.check')).toEqual([]);

  // The user changed the key: main reports it, and the explanation disappears.
  await page.evaluate((connection) => {
    window.fakeStudio.setConnection(connection);
  }, someConnection);
  await banner.waitFor({ state: 'detached' });
});

it('a rejected file of corrections is reported with its line beside the connection', async () => {
  const app = {
    ...plan.app,
    corrections: {
      places: [],
      complaints: [{ line: 4, at: 'paths.stt.submit', problem: 'is-documented' as const }],
    },
  };
  const page = await served.open({ plan: { ...plan, app }, location: '/settings/connection' });
  await page.getByText(/line 4, paths\.stt\.submit: this is settled by the document/).waitFor();
});

it('a report for support is saved from the privacy page; an error is shown there', async () => {
  const page = await served.open({
    plan: planStudio({ answers: { 'diagnostics.save': { savedAs: 'ovoz-diagnostics.json' } } }),
    location: '/settings/privacy',
  });
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByText('Saved: ovoz-diagnostics.json.').waitFor();
  await expect.poll(() => callsOf(page, 'diagnostics.save')).toEqual([{}]);
  await page.evaluate(
    (failure) => {
      window.fakeStudio.setFailure('diagnostics.save', failure);
    },
    makeFailure('E-214', { code: 'export_not_writable' }),
  );
  await page.getByRole('button', { name: 'Save…' }).click();
  await page
    .getByText(/could not be|can’t be/)
    .first()
    .waitFor();
});
