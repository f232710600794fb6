import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { someModel } from '../support/some-model.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
});

const open = (jobs: readonly JobView[], interfaceLanguage: InterfaceLanguage = 'en') =>
  served.open({ plan: planStudio({ jobs, settings: { mode: 'local', interfaceLanguage } }) });

const atWork = someJob(
  'a',
  {
    tag: 'processing',
    sinceMs: 0,
    rawStatus: null,
    heard: { share: 0.38, latestText: 'ustalar har bir qatorni alohida hisoblagan', leftMs: 360_000, isUsual: false },
  },
  { durationMs: 3_130_000 },
);

describe('where this computer does the work', () => {
  it('a row shows its newest words, how much was heard and one time; the rail shows the whole queue', async () => {
    const waiting = someJob('b', { tag: 'queued-at-service', sinceMs: 0 }, { durationMs: 3_130_000 });
    const page = await open([atWork, waiting]);
    const row = page.locator('[data-key="a"]');
    await row.getByText('ustalar har bir qatorni alohida hisoblagan').waitFor();
    await row.getByText('19:49 of 52:10 · about 6 min left').waitFor();
    expect(await row.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('38');
    const rail = page.getByRole('navigation', { name: 'Sections' });
    await rail.getByRole('button', { name: '2 recordings, 19% done' }).waitFor();
    expect(await page.getByText('about 6 min left').count()).toBe(1);
    await page.context().close();
  });

  it('a row says that it waits for the battery, and gives no time', async () => {
    const page = await served.open({
      plan: planStudio({
        jobs: [atWork],
        connection: { isPausedOnBattery: true },
        settings: { mode: 'local', interfaceLanguage: 'en' },
      }),
    });
    const row = page.locator('[data-key="a"]');
    await row.getByText('Paused: on battery').waitFor();
    expect(await row.getByText('about 6 min left').count()).toBe(0);
    await page.context().close();
  });

  it.each(['uz', 'ru', 'en'] as const)(
    'no row of the queue speaks of a service, a price or sending in %s',
    async (language) => {
      // What only a service with an account can lead to is left out.
      const isElsewhere = ({ id, state }: JobView) =>
        id === 'processing' ||
        ('failure' in state && !['E-010', 'E-011', 'E-160', 'E-212'].includes(state.failure.row));
      const page = await open([...jobsInEveryState().filter((job) => !isElsewhere(job)), atWork], language);
      await page.getByText('ustalar har bir qatorni alohida hisoblagan').waitFor();
      const text = await page.getByRole('main').innerText();
      const told = /service|credit|charge|upload|cost|сервис|кредит|отправ|стоимост|xizmat|kredit|yubor|narx/iu;
      expect(text.split('\n').filter((line) => told.test(line))).toEqual([]);
      await page.context().close();
    },
  );

  it('the model that is missing is got where recordings are added; what waits for it says so once, and the drop zone returns', async () => {
    const missing = makeFailure('E-250', { code: 'model_missing', status: 503 });
    const page = await served.open({
      plan: planStudio({
        jobs: [someJob('a', { tag: 'blocked', by: 'model', failure: missing })],
        settings: { mode: 'local' },
        answers: {
          'models.list': { models: [someModel], refused: [], hasOwn: false },
          'models.get': {},
        },
      }),
    });
    const card = page.getByRole('region', { name: 'One download, then no network is needed' });
    await card.getByText('From models.example, MIT licence. Contacted only when you press the button.').waitFor();
    await page.locator('[data-key="a"]').getByText('Waits for the model').waitFor();
    expect(await page.getByText('No model here yet').count()).toBe(0);
    await card.getByRole('button', { name: 'Get the model · 225 MB' }).click();
    await expect.poll(() => callsOf(page, 'models.get')).toEqual([{ id: 'small' }]);
    await page.getByRole('link', { name: 'Dictate' }).click();
    await card.getByRole('button', { name: 'Get the model · 225 MB' }).waitFor();
    await page.evaluate((here) => window.fakeStudio.setAnswer('models.list', here), {
      models: [{ ...someModel, state: 'here' }],
      refused: [],
      hasOwn: false,
    } as unknown);
    await emitEvent(page, 'models.changed', {});
    await card.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Transcribe' }).click();
    await page.getByText('Drop files or folders anywhere').waitFor();
    await page.context().close();
  });

  it('speakers are said once to need a key, and one button leads there', async () => {
    const page = await open([]);
    await page.getByText('Telling speakers apart needs a key.').waitFor();
    expect(await page.getByRole('switch', { name: 'Identify speakers' }).count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'More with a key' }).click();
    await expect.poll(() => page.getByText('Telling speakers apart needs a key.').count()).toBe(0);
    await page.context().close();
  });
});
