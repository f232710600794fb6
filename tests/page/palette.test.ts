import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { listedTranscript } from '../support/listed-transcript.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const called = (page: Page, method: string) =>
  page.waitForFunction((name) => window.fakeStudio.calls.some((call) => call.method === name), method);

describe('the palette', () => {
  it('finds an action by a word of another language and remembers that it was run', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.keyboard.press('Control+KeyK');
    const field = page.getByRole('combobox', { name: 'Search or run a command' });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill("fayl qo'sh");
    await page.getByRole('option', { name: 'Add files' }).waitFor();
    await expect
      .poll(() => field.getAttribute('aria-activedescendant'))
      .toBe(await page.getByRole('option', { selected: true }).getAttribute('id'));
    await page.keyboard.press('Enter');
    await called(page, 'jobs.addPicked');
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ recentActions: ['files.add'] }]);
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Add files' }).waitFor();
    await page.context().close();
  });

  it('tells texts of one title apart by their files, and says the same of each', async () => {
    const row = someJob(
      'row',
      { tag: 'done', transcriptId: 't-1', speakerCount: 1, finishedAtMs: 1 },
      { name: 'hour.mp3' },
    );
    const transcripts = [
      { ...listedTranscript('t-1'), title: 'hour', sourceName: 'hour.mp3' },
      { ...listedTranscript('t-2'), title: 'hour', sourceName: 'hour.srt' },
    ];
    const page = await served.open({
      plan: planStudio({ jobs: [row], answers: { 'transcripts.list': { transcripts } } }),
    });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('hour');
    for (const file of ['hour.mp3', 'hour.srt'])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await page.getByRole('option', { name: new RegExp(`${file}, UZ, .*:.*, .*\\d`) }).waitFor();
    await page.context().close();
  });

  it('offers only what is available now, works with arrow keys, and opens transcripts by their names', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('> play');
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
    await page.getByRole('combobox').fill('ceramicist');
    await page.getByRole('group', { name: 'Transcripts' }).getByRole('option').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/transcripts/t-1');
    await page.context().close();
  });

  it('lists texts first, and finds actions by other words for them, in any language', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.keyboard.press('Control+KeyK');
    await expect
      .poll(() => page.getByRole('listbox').getByRole('group').first().getAttribute('aria-labelledby'))
      .toContain('transcripts');
    for (const [word, action] of [
      ['preferences', 'Settings'],
      ['mavzu', 'Appearance: dark'],
      ['dark mode', 'Appearance: dark'],
      ['горячие', 'Keyboard shortcuts'],
    ] as const) {
      await page.getByRole('combobox').fill(word);
      await page.getByRole('option', { name: action }).waitFor();
    }
    await page.context().close();
  });

  it('opens every setting and page of the account, and puts a search of the library last', async () => {
    const page = await served.open({ plan: planStudio() });
    for (const [query, first, place] of [
      ['proxy', 'Proxy', '#/settings/connection/proxy'],
      ['webhook', 'Webhooks', '#/account/webhooks'],
      ['storage', 'Storage', '#/settings/storage'],
      ['trnscribe', 'Transcribe', '#/'],
      ['hands-free', 'Dictate', '#/dictate'],
    ] as const) {
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill(query);
      await expect.poll(() => page.getByRole('option').last().textContent()).toContain('Search the library');
      expect([query, await page.getByRole('option').first().textContent()]).toEqual([
        query,
        expect.stringContaining(first),
      ]);
      await page.keyboard.press('Enter');
      await page.waitForFunction((hash) => window.location.hash === hash, place);
    }
    await page.context().close();
  });

  it('finds an action of any of many files by the word of the action alone, and says how many are not shown', async () => {
    const waiting = Array.from({ length: 60 }, (_, at) =>
      someJob(
        `w-${String(at)}`,
        { tag: 'waiting', placeInQueue: at + 1 },
        { name: `Suhbat ${String(at)}.wav`, rank: at },
      ),
    );
    const failed = Array.from({ length: 40 }, (_, at) =>
      someJob(
        `f-${String(at)}`,
        { tag: 'failed', failure: makeFailure('E-051', { status: 502, code: 'bad_gateway' }), hasRawAnswer: false },
        { name: `Yozuv ${String(at)}.wav`, rank: 100 + at },
      ),
    );
    const page = await served.open({ plan: planStudio({ jobs: [...waiting, ...failed] }) });
    await page.keyboard.press('Control+KeyK');
    const field = page.getByRole('combobox');
    const jobs = page.getByRole('group', { name: 'Jobs' }).getByRole('option');
    const left = page.getByRole('paragraph').filter({ hasText: 'type a part of the name' });
    for (const word of ['retry', 'qayta urin', 'повтор']) {
      await field.fill(word);
      await expect.poll(() => jobs.first().textContent()).toContain('Retry: Yozuv');
      const shownCount = await jobs.count();
      expect(shownCount).toBeGreaterThan(20);
      await expect.poll(() => page.getByRole('option').count()).toBe(31);
      const leftCount = Number(/\d+/u.exec((await left.textContent()) ?? '')?.[0]);
      expect(leftCount).toBeGreaterThanOrEqual(40 - shownCount);
      expect(leftCount).toBeLessThan(45 - shownCount);
    }
    await field.fill('retry 39');
    await expect.poll(() => jobs.allTextContents()).toEqual(['Retry: Yozuv 39.wav']);
    await left.waitFor({ state: 'detached' });
    await field.fill('cancel 59');
    await expect.poll(() => jobs.allTextContents()).toEqual(['Cancel: Suhbat 59.wav']);
    await page.context().close();
  });

  it('asks before it cancels a file that may be at the service, and the focus is in the question', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('Cancel: Podcast');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByText('Podcast 41').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="alertdialog"]') !== null))
      .toBe(true);
    await expect.poll(() => callsOf(page, 'jobs.cancel')).toEqual([]);
    await page.context().close();
  });

  it('is replaced by the list of shortcuts, and that by the page, with the focus where it was', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.getByRole('button', { name: 'Add a folder' }).focus();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Control+Slash');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('folder'));
    await page.context().close();
  });
});

it('no page logged an error', () => {
  expect(served.complaints).toEqual([]);
});
