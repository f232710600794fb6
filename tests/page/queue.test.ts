import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
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

describe('the list', () => {
  it('puts what needs the user first, then running, waiting, done', { tags: ['long'] }, async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const keys = await page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
    expect(new Set(keys.slice(0, 3))).toEqual(new Set(['changed', 'failed', 'unreadable']));
    expect(new Set(keys.slice(3, 8))).toEqual(new Set(['preparing', 'processing', 'queued', 'uploading', 'video']));
    // Nothing runs between two attempts.
    expect(new Set(keys.slice(8, 12))).toEqual(new Set(['retrying', 'waiting', 'waiting-2', 'paused']));
    expect(keys.slice(12)).toEqual(['done', 'cancelled', 'twin']);
    await page.context().close();
  });

  it('applies events by their seq: a newer row replaces, a late one does not', async () => {
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

  it('that can’t be read says why and never that it is empty, and is read on request', async () => {
    const page = await served.open({
      plan: planStudio({ jobs: [someJob('a', { tag: 'preparing' })], failures: { 'jobs.list': makeFailure('E-184') } }),
    });
    const told = page.getByRole('alert').filter({ hasText: 'The recordings in the queue could not be shown' });
    await told.waitFor();
    await expect.poll(() => page.getByText('No recordings in the queue').count()).toBe(0);
    await page.evaluate(() => window.fakeStudio.setFailure('jobs.list', null));
    await told.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-key="a"]').waitFor();
    await told.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is fetched again after a missing part', async () => {
    const page = await served.open({ plan: planStudio({ jobs: [someJob('a', { tag: 'preparing' })] }) });
    await page.locator('[data-key="a"]').waitFor();
    await page.evaluate(
      ([jobs, queue]) => window.fakeStudio.setAnswer('jobs.list', { number: 7, partCount: 1, jobs, queue }),
      [[someJob('b', { tag: 'preparing' })], noQueue] as const,
    );
    await emitEvent(page, 'jobs.changed', { number: 5, isWhole: false, jobs: [], removedIds: [], queue: noQueue });
    await page.locator('[data-key="b"]').waitFor();
    await expect.poll(() => page.locator('[data-key="a"]').count()).toBe(0);
    await page.context().close();
  });

  it('shows before sending what it will probably cost, and says so if that is not known', async () => {
    const hour = someJob('a', { tag: 'waiting', placeInQueue: 1 }, { durationMs: 3_600_000 });
    const plan = planStudio({ jobs: [hour], queue: noQueue });
    const page = await served.open({ plan });
    const options = page.getByRole('complementary');
    await options.getByText('about 49 credits').waitFor();
    await page.getByRole('row').getByText('about 48.3 credits').waitFor();
    await page.context().close();
    const unreported = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };
    const other = await served.open({ plan: { ...plan, answers: { ...plan.answers, 'usage.rate': unreported } } });
    await other.getByRole('complementary').getByText('unknown').waitFor();
    await other.getByRole('complementary').getByText('1 h', { exact: true }).waitFor();
    await expect.poll(() => other.getByText(/credits$/).count()).toBeLessThanOrEqual(2);
    await other.context().close();
  });

  it('says what adding costs before anything is added, and nothing of the kind where it is free', async () => {
    const open = (mode: 'service' | 'practice', creditsPerHour: string | null) =>
      served.open({
        plan: planStudio({
          settings: { mode },
          answers: { 'usage.rate': { sampleCount: 1, creditsPerHour, creditsPerGigabyte: null, stepMs: 60_000 } },
        }),
      });
    for (const [rate, said] of [
      ['5400', 'What you add is sent at once, for about 90 credits a minute.'],
      [null, 'What you add is sent at once, and the service charges for each minute.'],
    ] as const) {
      const page = await open('service', rate);
      await page.getByRole('main').getByText(said).waitFor();
      await page.context().close();
    }
    const free = await open('practice', '5400');
    await free.getByRole('heading', { name: 'Drop recordings here' }).waitFor();
    expect(await free.getByText('What you add is sent').count()).toBe(0);
    await free.context().close();
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
    const question = page.getByRole('alertdialog', { name: 'Send it again?' });
    await page.locator('[data-key="b"]').getByRole('button').first().click();
    await question.getByRole('button', { name: 'Send again' }).click();
    await page.locator('[data-key="a"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /charge/ }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('[data-key="a"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: /charge/ }).click();
    await question.getByRole('button', { name: 'Send again' }).click();
    await page.waitForFunction(
      () => window.fakeStudio.calls.filter((call) => call.method === 'jobs.retry').length === 3,
    );
    await expect
      .poll(() => callsOf(page, 'jobs.retry'))
      .toEqual([
        { jobId: 'a', acceptsNewCharge: false },
        { jobId: 'b', acceptsNewCharge: true },
        { jobId: 'a', acceptsNewCharge: true },
      ]);
    await page.context().close();
  });

  it('shows the number of words of a finished row, what it cost, and the language that was set in its text', async () => {
    const made = { createdAtMs: 1, openedAtMs: null, isAtService: true, durationMs: 40_000, hasRecording: true };
    const text = { ...made, sourceName: 'a.wav', language: 'ru' as const, wordCount: 4812, credits: '46.53' };
    const plan = planStudio({
      jobs: [someJob('a', { tag: 'done', transcriptId: 't-1', speakerCount: 2, finishedAtMs: 1 })],
      answers: { 'transcripts.list': { transcripts: [{ ...text, id: 't-1', title: 'Rishton kulollari' }] } },
    });
    const page = await served.open({ plan });
    const row = page.locator('[data-key="a"]');
    await row.getByText('Rishton kulollari').waitFor();
    await row.getByText('4,812 words · 46.6 credits').waitFor();
    await row.getByText('RU', { exact: true }).waitFor();
    await page.context().close();
  });

  it('removes a finished row at once, and offers undo, also by key', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.remove'));
    await expect.poll(() => callsOf(page, 'jobs.remove')).toEqual([{ jobId: 'done' }]);
    await page.getByText(/removed from the queue/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 item restored.').waitFor();
    expect(await callsOf(page, 'jobs.bringBack')).toEqual([{ jobIds: ['done'] }]);
    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Delete');
    await page.getByText(/removed from the queue/).waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'jobs.bringBack')).toEqual([{ jobIds: ['done'] }, { jobIds: ['done'] }]);
    await page.keyboard.press('Control+KeyZ');
    expect(await callsOf(page, 'jobs.bringBack')).toHaveLength(2);
    await page.context().close();
  });

  it('says honestly when the service already had what was cancelled', { tags: ['long'] }, async () => {
    const plan = planStudio({
      jobs: [someJob('waiting', { tag: 'waiting', placeInQueue: 1 })],
      answers: { 'jobs.act': { changedCount: 1, acceptedCount: 1 } },
    });
    const page = await served.open({ plan });
    await page.locator('[data-key="waiting"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
    await page.getByRole('status').getByText('The service already had 1 of them').waitFor();
    expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.context().close();
  });

  it('cancels unsent rows without a question, and undoes it', async () => {
    const plan = planStudio({
      jobs: [someJob('waiting', { tag: 'waiting', placeInQueue: 1 })],
      answers: { 'jobs.act': { changedCount: 1, acceptedCount: 0 } },
    });
    const page = await served.open({ plan });
    await page.locator('[data-key="waiting"]').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.act'))
      .toEqual([
        { jobIds: ['waiting'], action: 'cancel' },
        { jobIds: ['waiting'], action: 'undo-cancel' },
      ]);
    await page.context().close();
  });

  it('a cancelled row says so also under the pointer, and is sent again by its button', async () => {
    const page = await served.open({
      plan: planStudio({ jobs: [someJob('gone', { tag: 'cancelled', isAcceptedByService: false })] }),
    });
    const row = page.locator('[data-key="gone"]');
    await row.hover();
    await row.getByText('Cancelled', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Retry', exact: true }).click();
    await expect.poll(() => callsOf(page, 'jobs.retry')).toEqual([{ jobId: 'gone', acceptsNewCharge: false }]);
    await page.context().close();
  });

  it('says a status of the service as it is only where it is an unknown one', async () => {
    const processing = (id: string, rawStatus: string) => someJob(id, { tag: 'processing', sinceMs: 0, rawStatus });
    const page = await served.open({
      plan: planStudio({ jobs: [processing('a', 'processing'), processing('b', 'diarizing')] }),
    });
    await page.locator('[data-key="b"]').getByText('The service says: diarizing').waitFor();
    expect(await page.getByText('The service says').count()).toBe(1);
    await page.context().close();
  });

  it('the open menu of a row stays as it is when its file is done, and dims what is not possible any more', async () => {
    const page = await served.open({ plan: planStudio({ jobs: [someJob('a', { tag: 'waiting', placeInQueue: 1 })] }) });
    await page.locator('[data-key="a"]').click({ button: 'right' });
    const names = () => page.getByRole('menuitem').allInnerTexts();
    await page.getByRole('menuitem', { name: 'Cancel', exact: true }).waitFor();
    const before = await names();
    const job = { ...someJob('a', { tag: 'done', transcriptId: 't-1', speakerCount: 1, finishedAtMs: 1 }), seq: 2 };
    await emitEvent(page, 'jobs.changed', { number: 2, isWhole: false, jobs: [job], removedIds: [], queue: noQueue });
    await page.locator('[data-key="a"]').getByText('Done', { exact: true }).waitFor({ state: 'attached' });
    expect(await names()).toEqual(before);
    await expect
      .poll(() => page.getByRole('menuitem', { name: 'Cancel', exact: true }).getAttribute('aria-disabled'))
      .toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.locator('[data-key="a"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show in library' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Cancel', exact: true }).count()).toBe(0);
    await page.context().close();
  });

  it('changes no row in the page except the changed one', async () => {
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
    await expect.poll(() => page.getByRole('grid', { name: 'Queue' }).getAttribute('data-touched')).toBe('job-3');
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

  it(
    'announces a storm of 1,000 rows in two messages, five seconds apart, whatever its parts',
    { tags: ['long'] },
    async () => {
      const page = await served.open({ plan: planStudio() });
      await page.clock.install();
      const region = page.locator('output[aria-live="polite"]').first();
      await region.evaluate((output) => {
        const said: string[] = [];
        new MutationObserver(() => {
          said.push(output.textContent);
          output.setAttribute('data-said', said.join('; '));
        }).observe(output, { childList: true, characterData: true, subtree: true });
      });
      for (let part = 0; part < 10; part += 1) {
        const jobs = Array.from({ length: 100 }, (_, at) =>
          someJob(`job-${String(part * 100 + at)}`, { tag: 'preparing' }),
        );
        await emitEvent(page, 'jobs.changed', {
          number: part + 2,
          isWhole: false,
          jobs,
          removedIds: [],
          queue: noQueue,
        });
        await page.clock.runFor(100);
      }
      await page.clock.runFor(6_000);
      await page.waitForFunction(() => document.querySelector('[data-said*=";"]') !== null);
      await expect.poll(() => region.getAttribute('data-said')).toBe('100 files added; 900 files added');
      await page.context().close();
    },
  );

  it('resumes a stopped queue by the button of its notice', async () => {
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
