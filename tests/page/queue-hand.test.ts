import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const line = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    someJob(`job-${at}`, { tag: 'waiting', placeInQueue: at + 1 }, { rank: at + 1, addedAtMs: at }),
  );
const called = (page: Page, method: string) =>
  page.waitForFunction((name) => window.fakeStudio.calls.some((call) => call.method === name), method);
const openMenu = (page: Page) => page.getByRole('button', { name: 'Queue options' }).click();
const rowKeys = (page: Page) =>
  page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));

describe('the user controls the queue', () => {
  it('one row is paused and resumed by its own buttons', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page
      .locator('[data-key="uploading"]')
      .getByRole('button', { name: /^Pause/ })
      .click();
    await page.locator('[data-key="paused"]').getByRole('button', { name: 'Resume' }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.filter((call) => call.method === 'jobs.act').length === 2);
    await expect
      .poll(() => callsOf(page, 'jobs.act'))
      .toEqual([
        { jobIds: ['uploading'], action: 'pause' },
        { jobIds: ['paused'], action: 'go-on' },
      ]);
    await page.context().close();
  });

  it('everything is paused by one button, which then resumes it', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(3) }) });
    await page.getByRole('button', { name: 'Pause all' }).click();
    await called(page, 'jobs.hold');
    await emitEvent(page, 'jobs.changed', {
      number: 2,
      isWhole: false,
      // Half of the first one was sent when the queue was paused.
      jobs: line(1).map((job) => ({
        ...job,
        state: { tag: 'uploading', sentBytes: job.sizeBytes / 2, totalBytes: job.sizeBytes, sinceMs: 0 } as const,
      })),
      removedIds: [],
      queue: { ...noQueue, isHeld: true },
    });
    await page.getByText('Queue paused').waitFor();
    const goOn = page.getByRole('button', { name: 'Resume all' });
    const hasFocus = (button: typeof goOn) => button.evaluate((element) => element === document.activeElement);
    await expect.poll(() => hasFocus(goOn)).toBe(true);
    const [first, second] = [page.locator('[data-key="job-0"]'), page.locator('[data-key="job-1"]')];
    await second.getByText('Paused').waitFor();
    await second.click({ button: 'right' });
    expect(await page.getByRole('menuitem', { name: 'Pause' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Resume all' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Running uploads will finish; no new ones start.').waitFor();
    expect(await first.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    await goOn.press('Enter');
    await page.waitForFunction(
      () => window.fakeStudio.calls.filter((call) => call.method === 'jobs.hold').length === 2,
    );
    await expect.poll(() => callsOf(page, 'jobs.hold')).toEqual([{ isHeld: true }, { isHeld: false }]);
    await emitEvent(page, 'jobs.changed', { number: 3, isWhole: false, jobs: [], removedIds: [], queue: noQueue });
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Pause all' }))).toBe(true);
    await page.context().close();
  });

  it('a folder to watch is chosen here, and what is watched is shown', async () => {
    const page = await served.open({ plan: planStudio({}) });
    await page.getByRole('button', { name: 'Watch a folder' }).click();
    await expect.poll(() => callsOf(page, 'automation.chooseFolder')).toEqual([{ purpose: 'watch' }]);
    expect(await page.evaluate(() => window.location.hash)).not.toContain('settings');
    await page.evaluate(
      (failure) => {
        window.fakeStudio.setFailure('automation.chooseFolder', failure);
      },
      makeFailure('E-230', { code: 'unexpected' }),
    );
    await page.getByRole('button', { name: 'Watch a folder' }).click();
    await page.getByText('Couldn’t save this setting.').waitFor();
    await page.context().close();

    const watching = await served.open({ plan: planStudio({ settings: { watchFolderName: 'Yozuvlar' } }) });
    await watching.getByRole('button', { name: 'Watching folder “Yozuvlar”' }).click();
    await watching.waitForFunction(() => window.location.hash === '#/settings/automation/watch');
    await watching.context().close();
  });

  it('a waiting row is moved by keys and announces its new position; the first can’t go further up', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(4) }) });
    await page.locator('[data-key="job-0"]').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('job-0.wav: no. 2 in queue').waitFor();
    await page.locator('[data-key="job-3"]').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('job-3.wav: no. 3 in queue').waitFor();
    await expect
      .poll(() => callsOf(page, 'jobs.move'))
      .toEqual([
        { jobIds: ['job-0'], beforeId: 'job-2' },
        { jobIds: ['job-3'], beforeId: 'job-2' },
      ]);
    await page.context().close();
  });

  it('a waiting row is dragged by its handle to where it is dropped, and Escape leaves it where it was', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(5) }) });
    const boxOf = async (key: string) => {
      const box = await page.locator(`[data-key="${key}"]`).boundingBox();
      if (box === null) throw new Error(`${key} is not in view`);
      return box;
    };
    const grip = page.locator('[data-key="job-4"] [data-drag]');
    const grab = async () => {
      await grip.hover();
      await page.mouse.down();
      const target = await boxOf('job-1');
      await page.mouse.move(target.x + 60, target.y + 8, { steps: 5 });
      await page.locator('[data-dragging]').waitFor();
    };
    await grab();
    await page.locator('[data-key="job-4"] [data-taken]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-taken]').waitFor({ state: 'detached' });
    await page.locator('[data-dragging]').waitFor({ state: 'detached' });
    await page.mouse.up();
    await expect.poll(() => callsOf(page, 'jobs.move')).toEqual([]);
    await grab();
    await page.mouse.up();
    await called(page, 'jobs.move');
    await expect.poll(() => callsOf(page, 'jobs.move')).toEqual([{ jobIds: ['job-4'], beforeId: 'job-1' }]);
    await page.context().close();
  });

  it('the language of a waiting row is a menu; that of a finished one is text', async () => {
    const done = someJob('done', { tag: 'done', finishedAtMs: 1, transcriptId: 't', speakerCount: 1 });
    const page = await served.open({ plan: planStudio({ jobs: [...line(1), done] }) });
    await page.getByRole('button', { name: /^Spoken language of/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.changeLanguage'))
      .toEqual([{ jobId: expect.any(String) as string, language: 'en' }]);
    expect(await page.getByRole('button', { name: /^Spoken language of/ }).count()).toBe(1);
    await page.context().close();
  });

  it('right click opens the menu of a row at the pointer, a key at its button', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const row = page.locator('[data-key="done"]');
    await row.click({ button: 'right', position: { x: 90, y: 44 } });
    const box = (await row.boundingBox()) ?? { x: 0, y: 0 };
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Show in library' }).waitFor();
    const at = await menu.boundingBox();
    expect(Math.abs((at?.x ?? 0) - box.x - 90)).toBeLessThan(16);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await row.focus();
    await page.keyboard.press('Shift+F10');
    await menu.waitFor();
    expect((await menu.boundingBox())?.x ?? 0).toBeGreaterThan(box.x + 300);
    await page.context().close();
  });

  it('the menu of a waiting row sends it next', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(3) }) });
    await page.locator('[data-key="job-2"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to front' }).click();
    await called(page, 'jobs.runNext');
    await expect.poll(() => callsOf(page, 'jobs.runNext')).toEqual([{ jobId: 'job-2' }]);
    await page.context().close();
  });

  it('the list filters by kind, counts each, and shows everything again', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const attention = page.getByRole('button', { name: 'Needs attention 3' });
    await attention.click();
    await expect.poll(() => rowKeys(page)).toHaveLength(3);
    await expect.poll(() => attention.getAttribute('aria-pressed')).toBe('true');
    await page.context().close();
    const ended = await served.open({ plan: planStudio({ jobs: line(2) }) });
    await ended.getByRole('button', { name: 'Finished 0' }).click();
    await ended.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rowKeys(ended)).toEqual(['job-0', 'job-1']);
    await ended.context().close();
  });

  it('rows are selected by keys and acted on together; Escape clears the selection', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(4) }) });
    await page.locator('[data-key="job-0"]').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').waitFor();
    await page.getByRole('toolbar', { name: 'Selected recordings' }).getByRole('button', { name: 'Pause' }).click();
    await called(page, 'jobs.act');
    await expect
      .poll(() => callsOf(page, 'jobs.act'))
      .toEqual([{ jobIds: ['job-0', 'job-1', 'job-2'], action: 'pause' }]);
    await page.locator('[data-key="job-1"]').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('cancelling everything asks once, and says what the service has nevertheless', async () => {
    const plan = planStudio({
      jobs: jobsInEveryState(),
      answers: { 'jobs.act': { changedCount: 11, acceptedCount: 2 } },
    });
    const page = await served.open({ plan });
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Cancel all…' }).click();
    const question = page.getByRole('alertdialog', { name: /^Cancel 11 recordings/ });
    await question.getByRole('button', { name: 'Cancel 11 recordings' }).click();
    await page.getByRole('status').getByText('The service already had 2 of them').waitFor();
    const [asked] = await callsOf(page, 'jobs.act');
    expect(asked?.action).toBe('cancel');
    expect(asked?.jobIds).not.toContain('done');
    await page.context().close();
  });

  it('a duplicate offers its transcript, opening it, and a new charge by name (E-212)', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const row = page.locator('[data-key="twin"]');
    await row.getByText('same as Margʻilon bozori.wav').waitFor();
    await row.getByRole('button', { name: 'Open', exact: true }).waitFor();
    await row.click({ button: 'right' });
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(expect.arrayContaining(['Open', 'Use that text', expect.stringMatching(/charge/)]));
    await page.getByRole('menuitem', { name: 'Use that text' }).click();
    await called(page, 'jobs.copyResult');
    await expect.poll(() => callsOf(page, 'jobs.copyResult')).toEqual([{ jobId: 'twin' }]);
    // Enter opens its transcript, like that of any row that has one.
    await page.locator('[data-key="twin"]').press('Enter');
    await expect.poll(() => page.url()).toContain('/transcripts/');
    await page.context().close();
  });

  it('the number of parallel uploads is set beside the list, by keys too', async () => {
    const page = await served.open({ plan: planStudio({ jobs: line(2) }) });
    await page.getByRole('slider', { name: 'Parallel uploads' }).press('ArrowRight');
    await called(page, 'settings.update');
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ uploadsAtOnce: 3 }]);
    await page.context().close();
  });

  it('shows how long a recording usually takes after three or more jobs, and only if they agree', async () => {
    const pace = {
      sampleCount: 20,
      bytesPerSecond: 2_000_000,
      servicePerAudio: { low: 0.09, median: 0.1, high: 0.12 },
      serviceMs: 60_000,
    };
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState(), queue: { ...noQueue, pace } }) });
    await page.locator('[data-key="processing"]').getByText('usually 5 min').waitFor();
    await page.context().close();
    const wide = { ...pace, servicePerAudio: { low: 0.02, median: 0.1, high: 0.2 } };
    const other = await served.open({
      plan: planStudio({ jobs: jobsInEveryState(), queue: { ...noQueue, pace: wide } }),
    });
    await other.locator('[data-key="processing"]').waitFor();
    expect(await other.getByText(/usually/).count()).toBe(0);
    await other.context().close();
  });
});

it('the close button of a selection stays in its corner when the rest wraps', async () => {
  for (const interfaceLanguage of ['uz', 'ru', 'en'] as const) {
    const plan = planStudio({ settings: { interfaceLanguage }, jobs: jobsInEveryState() });
    const page = await served.open({ plan, viewport: { width: 960, height: 640 } });
    await page.getByRole('row').first().focus();
    await page.keyboard.press('Control+KeyA');
    const bar = page.getByRole('toolbar');
    const [way, all] = await Promise.all([bar.getByRole('button').last().boundingBox(), bar.boundingBox()]);
    if (way === null || all === null) throw new Error('the bar is not shown');
    expect([way.y - all.y < 12, all.x + all.width - way.x - way.width < 12]).toEqual([true, true]);
    await page.context().close();
  }
});
