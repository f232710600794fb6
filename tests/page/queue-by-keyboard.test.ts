import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('the list by keyboard', () => {
  it('is navigated, opened, cancelled and cleared by keyboard alone', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.locator('[data-key="processing"]').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog', { name: 'Cancel this transcription?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([]);

    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.act'));
    await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['processing'], action: 'cancel' }]);

    await page.locator('[data-key="processing"]').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('processing');

    await page.locator('[data-key="failed"]').focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    await menu.getByRole('menuitem', { name: 'Details' }).press('Enter');
    await page.getByRole('dialog', { name: 'Details' }).waitFor();
    await page.getByText('For support').click();
    await page.getByText('req_81f2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.locator('[data-key="done"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#/transcripts/t-1');
    await page.context().close();
  });

  it('Delete removes the whole selection, running and ended, and one Undo restores it', async () => {
    const plan = planStudio({
      jobs: jobsInEveryState(),
      answers: { 'jobs.act': { changedCount: 1, acceptedCount: 0 }, 'jobs.bringBack': { restoredCount: 1 } },
    });
    const page = await served.open({ plan });
    for (const key of ['waiting', 'done']) {
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      await page.locator(`[data-key="${key}"]`).focus();
      // oxlint-disable-next-line no-await-in-loop -- one key after another
      await page.keyboard.press('Space');
    }
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Delete');
    await page.getByRole('status').getByText('2 items removed or cancelled').waitFor();
    expect(await callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['waiting'], action: 'cancel' }]);
    expect(await callsOf(page, 'jobs.remove')).toEqual([{ jobId: 'done' }]);
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'jobs.bringBack')).toEqual([{ jobIds: ['done'] }]);
    expect((await callsOf(page, 'jobs.act')).at(-1)).toEqual({ jobIds: ['waiting'], action: 'undo-cancel' });
    await page.context().close();
  });

  it('Delete takes no row away in the details of one, and one row where it is held', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const row = page.locator('[data-key="failed"]');
    const taken = async () => [...(await callsOf(page, 'jobs.act')), ...(await callsOf(page, 'jobs.remove'))];
    const dialog = page.getByRole('dialog', { name: 'Details' });
    for (const way of ['key', 'mouse']) {
      /* oxlint-disable no-await-in-loop -- one key after another */
      if (way === 'key') {
        await row.focus();
        await page.keyboard.press('Enter');
      } else {
        await row.click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Details' }).click();
      }
      await page.keyboard.press('Delete');
      await dialog.waitFor();
      for (let stop = 0; stop < 4; stop += 1) {
        await page.keyboard.press('Delete');
        await page.keyboard.press('Tab');
      }
      await dialog.getByText('For support').click();
      await page.keyboard.press('Delete');
      await dialog.getByRole('term').first().click();
      await page.keyboard.press('Delete');
      expect(await taken()).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      /* oxlint-enable no-await-in-loop */
    }
    await page.locator('[data-key="waiting"]').focus();
    await page.keyboard.down('Delete');
    await page.keyboard.down('Delete');
    await page.keyboard.down('Delete');
    await page.keyboard.up('Delete');
    await expect.poll(taken).toEqual([{ jobIds: ['waiting'], action: 'cancel' }]);
    await page.context().close();
  });

  it('stays where a row was cancelled, and each Ctrl+Z takes back one cancellation more', async () => {
    const plan = planStudio({
      jobs: ['a', 'b', 'c', 'd'].map((id, at) =>
        someJob(id, { tag: 'waiting', placeInQueue: at + 1 }, { addedAtMs: at, rank: at }),
      ),
      answers: { 'jobs.act': { changedCount: 1, acceptedCount: 0 } },
    });
    const page = await served.open({ plan });
    await page.locator('[data-key="b"]').focus();
    for (const [at, [id, next]] of [
      ['b', 'c'],
      ['c', 'd'],
    ].entries()) {
      /* oxlint-disable no-await-in-loop -- one step after the other */
      await page.keyboard.press('Delete');
      await expect.poll(async () => (await callsOf(page, 'jobs.act')).length).toBe(at + 1);
      const state = { tag: 'cancelled', isAcceptedByService: false } as const;
      const jobs = [someJob(id ?? '', state, { seq: 2 })];
      await emitEvent(page, 'jobs.changed', { number: at + 2, isWhole: false, jobs, removedIds: [], queue: noQueue });
      await atRow(page, next ?? '');
      /* oxlint-enable no-await-in-loop */
    }
    await page.keyboard.press('Control+KeyZ');
    await page.keyboard.press('Control+KeyZ');
    await page.keyboard.press('Control+KeyZ');
    const acted = (id: string, action: string) => ({ jobIds: [id], action });
    await expect
      .poll(() => callsOf(page, 'jobs.act'))
      .toEqual([acted('b', 'cancel'), acted('c', 'cancel'), acted('c', 'undo-cancel'), acted('b', 'undo-cancel')]);
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
    await expect.poll(pane).toBe('content');
    await page.context().close();
  });

  it('draws only the visible rows of a long queue, and reaches them by keys to the end', async () => {
    const jobs = Array.from({ length: 2000 }, (_, index) =>
      someJob(`job-${String(index)}`, { tag: 'waiting', placeInQueue: index + 1 }, { addedAtMs: index }),
    );
    const page = await served.open({ plan: planStudio({ jobs }) });
    await page.getByRole('row').first().waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(45);
    const grid = page.getByRole('grid', { name: 'Queue' });
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2000');
    await page.locator('[data-key="job-0"]').focus();
    await page.keyboard.press('End');
    await atRow(page, 'job-1999');
    await expect.poll(() => page.locator('[data-key="job-1999"]').getAttribute('aria-rowindex')).toBe('2000');
    await page.keyboard.press('PageUp');
    await page.waitForFunction(() => /^job-19[89][0-8]$/u.test(document.activeElement?.getAttribute('data-key') ?? ''));
    await page.keyboard.press('Home');
    await atRow(page, 'job-0');
    await page.keyboard.type('job-1234.');
    await atRow(page, 'job-1234');
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(45);
    await page.context().close();
  });

  it('is one tab stop, which stays with its row while others are added and removed', async () => {
    const jobs = Array.from({ length: 300 }, (_, index) =>
      someJob(`job-${String(index)}`, { tag: 'waiting', placeInQueue: index + 1 }, { addedAtMs: index }),
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
        .getByRole('checkbox')
        .evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role="grid"]') === null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await atRow(page, 'job-2');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role="grid"]') === null)).toBe(true);
    await page.keyboard.press('Tab');
    await atRow(page, 'job-2');

    const change = { isWhole: false, removedIds: [] as string[], queue: noQueue };
    const first = someJob('job-250', { tag: 'preparing' }, { seq: 2 });
    await emitEvent(page, 'jobs.changed', { ...change, number: 2, jobs: [first] });
    await row('job-250').waitFor();
    await atRow(page, 'job-2');
    await expect.poll(() => row('job-2').getAttribute('aria-rowindex')).toBe('4');
    await emitEvent(page, 'jobs.changed', { ...change, number: 3, jobs: [], removedIds: ['job-2'] });
    await atRow(page, 'job-3');
    await page.context().close();
  });
});
