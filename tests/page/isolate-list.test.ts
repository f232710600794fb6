import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { turn } from '../support/turn.ts';
import { isolatedAudio, isolatedJobs } from './isolate-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const like = (id: string, changes: Partial<JobView>): JobView =>
  ({ ...isolatedJobs.find((job) => job.id === id), ...changes }) as JobView;
const doneRow = (at: number): JobView =>
  like('done', {
    id: `done-${String(at)}`,
    name: `Yozuv ${String(at)}.wav`,
    addedAtMs: 1_000_000 - at,
    state: { tag: 'done', audioId: `audio-${String(at)}`, finishedAtMs: 1 },
  });

const open = async (jobs: readonly JobView[], answers: StudioPlan['answers'] = {}): Promise<Page> => {
  const page = await served.open({
    plan: planStudio({
      settings: { interfaceLanguage: 'en' },
      jobs,
      answers: {
        'isolation.open': isolatedAudio(null),
        'isolation.list': { audio: [] },
        'isolation.hidden': { jobs: [] },
        'isolation.unhide': { isRestored: true },
        'jobs.act': { changedCount: 1, acceptedCount: 0 },
        ...answers,
      },
    }),
  });
  await page.keyboard.press('Control+Digit5');
  await page.getByRole('grid').waitFor();
  return page;
};
const change = (page: Page, number: number, job: JobView) =>
  emitEvent(page, 'jobs.changed', { number, isWhole: false, jobs: [job], removedIds: [], queue: noQueue });

const first = like('working', { id: 'first', name: 'Bir.wav' });
const again = like('working', {
  id: 'again',
  name: 'Nusxa.wav',
  state: {
    tag: 'needs-user',
    failure: makeFailure('E-212', {
      code: 'same_in_queue',
      outcome: 'not_sent',
      layer: 'local',
      params: { jobId: 'first', name: 'Bir.wav', date: 1 },
    }),
  },
});

it('the second copy of a recording that is being isolated says so, and leaves the list without being cancelled', async () => {
  const page = await open([first, again]);
  const row = page.getByRole('row', { name: 'Nusxa.wav' });
  await row.getByText('Already being isolated').waitFor();
  expect(await row.getByRole('button', { name: 'Open that result' }).count()).toBe(0);
  await row.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Remove from the list' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Cancel' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Remove from the list' }).click();
  await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['again'], action: 'remove' }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => (await callsOf(page, 'jobs.act')).at(-1))
    .toEqual({ jobIds: ['again'], action: 'undo-cancel' });
  await page.context().close();
});

it('once the other copy is done, its result is used and opened', async () => {
  const page = await open([first, again]);
  const row = page.getByRole('row', { name: 'Nusxa.wav' });
  await change(page, 2, { ...first, state: { tag: 'done', audioId: 'audio-1', finishedAtMs: 1 } });
  await row.getByText('Isolated before', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Open that result' }).click();
  await expect.poll(() => callsOf(page, 'jobs.copyResult')).toEqual([{ jobId: 'again' }]);
  await change(page, 3, { ...again, state: { tag: 'done', audioId: 'audio-2', finishedAtMs: 2 } });
  await expect.poll(async () => (await callsOf(page, 'isolation.open')).at(-1)).toEqual({ audioId: 'audio-2' });
  await page.context().close();
});

it('a copy of a finished recording and a silent one stay at the top with what can be done, and need no attention', async () => {
  const silent = {
    ...again,
    id: 'silent',
    name: 'Jim.wav',
    state: { tag: 'needs-user', failure: makeFailure('E-244') },
  };
  const done = { ...first, state: { tag: 'done', audioId: 'audio-1', finishedAtMs: 1 } } as const;
  const page = await open([doneRow(1), done, again, silent as JobView]);
  await page.getByRole('radio', { name: 'Needs attention 0' }).waitFor();
  const keys = await page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
  expect(new Set(keys.slice(0, 2))).toEqual(new Set(['again', 'silent']));
  await page.getByRole('row', { name: 'Nusxa.wav' }).getByRole('button', { name: 'Open that result' }).waitFor();
  await page.getByRole('row', { name: 'Jim.wav' }).getByRole('button', { name: 'Send anyway' }).waitFor();
  await page.context().close();
});

const excerpt = { startMs: 410_000, endMs: 440_000, index: null, count: 0, isJoinable: false, wholeUrl: null };

it('isolating a whole recording that the list has already shows its row instead of adding another', async () => {
  const jobs = [...Array.from({ length: 30 }, (_, at) => doneRow(at)), doneRow(40)];
  const page = await open(jobs, {
    'isolation.open': isolatedAudio({ ...excerpt, wholeMs: 1_104_000 }),
    'isolation.addWhole': { jobId: 'done-40', isListed: true },
  });
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.getByRole('button', { name: 'Isolate all of it' }).click();
  await expect.poll(async () => (await callsOf(page, 'isolation.open')).at(-1)).toEqual({ audioId: 'audio-40' });
  await expect.poll(() => page.getByRole('row', { name: 'Yozuv 40.wav' }).isVisible()).toBe(true);
  await page.context().close();
});

it('the opened row stays in sight, however slowly its result is read', async () => {
  const page = await open(Array.from({ length: 12 }, (_, at) => doneRow(at)));
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).getByText('Yozuv 0.wav').click();
  await page.getByRole('region', { name: 'Compare' }).first().waitFor();
  await page.getByRole('grid').evaluate((grid) => {
    grid.scrollTop = grid.scrollHeight;
  });
  const last = page.getByRole('row', { name: 'Yozuv 11.wav' });
  await last.getByText('Yozuv 11.wav').click();
  await expect.poll(async () => (await callsOf(page, 'isolation.open')).at(-1)).toEqual({ audioId: 'audio-11' });
  await page.getByRole('region', { name: 'Compare' }).first().waitFor();
  await expect
    .poll(() =>
      last.evaluate((row) => {
        const [inner, outer] = [row.getBoundingClientRect(), row.closest('[role="grid"]')!.getBoundingClientRect()];
        return inner.top >= outer.top && inner.bottom <= outer.bottom;
      }),
    )
    .toBe(true);
  await page.context().close();
});

it('where the service names no price, the cost is estimated from the last isolations, also in a narrow window', async () => {
  const paid = { audio: [{ audioId: 'audio-1', jobId: 'done', credits: '31' }] };
  const resting = like('waiting', { id: 'long', name: 'Uzun.wav', durationMs: 1_327_000 });
  const paused = { ...resting, state: { tag: 'paused', sentBytes: 0, totalBytes: 0 } } as JobView;
  const page = await open([like('done', {}), paused], {
    'isolation.list': paid,
    'usage.isolationRate': { sampleCount: 3, creditsPerHour: '3601', creditsPerGigabyte: null },
  });
  await page.getByText(/1 recording to send: .*about 1,328 credits/u).waitFor();
  await page.getByText('Estimated from your last 3 isolations.').first().waitFor();
  await page.setViewportSize({ width: 960, height: 640 });
  await page.getByRole('row', { name: 'Uzun.wav' }).getByText('about 1,328').filter({ visible: true }).waitFor();
  await page.getByRole('row', { name: 'Bozordagi' }).getByText('31 credits').filter({ visible: true }).waitFor();
  await page.context().close();
});

it('cancelled rows are not counted as done, and a filter without rows says so', async () => {
  const page = await open([...Array.from({ length: 3 }, (_, at) => doneRow(at)), like('cancelled', {})]);
  await page.getByRole('radio', { name: 'All 4' }).waitFor();
  await page.getByRole('radio', { name: 'Done 3' }).waitFor();
  await turn(page.getByRole('radio', { name: 'In progress 0' }));
  await page.getByText('No recordings here').waitFor();
  await page.context().close();
});

it('work that the service has is not offered to be cancelled, only to be waited for no longer', async () => {
  const page = await open([like('held', { name: 'Navbatda.wav' })]);
  const row = page.getByRole('row', { name: 'Navbatda.wav' });
  await row.getByText('Queued at the service').waitFor();
  await row.getByText(/^since \d/u).waitFor();
  await row.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Stop waiting' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stop waiting' }).click();
  await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['held'], action: 'cancel' }]);
  await page.context().close();
});

it('another filter shows its list from the top', async () => {
  const failed = Array.from({ length: 3 }, (_, at) => like('failed', { id: `f-${String(at)}`, name: `F ${at}.wav` }));
  const page = await open([...Array.from({ length: 30 }, (_, at) => doneRow(at)), ...failed]);
  const grid = page.getByRole('grid');
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).focus();
  await page.keyboard.press('End');
  await expect.poll(() => grid.evaluate(({ scrollTop }) => scrollTop > 200)).toBe(true);
  await turn(page.getByRole('radio', { name: 'Done 30' }));
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).waitFor();
  await expect.poll(() => grid.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.context().close();
});

it('the menu of a row saves every format, and hiding says in one line what it does', async () => {
  const page = await open([doneRow(0)], {
    'isolation.save': { savedAs: null, revealToken: null },
    'isolation.hide': { undoMs: 20_000 },
  });
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Save' }).press('ArrowRight');
  await page.getByRole('menuitem', { name: 'FLAC' }).press('Enter');
  await expect.poll(() => callsOf(page, 'isolation.save')).toEqual([{ audioId: 'audio-0', format: 'flac' }]);
  await page.getByRole('row', { name: 'Yozuv 0.wav' }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('Yozuv 0.wav hidden, nothing is refunded').waitFor();
  await page.context().close();
});
