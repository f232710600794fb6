import type { Locator, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue, type JobView, type QueueView } from '../../shared/domain/jobs/job-view.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { pagesOfFile, waitForFocus, waitForPlace } from './page-rig.ts';

const { open } = pagesOfFile();

const openQueue = (jobs: readonly JobView[], answers: StudioPlan['answers'] = {}) =>
  open({ plan: planStudio({ jobs, answers }) });
const line = (count: number): JobView[] =>
  Array.from({ length: count }, (_, at) =>
    someJob(`job-${at}`, { tag: 'waiting', placeInQueue: at + 1 }, { rank: at + 1, addedAtMs: at }),
  );
const rowOf = (page: Page, key: string) => page.locator(`[data-key="${key}"]`);
const told = (page: Page, jobs: JobView[], removedIds: string[] = [], queue: QueueView = noQueue) =>
  emitEvent(page, 'jobs.changed', { isWhole: false, jobs, removedIds, queue });

describe('the list', () => {
  it('that can’t be read says why and never that it is empty, and is read on request', async () => {
    const jobs = [someJob('a', { tag: 'preparing' })];
    const page = await open({ plan: planStudio({ jobs, failures: { 'jobs.list': makeFailure('library-newer') } }) });
    const alert = page.getByRole('alert').filter({ hasText: 'The recordings in the queue could not be shown' });
    await alert.waitFor();
    await expect.poll(() => page.getByText('No recordings in the queue').count()).toBe(0);
    await page.evaluate(() => window.fakeStudio.setFailure('jobs.list', null));
    await alert.getByRole('button', { name: 'Try again' }).click();
    await rowOf(page, 'a').waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('draws only the visible rows of 2,000, reaches them by keys to the end, and changes no row but the changed one', async () => {
    const uploading = (at: number, sentBytes: number, seq = 1) =>
      someJob(
        `job-${String(at)}`,
        { tag: 'uploading', sentBytes, totalBytes: 100, sinceMs: Date.now() + 3_600_000 },
        { seq, rank: at + 1 },
      );
    const page = await openQueue(Array.from({ length: 2000 }, (_, at) => uploading(at, 1)));
    const grid = page.getByRole('grid', { name: 'Queue' });
    await rowOf(page, 'job-3').getByText('Uploading 1%').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(45);
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2000');
    await page.evaluate(() => {
      const touched = new Set<string>();
      const list = document.querySelector('[role="grid"]');
      if (list === null) throw new Error('no list');
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          const key = element?.closest<HTMLElement>('[role="row"]')?.dataset['key'];
          if (key !== undefined) touched.add(key);
        }
        list.setAttribute('data-touched', [...touched].join(' '));
      }).observe(list, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['style', 'aria-label'],
      });
    });
    await told(page, [uploading(3, 50, 2)]);
    await rowOf(page, 'job-3').getByText('Uploading 50%').waitFor();
    await expect.poll(() => grid.getAttribute('data-touched')).toBe('job-3');
    await rowOf(page, 'job-0').focus();
    await page.keyboard.press('End');
    await waitForFocus(rowOf(page, 'job-1999'));
    expect(await rowOf(page, 'job-1999').getAttribute('aria-rowindex')).toBe('2000');
    await page.keyboard.press('Home');
    await waitForFocus(rowOf(page, 'job-0'));
    await page.keyboard.type('job-1234.');
    await waitForFocus(rowOf(page, 'job-1234'));
    expect(await page.getByRole('row').count()).toBeLessThan(45);
  });

  it('why rows are paused is said once, above the list and in the jobs card, with the number of rows and one action', async () => {
    const offline = makeFailure('offline');
    const paused = { tag: 'paused', sentBytes: 0, totalBytes: 1, isElsewhere: true } as const;
    const page = await openQueue([
      ...line(12).map((job): JobView => ({ ...job, state: { tag: 'blocked', by: 'offline', failure: offline } })),
      ...line(3).map((job): JobView => ({ ...job, id: `other-${job.id}`, state: paused })),
    ]);
    const saysOnce = async (place: Locator) => {
      const notice = place.getByRole('status');
      await notice.filter({ hasText: 'Waiting for the network.' }).filter({ hasText: 'Files waiting: 12.' }).waitFor();
      await notice.filter({ hasText: 'key has changed. Files waiting: 3.' }).waitFor();
    };
    const main = page.getByRole('main');
    await saysOnce(main);
    await rowOf(page, 'job-0').getByText('Paused', { exact: true }).waitFor();
    expect(await page.getByText('Waiting for the network').count()).toBe(1);
    await main.getByRole('status').getByRole('button', { name: 'Resume' }).click();
    const jobIds = ['other-job-0', 'other-job-1', 'other-job-2'];
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds, action: 'go-on' }]);
    // Asked, the user did not want them, which can be taken back.
    const unwanted = { changedCount: 0, acceptedCount: 0, cancelledIds: jobIds };
    await page.evaluate((value) => window.fakeStudio.setAnswer('jobs.act', value), unwanted);
    await main.getByRole('status').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await callsOf(page, 'jobs.act')).at(-1)).toEqual({ jobIds, action: 'undo-cancel' });
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /waiting/ })
      .click();
    await saysOnce(page.getByRole('dialog', { name: 'Jobs' }));
  });

  it('the jobs card makes way for the settings that its notice opens, also where they are open already', async () => {
    const page = await openQueue([
      someJob('a', { tag: 'blocked', by: 'service', failure: makeFailure('redirect-refused') }),
    ]);
    const card = page.getByRole('dialog', { name: 'Jobs' });
    const openSettings = async () => {
      await page.keyboard.press('Control+KeyJ');
      await card.getByRole('status').getByRole('button', { name: 'Check address' }).click();
      await card.waitFor({ state: 'detached' });
      await waitForPlace(page, '#/settings/connection');
    };
    await openSettings();
    await openSettings();
  });

  it('no row covers another while rows change their form and their place', async () => {
    const atWork = (id: string, rank: number, latestText: string | null, seq = 1) => {
      const heard = latestText === null ? {} : { heard: { share: 0.4, latestText, leftMs: null, isUsual: false } };
      return someJob(id, { tag: 'processing', sinceMs: 0, rawStatus: null, ...heard }, { seq, rank });
    };
    const page = await openQueue([atWork('a', 1, null), atWork('b', 2, 'salom'), atWork('c', 3, null), ...line(9)]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await rowOf(page, 'c').waitFor();
    await page.getByRole('grid', { name: 'Queue' }).evaluate((list) => {
      const look = () => {
        const boxes = [...list.querySelectorAll('[role="row"]')].map((row) => row.getBoundingClientRect());
        const ordered = boxes.toSorted((one, other) => one.top - other.top);
        if (ordered.some(({ top }, at) => top < (ordered[at - 1]?.bottom ?? top) - 1)) list.dataset['covered'] = '';
      };
      new MutationObserver(look).observe(list, { subtree: true, childList: true, characterData: true });
    });
    await told(page, [atWork('a', 1, 'bir ikki uch', 2), atWork('c', 3, 'tong otdi', 2)]);
    await rowOf(page, 'c').getByText('tong otdi').waitFor();
    await told(page, [
      someJob('a', { tag: 'failed', failure: makeFailure('file-unreadable'), hasRawAnswer: false }, { seq: 3 }),
      someJob('b', { tag: 'done', transcriptId: 'b', speakerCount: 0, finishedAtMs: Date.now() }, { seq: 3, rank: 2 }),
    ]);
    await rowOf(page, 'b').getByRole('button', { name: 'Open' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('grid').getAttribute('data-covered')).toBeNull();
  });
});

describe('money', () => {
  it('what will probably be charged is said before anything is added and before it is sent, also that it is not known', async () => {
    const rate = (creditsPerHour: string | null) => ({
      'usage.rate': { sampleCount: 1, creditsPerHour: '3600', creditsPerGigabyte: null, stepMs: 60_000 },
      'usage.speakersRate': { sampleCount: 1, creditsPerHour, creditsPerGigabyte: null, stepMs: 60_000 },
    });
    const upToAnHour = { spendLimitMinutes: 60 };
    const known = await open({ plan: planStudio({ settings: upToAnHour, answers: rate('5400') }) });
    await known
      .getByRole('main')
      .getByText('What you add is sent at once, for about 90 credits per started minute.')
      .waitFor();
    const unknown = await open({ plan: planStudio({ settings: upToAnHour, answers: rate(null) }) });
    await unknown.getByText(/^You are asked before anything is sent\. .* its price is not known yet\.$/u).waitFor();
    await unknown.evaluate(() => window.fakeStudio.setConnection({ sendsUnpriced: true }));
    await unknown
      .getByRole('main')
      .getByText('What you add is sent at once, and the service charges for each started minute.')
      .waitFor();
    const each = await open({ plan: planStudio({ settings: { spendLimitMinutes: 0 }, answers: rate('5400') }) });
    await each.getByText('You are asked before anything is sent, for about 90 credits per started minute.').waitFor();
    const alone = await open({
      plan: planStudio({ settings: { ...upToAnHour, includeSpeakers: false }, answers: rate('5400') }),
    });
    await alone
      .getByRole('main')
      .getByText('What you add is sent at once, for about 60 credits per started minute.')
      .waitFor();
    const hour = [someJob('a', { tag: 'waiting', placeInQueue: 1 }, { durationMs: 3_600_000 })];
    const page = await openQueue(hour);
    await page.getByText('1 file to send · 1 h · about 49 credits').waitFor();
    await page.getByRole('row').getByText('about 48.3 credits').waitFor();
    const other = await openQueue(hour, rate(null));
    await other.getByText('1 file to send · 1 h · cost not known yet').waitFor();
    const free = await open({ plan: planStudio({ settings: { mode: 'practice' }, answers: rate('5400') }) });
    await free.getByRole('button', { name: /^Drop recordings here/ }).waitFor();
    expect(await free.getByText('What you add is sent').count()).toBe(0);
  });

  it('a new charge is accepted only through the button that names one', async () => {
    const lost = makeFailure('job-not-found', { code: 'job_lost' });
    const changed = makeFailure('file-changed', { params: { name: 'b.wav' } });
    const page = await openQueue([
      someJob('a', { tag: 'needs-user', failure: lost }),
      someJob('b', { tag: 'needs-user', failure: changed }),
    ]);
    const question = page.getByRole('alertdialog', { name: 'Send it again?' });
    const askByMenu = async () => {
      await rowOf(page, 'a').click({ button: 'right' });
      await page.getByRole('menuitem', { name: /charge/ }).click();
    };
    await rowOf(page, 'a').getByRole('button').first().click();
    await rowOf(page, 'b').getByRole('button').first().click();
    await question.getByRole('button', { name: 'Send again' }).click();
    await askByMenu();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await askByMenu();
    await question.getByRole('button', { name: 'Send again' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.retry'))
      .toEqual([
        { jobId: 'a', acceptsNewCharge: false },
        { jobId: 'b', acceptsNewCharge: true },
        { jobId: 'a', acceptsNewCharge: true },
      ]);
  });

  it('a duplicate offers its transcript, opening it, and a new charge by name; several leave by one button, with undo', async () => {
    const page = await openQueue(jobsInEveryState());
    const row = rowOf(page, 'twin');
    await row.getByText('same as “Margʻilon bozori”').waitFor();
    await row.getByRole('button', { name: 'Open', exact: true }).waitFor();
    await row.click({ button: 'right' });
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(expect.arrayContaining(['Open', 'Use that text', expect.stringMatching(/charge/)]));
    await page.getByRole('menuitem', { name: 'Use that text' }).click();
    await expect.poll(() => callsOf(page, 'jobs.copyResult')).toEqual([{ jobId: 'twin' }]);
    const params = { date: 1, name: 'lesson-1.wav', jobId: 'gone', transcriptId: 't-9' };
    // A text in another language is never used for this one.
    const other = makeFailure('already-in-queue', { code: 'other_language', params: { ...params, language: 'ru' } });
    await told(page, [someJob('twin', { tag: 'needs-user', failure: other }, { seq: 2 })]);
    await row.getByText('Already transcribed in Russian').waitFor();
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: /charge/ }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).not.toContain('Use that text');
    await page.getByRole('menuitem', { name: 'Open', exact: true }).click();
    await waitForPlace(page, '#/transcripts/t-9');

    const failure = makeFailure('already-in-queue', { code: 'duplicate', params });
    const ids = ['a', 'b', 'c'];
    const many = await openQueue(ids.map((id) => someJob(id, { tag: 'needs-user', failure })));
    await many.getByText('3 recordings you already have').waitFor();
    await many.getByRole('button', { name: 'Remove all 3' }).click();
    await expect.poll(() => callsOf(many, 'jobs.act')).toEqual([{ jobIds: ids, action: 'remove' }]);
    await many.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(many, 'jobs.bringBack')).toEqual([{ jobIds: ids }]);
    await expect
      .poll(async () => (await callsOf(many, 'jobs.act')).at(-1))
      .toEqual({ jobIds: ids, action: 'undo-cancel' });
    // The transcript of each is in the trash.
    await rowOf(many, 'a').getByRole('button', { name: 'Restore and open' }).click();
    await waitForPlace(many, '#/transcripts/t-9');
    expect(await callsOf(many, 'library.restore')).toEqual([{ items: [{ kind: 'transcript', id: 't-9' }] }]);
  });

  it('cancelling everything asks once, and says what the service has nevertheless', async () => {
    const page = await openQueue(jobsInEveryState(), {
      'jobs.act': { changedCount: 11, acceptedCount: 2, cancelledIds: [] },
    });
    await page.getByRole('button', { name: 'Queue options' }).click();
    await page.getByRole('menuitem', { name: 'Cancel all…' }).click();
    const question = page.getByRole('alertdialog', { name: /^Cancel 11 recordings/ });
    await question.getByRole('button', { name: 'Cancel 11 recordings' }).click();
    await page.getByRole('region', { name: 'Notices' }).getByText('The service already had 2 of them').waitFor();
    const [asked] = await callsOf(page, 'jobs.act');
    expect(asked?.action).toBe('cancel');
    expect(asked?.jobIds).not.toContain('done');
  });
});

describe('by keyboard', () => {
  it('a row is cancelled after a question, its details opened and closed, and a finished one opened', async () => {
    const page = await openQueue(jobsInEveryState());
    const question = page.getByRole('alertdialog', { name: 'Cancel 1 recording?' });
    await rowOf(page, 'processing').focus();
    await page.keyboard.press('Delete');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([]);
    await page.keyboard.press('Delete');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['processing'], action: 'cancel' }]);

    await rowOf(page, 'failed').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').getByRole('menuitem', { name: 'Details' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Details' });
    await dialog.getByText('For support').click();
    await dialog.getByText('req_81f2').waitFor();
    // No row goes away behind what is open.
    await page.keyboard.press('Delete');
    await dialog.getByRole('term').first().click();
    await page.keyboard.press('Delete');
    expect(await callsOf(page, 'jobs.remove')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(rowOf(page, 'failed'));
    await rowOf(page, 'done').focus();
    await page.keyboard.press('Enter');
    await waitForPlace(page, '#/transcripts/t-1');
  });

  it('Delete takes the whole selection away, one row where it is held, and Ctrl+Z brings each step back', async () => {
    const page = await openQueue(jobsInEveryState());
    for (const key of ['waiting', 'done']) {
      await rowOf(page, key).focus();
      await page.keyboard.press('Space');
    }
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('region', { name: 'Notices' }).getByText('2 items removed or cancelled').waitFor();
    expect(await callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['waiting'], action: 'cancel' }]);
    expect(await callsOf(page, 'jobs.remove')).toEqual([{ jobId: 'done' }]);
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'jobs.bringBack')).toEqual([{ jobIds: ['done'] }]);
    expect((await callsOf(page, 'jobs.act')).at(-1)).toEqual({ jobIds: ['waiting'], action: 'undo-cancel' });
    await page.keyboard.press('Control+KeyZ');
    await page.keyboard.press('Escape');
    await rowOf(page, 'waiting-2').focus();
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('Delete');
    await page.keyboard.up('Delete');
    await expect
      .poll(async () => (await callsOf(page, 'jobs.act')).slice(2))
      .toEqual([{ jobIds: ['waiting-2'], action: 'cancel' }]);
    expect(await callsOf(page, 'jobs.bringBack')).toHaveLength(1);
  });

  it('the focus stays where a row was cancelled', async () => {
    const jobs = line(4);
    const page = await openQueue(jobs);
    await rowOf(page, 'job-1').focus();
    await page.keyboard.press('Delete');
    const state = { tag: 'cancelled', isAcceptedByService: false } as const;
    await told(page, [{ ...jobs[1]!, seq: 2, state }]);
    await rowOf(page, 'job-1').getByText('Cancelled').waitFor();
    await waitForFocus(rowOf(page, 'job-2'));
  });
});

it('the menu of a short list takes no line of its own', async () => {
  const done = (id: string) => someJob(id, { tag: 'done', transcriptId: id, speakerCount: 0, finishedAtMs: 0 });
  const page = await openQueue([done('a'), done('b')]);
  const [menu, list] = await Promise.all(
    [page.getByRole('button', { name: 'Queue options' }), page.getByRole('grid')].map((one) => one.boundingBox()),
  );
  expect(menu!.y).toBeGreaterThanOrEqual(list!.y);
  expect(menu!.y + menu!.height).toBeLessThan(
    (await rowOf(page, 'a').getByText('a.wav', { exact: true }).boundingBox())!.y,
  );
});

describe('by hand', () => {
  it('a waiting row is dragged, or left by Escape; everything is paused by one button, which keeps the focus, and resumed', async () => {
    const page = await openQueue(line(5));
    const grab = async () => {
      await page.locator('[data-key="job-4"] [data-drag]').hover();
      await page.mouse.down();
      const target = await rowOf(page, 'job-1').boundingBox();
      await page.mouse.move((target?.x ?? 0) + 60, (target?.y ?? 0) + 8, { steps: 5 });
      await page.locator('[data-dragging]').waitFor();
    };
    await grab();
    await page.keyboard.press('Escape');
    await page.locator('[data-dragging]').waitFor({ state: 'detached' });
    await page.mouse.up();
    expect(await callsOf(page, 'jobs.move')).toEqual([]);
    await grab();
    await page.mouse.up();
    await expect.poll(() => callsOf(page, 'jobs.move')).toEqual([{ jobIds: ['job-4'], beforeId: 'job-1' }]);
    await rowOf(page, 'job-0')
      .getByRole('button', { name: /^Spoken language of/ })
      .click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await expect.poll(() => callsOf(page, 'jobs.changeLanguage')).toEqual([{ jobId: 'job-0', language: 'en' }]);
    await page.getByRole('button', { name: 'Pause all' }).click();
    await expect.poll(() => callsOf(page, 'jobs.hold')).toEqual([{ isHeld: true }]);
    const [job] = line(1);
    const half = { tag: 'uploading', sentBytes: 92_000_000, totalBytes: 184_000_000, sinceMs: 0 } as const;
    await told(page, [{ ...job!, state: half }], [], { ...noQueue, isHeld: true });
    await page.getByText('Queue paused').first().waitFor();
    await page.getByText('Running uploads will finish; no new ones start.').waitFor();
    await waitForFocus(page.getByRole('button', { name: 'Resume all', exact: true }));
    await page.getByText('Files waiting: 4.').waitFor();
    await rowOf(page, 'job-1').getByText('Paused', { exact: true }).waitFor();
    const unsent = { tag: 'paused', sentBytes: 0, totalBytes: 1, isAwaitingAnswer: true } as const;
    await told(page, [{ ...job!, state: unsent }], [], { ...noQueue, isHeld: true });
    await rowOf(page, job!.id).getByText('Not sent yet').waitFor();
    await told(page, [{ ...job!, seq: job!.seq + 9, state: { ...unsent, isElsewhere: true } }], [], {
      ...noQueue,
      isHeld: true,
    });
    await rowOf(page, job!.id).getByText('Paused', { exact: true }).waitFor();
    await rowOf(page, 'job-1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Resume all' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Pause' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Resume all', exact: true }).first().press('Enter');
    await expect.poll(() => callsOf(page, 'jobs.hold')).toEqual([{ isHeld: true }, { isHeld: false }]);
    await told(page, []);
    await waitForFocus(page.getByRole('button', { name: 'Pause all' }));
  });
});

it('rows that were never sent are sent, each or all at once, and are not paused', async () => {
  const unsent = { tag: 'paused', sentBytes: 0, totalBytes: 1, isAwaitingAnswer: true } as const;
  const page = await openQueue([
    someJob('a', unsent),
    someJob('b', unsent),
    someJob('c', { ...unsent, isAwaitingAnswer: false }),
  ]);
  await rowOf(page, 'a').getByRole('button', { name: 'Send', exact: true }).click();
  await rowOf(page, 'c').getByRole('button', { name: 'Resume', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Send all' }).click();
  await expect
    .poll(() => callsOf(page, 'jobs.act'))
    .toEqual([
      { jobIds: ['a'], action: 'go-on' },
      { jobIds: ['a', 'b'], action: 'go-on' },
    ]);
  await page.getByRole('navigation').getByRole('button', { name: '3 jobs waiting' }).click();
  await page.getByRole('button', { name: 'Send: a.wav' }).waitFor();
});

describe('where this computer does the work', () => {
  const heard = { share: 0.38, latestText: 'ustalar har bir qatorni', leftMs: 360_000, isUsual: false };
  const atWork = someJob('a', { tag: 'processing', sinceMs: 0, rawStatus: null, heard }, { durationMs: 3_130_000 });

  it('a row shows its newest words, how much was heard and one time, or that it waits for the battery', async () => {
    const waiting = someJob('b', { tag: 'queued-at-service', sinceMs: 0 }, { durationMs: 3_130_000 });
    const page = await open({ plan: planStudio({ jobs: [atWork, waiting], settings: { mode: 'local' } }) });
    const row = rowOf(page, 'a');
    await row.getByText('ustalar har bir qatorni').waitFor();
    await row.getByText('19:49 of 52:10 · about 6 min left').waitFor();
    expect(await row.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('38');
    await page.getByRole('navigation').getByRole('button', { name: '2 recordings, 19% done' }).waitFor();
    await page.evaluate(() => window.fakeStudio.setConnection({ isPausedOnBattery: true }));
    await row.getByText('Paused: on battery').waitFor();
    expect(await row.getByText('about 6 min left').count()).toBe(0);
  });
});
