import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
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

/** Waits until the row with this key has the focus. */
const atRow = (page: Page, key: string) =>
  page.waitForFunction((wanted) => document.activeElement?.getAttribute('data-key') === wanted, key);

describe('the list', () => {
  it('puts what needs a person first, then running, waiting, done', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const keys = await page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
    expect(new Set(keys.slice(0, 4))).toEqual(new Set(['changed', 'failed', 'twin', 'unreadable']));
    expect(new Set(keys.slice(4, 10))).toEqual(
      new Set(['preparing', 'processing', 'queued', 'retrying', 'uploading', 'video']),
    );
    expect(keys.slice(10)).toEqual(['waiting', 'waiting-2', 'paused', 'done', 'cancelled']);
    await page.context().close();
  });

  it('follows events by their seq: a newer row replaces, a late one does not', async () => {
    const page = await served.open({ plan: planStudio({ jobs: [someJob('a', { tag: 'preparing' })] }) });
    const uploading = (seq: number, sentBytes: number) =>
      someJob('a', { tag: 'uploading', sentBytes, totalBytes: 200, sinceMs: 0 }, { seq, sizeBytes: 200 });
    await emitEvent(page, 'jobs.changed', {
      number: 2,
      isWhole: false,
      jobs: [uploading(5, 100)],
      removedIds: [],
      queue: noQueue,
    });
    await page.getByText('Uploading 50%').waitFor();
    await emitEvent(page, 'jobs.changed', {
      number: 3,
      isWhole: false,
      jobs: [uploading(4, 20)],
      removedIds: [],
      queue: noQueue,
    });
    await emitEvent(page, 'jobs.changed', {
      number: 4,
      isWhole: false,
      jobs: [uploading(6, 150)],
      removedIds: [],
      queue: noQueue,
    });
    await page.getByText('Uploading 75%').waitFor();
    await emitEvent(page, 'jobs.changed', { number: 5, isWhole: false, jobs: [], removedIds: ['a'], queue: noQueue });
    await page.getByText('No recordings in the queue').waitFor();
    await page.context().close();
  });

  it('that can’t be read says why and never that it is empty, and is read when a person asks again', async () => {
    const page = await served.open({
      plan: planStudio({ jobs: [someJob('a', { tag: 'preparing' })], failures: { 'jobs.list': makeFailure('E-184') } }),
    });
    const told = page.getByRole('alert').filter({ hasText: 'The recordings in the queue could not be shown' });
    await told.waitFor();
    expect(await page.getByText('No recordings in the queue').count()).toBe(0);
    await page.evaluate(() => window.fakeStudio.setFailure('jobs.list', null));
    await told.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-key="a"]').waitFor();
    await told.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is read anew after a part that was missed', async () => {
    const page = await served.open({ plan: planStudio({ jobs: [someJob('a', { tag: 'preparing' })] }) });
    await page.locator('[data-key="a"]').waitFor();
    await page.evaluate(
      ([jobs, queue]) => window.fakeStudio.setAnswer('jobs.list', { number: 7, partCount: 1, jobs, queue }),
      [[someJob('b', { tag: 'preparing' })], noQueue] as const,
    );
    await emitEvent(page, 'jobs.changed', { number: 5, isWhole: false, jobs: [], removedIds: [], queue: noQueue });
    await page.locator('[data-key="b"]').waitFor();
    expect(await page.locator('[data-key="a"]').count()).toBe(0);
    await page.context().close();
  });

  it('says before anything is sent what it will probably cost, and plainly when that is not known', async () => {
    const hour = someJob('a', { tag: 'waiting', placeInLine: 1 }, { durationMs: 3_600_000 });
    const plan = planStudio({ jobs: [hour], queue: { ...noQueue, isHeld: true } });
    const page = await served.open({ plan });
    const options = page.getByRole('complementary');
    await options.getByText('about 49 credits').waitFor();
    await page.getByRole('row').getByText('about 48.3 credits').waitFor();
    await page.context().close();
    const untold = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };
    const other = await served.open({ plan: { ...plan, answers: { ...plan.answers, 'usage.rate': untold } } });
    await other.getByRole('complementary').getByText('not told by the service').waitFor();
    await other.getByRole('complementary').getByText('1 h', { exact: true }).waitFor();
    expect(await other.getByText(/credits$/).count()).toBeLessThanOrEqual(2);
    await other.context().close();
  });

  it('is walked, opened, called off and cleared by keyboard alone', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.locator('[data-key="processing"]').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog', { name: 'Cancel this recording?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await callsOf(page, 'jobs.cancel')).toEqual([]);

    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.cancel'));
    expect(await callsOf(page, 'jobs.cancel')).toEqual([{ jobId: 'processing' }]);

    await page.locator('[data-key="processing"]').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('processing');

    await page.locator('[data-key="failed"]').focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    await menu.getByRole('menuitem', { name: 'Details' }).press('Enter');
    await page.getByRole('dialog', { name: 'Details' }).waitFor();
    await page.getByText('req_81f2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/transcripts/t-1');
    await page.context().close();
  });

  it('accepts a new charge only through the button that names one', async () => {
    const lost = makeFailure('E-041', { code: 'job_lost' });
    const changed = makeFailure('E-011', { params: { name: 'b.wav' } });
    const page = await served.open({
      plan: planStudio({
        jobs: [
          someJob('a', { tag: 'needs-user', failure: lost }),
          someJob('b', { tag: 'needs-user', failure: changed }),
        ],
      }),
    });
    await page.locator('[data-key="a"]').getByRole('button').first().click();
    await page.locator('[data-key="b"]').getByRole('button').first().click();
    await page.locator('[data-key="a"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /charge/ }).click();
    await page.waitForFunction(
      () => window.fakeStudio.calls.filter((call) => call.method === 'jobs.retry').length === 3,
    );
    expect(await callsOf(page, 'jobs.retry')).toEqual([
      { jobId: 'a', acceptsNewCharge: false },
      { jobId: 'b', acceptsNewCharge: true },
      { jobId: 'a', acceptsNewCharge: true },
    ]);
    await page.context().close();
  });

  it('moves between the panes with F6 and back with Shift+F6', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const pane = () => page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane'));
    const visited: unknown[] = [];
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('F6');
      visited.push(await pane());
    }
    expect(visited).toEqual(['title', 'rail', 'header', 'content', 'inspector']);
    await page.keyboard.press('Shift+F6');
    expect(await pane()).toBe('content');
    await page.context().close();
  });

  it('asks before it removes a finished row, and says that the transcript stays', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Delete');
    await page.getByText('The transcript stays saved on this computer.').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.remove'));
    expect(await callsOf(page, 'jobs.remove')).toEqual([{ jobId: 'done' }]);
    await page.context().close();
  });

  it('tells honestly when the service already had what was called off', async () => {
    const plan = planStudio({
      jobs: [someJob('waiting', { tag: 'waiting', placeInLine: 1 })],
      answers: { 'jobs.cancel': { isAcceptedByService: true } },
    });
    const page = await served.open({ plan });
    await page
      .locator('[data-key="waiting"]')
      .getByRole('button', { name: /Cancel/ })
      .click();
    await page.getByRole('status').getByText('the service may still finish it and charge for it').waitFor();
    await page.context().close();
  });

  it('draws only what is seen of a long queue, and walks it by keys to the end', async () => {
    const jobs = Array.from({ length: 2000 }, (_, index) =>
      someJob(`job-${String(index)}`, { tag: 'waiting', placeInLine: index + 1 }, { addedAtMs: index }),
    );
    const page = await served.open({ plan: planStudio({ jobs }) });
    await page.getByRole('row').first().waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(30);
    const grid = page.getByRole('grid', { name: 'Queue' });
    expect(await grid.getAttribute('aria-rowcount')).toBe('2000');
    await page.locator('[data-key="job-0"]').focus();
    await page.keyboard.press('End');
    await atRow(page, 'job-1999');
    expect(await page.locator('[data-key="job-1999"]').getAttribute('aria-rowindex')).toBe('2000');
    await page.keyboard.press('PageUp');
    await page.waitForFunction(() => /^job-199[0-7]$/u.test(document.activeElement?.getAttribute('data-key') ?? ''));
    await page.keyboard.press('Home');
    await atRow(page, 'job-0');
    await page.keyboard.type('job-1234.');
    await atRow(page, 'job-1234');
    expect(await page.getByRole('row').count()).toBeLessThan(30);
    await page.context().close();
  });

  it('touches no row in the page but the one that changed', async () => {
    const jobs = Array.from({ length: 1000 }, (_, index) =>
      someJob(
        `job-${String(index)}`,
        { tag: 'uploading', sentBytes: 1, totalBytes: 100, sinceMs: Date.now() + 3_600_000 },
        { rank: index + 1 },
      ),
    );
    const page = await served.open({ plan: planStudio({ jobs }) });
    await page.locator('[data-key="job-3"]').getByText('Uploading 1%').waitFor();
    await page.evaluate(() => {
      const touched = new Set<string>();
      const grid = document.querySelector('[role="grid"]');
      if (grid === null) throw new Error('no list');
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          const key = element?.closest<HTMLElement>('[role="row"]')?.dataset['key'];
          if (key !== undefined) touched.add(key);
        }
        grid.setAttribute('data-touched', [...touched].join(' '));
      }).observe(grid, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['style', 'aria-label'],
      });
    });
    const changed = someJob(
      'job-3',
      { tag: 'uploading', sentBytes: 50, totalBytes: 100, sinceMs: Date.now() + 3_600_000 },
      { seq: 2, rank: 4 },
    );
    await emitEvent(page, 'jobs.changed', {
      number: 2,
      isWhole: false,
      jobs: [changed],
      removedIds: [],
      queue: noQueue,
    });
    await page.locator('[data-key="job-3"]').getByText('Uploading 50%').waitFor();
    expect(await page.getByRole('grid', { name: 'Queue' }).getAttribute('data-touched')).toBe('job-3');
    await page.context().close();
  });

  it('is one stop for Tab, that stays with its row while others come and go', async () => {
    const jobs = Array.from({ length: 300 }, (_, index) =>
      someJob(`job-${String(index)}`, { tag: 'waiting', placeInLine: index + 1 }, { addedAtMs: index }),
    );
    const page = await served.open({ plan: planStudio({ jobs }) });
    const row = (key: string) => page.locator(`[data-key="${key}"]`);
    await row('job-0').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await atRow(page, 'job-2');
    await page.keyboard.press('ArrowRight');
    expect(
      await row('job-2')
        .getByRole('button', { name: /Cancel/ })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="grid"]') === null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await atRow(page, 'job-2');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="grid"]') === null)).toBe(true);
    await page.keyboard.press('Tab');
    await atRow(page, 'job-2');

    const change = { isWhole: false, removedIds: [] as string[], queue: noQueue };
    const first = someJob('job-250', { tag: 'preparing' }, { seq: 2 });
    await emitEvent(page, 'jobs.changed', { ...change, number: 2, jobs: [first] });
    await row('job-250').waitFor();
    await atRow(page, 'job-2');
    expect(await row('job-2').getAttribute('aria-rowindex')).toBe('4');
    await emitEvent(page, 'jobs.changed', { ...change, number: 3, jobs: [], removedIds: ['job-2'] });
    await atRow(page, 'job-3');
    await page.context().close();
  });

  it('announces additions and ends politely, without repeating itself', async () => {
    const page = await served.open({ plan: planStudio() });
    await emitEvent(page, 'jobs.changed', {
      number: 2,
      isWhole: false,
      jobs: [someJob('a', { tag: 'preparing' }), someJob('b', { tag: 'preparing' })],
      removedIds: [],
      queue: noQueue,
    });
    const region = page.locator('output[aria-live="polite"]').filter({ hasText: '2 files added' });
    await region.waitFor({ state: 'attached' });
    await page.context().close();
  });

  it('lifts a stop of the queue by the button of its notice', async () => {
    const failure = makeFailure('E-034', { status: 402, code: 'insufficient_credits' });
    const page = await served.open({
      plan: planStudio({ jobs: [someJob('a', { tag: 'blocked', by: 'credits', failure })] }),
    });
    await page.getByRole('main').getByRole('status').getByRole('button').first().click();
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.resumeQueue'));
    await page.context().close();
    expect(served.complaints).toEqual([]);
  });
});
