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

const text = (id: string, title: string) =>
  listedTranscript(id, { title, sourceName: `${id}.mp3`, createdAtMs: 1_790_000_000_000, credits: null });
/** The library of a user who has removed most rows from the queue. */
const plan = (count = 3) =>
  planStudio({
    jobs: jobsInEveryState(),
    answers: {
      'transcripts.list': {
        transcripts: [
          text('t-1', 'A better title of the ceramicist'),
          text('rowless', 'Ustaxonada suhbat'),
          ...Array.from({ length: count - 2 }, (_, index) => text(`more-${index}`, `Boshqa yozuv ${index}`)),
        ],
      },
    },
  });

describe('a transcript whose row was removed from the queue', () => {
  it('is in the palette, and one with a row is found by its title', async () => {
    const page = await served.open({ plan: plan() });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('better title');
    await page.getByRole('group', { name: 'Transcripts' }).getByRole('option', { name: 'A better title' }).waitFor();
    await page.getByRole('combobox').fill('ustaxonada');
    await page.getByRole('option', { name: 'Ustaxonada suhbat' }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/rowless');
    await page.context().close();
  });
});

describe('the recent transcripts beside every screen', () => {
  const recent = (transcripts: readonly ReturnType<typeof text>[]) =>
    served.open({ plan: planStudio({ answers: { 'transcripts.list': { transcripts: [...transcripts] } } }) });
  const old = (id: string, title: string, openedAtMs: number | null = null) => ({
    ...text(id, title),
    openedAtMs,
    createdAtMs: 1_000,
  });

  it('are those that were opened last, wherever from, and mark the open one', async () => {
    const page = await recent([
      ...Array.from({ length: 6 }, (_, index) => text(`import-${index}`, `Import ${index}`)),
      old('t-1', 'Maʼruza', 1_790_000_000_001),
      old('t-10', 'Suhbat'),
    ]);
    const list = page.getByRole('region', { name: 'Recent' });
    const names = () => list.getByRole('link').allTextContents();
    await expect.poll(names).toEqual(['Maʼruza', ...Array.from({ length: 5 }, (_, index) => `Import ${index}`)]);
    await page.evaluate(() => {
      window.location.hash = '#/transcripts/t-10/2000';
    });
    await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Suhbat', 'Maʼruza', 'Import 0']);
    expect(await list.locator('[aria-current]').allTextContents()).toEqual(['Suhbat']);
    await page.context().close();
  });

  it('keep their places under the pointer and the focus, and are in order again when both have left', async () => {
    const page = await recent([old('a', 'A', 4), old('b', 'B', 3), old('c', 'C', 2)]);
    const list = page.getByRole('region', { name: 'Recent' });
    const names = () => list.getByRole('link').allTextContents();
    await list.getByRole('link', { name: 'C' }).click();
    await expect.poll(() => list.locator('[aria-current]').allTextContents()).toEqual(['C']);
    expect(await names()).toEqual(['A', 'B', 'C']);
    await page.mouse.move(600, 400);
    await expect.poll(names).toEqual(['C', 'A', 'B']);
    await list.getByRole('link', { name: 'C' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/transcripts/b');
    expect(await names()).toEqual(['C', 'A', 'B']);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('B');
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+Tab');
    await expect.poll(names).toEqual(['B', 'C', 'A']);
    await page.context().close();
  });

  it('say which file is meant where two have the same name', async () => {
    const page = await recent([
      { ...text('a', 'good'), sourceName: 'good.srt' },
      { ...text('b', 'good'), sourceName: 'good.vtt' },
    ]);
    const links = page.getByRole('region', { name: 'Recent' }).getByRole('link');
    for (const [at, name] of ['good.srt', 'good.vtt'].entries()) {
      await links.nth(at).hover();
      await page.getByRole('tooltip', { name }).waitFor();
    }
    await page.context().close();
  });
});

describe('the menu of a recent transcript', () => {
  const both = [
    { ...text('a', 'Suhbat'), createdAtMs: 1_700_000_000_000 },
    { ...text('b', 'Suhbat'), createdAtMs: 1_600_000_000_000, hasRecording: false },
  ];
  const openList = async () => {
    const page = await served.open({
      plan: planStudio({
        answers: {
          'transcripts.list': { transcripts: both },
          'transcripts.showRecording': {},
          'library.rename': {},
          'library.trash': {},
          'library.restore': {},
        },
      }),
    });
    const links = page.getByRole('region', { name: 'Recent' }).getByRole('link');
    await links.first().waitFor();
    return { page, links, menu: page.getByRole('menu', { name: 'Suhbat' }) };
  };

  it('is asked for by a right click on one of two with the same title, which say when they were made', async () => {
    const { page, links, menu } = await openList();
    expect(await links.allTextContents()).toEqual(['Suhbat14\u00a0Nov\u00a02023', 'Suhbat13\u00a0Sept\u00a02020']);
    await links.first().hover();
    await page.getByRole('tooltip', { name: /a\.mp3 · 14.Nov.2023 · 0:40/u }).waitFor();
    await links.nth(1).click({ button: 'right' });
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual(['Open', 'Rename…', 'Move to the trash']);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    // The same by key, and the row has the focus again.
    await links.nth(1).focus();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => links.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
    await links.first().click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Show recording in folder' }).click();
    await expect.poll(() => callsOf(page, 'transcripts.showRecording')).toEqual([{ transcriptId: 'a' }]);
    await page.context().close();
  });

  it('renames and moves to the trash as the library does, and a notice takes it back', async () => {
    const { page, links, menu } = await openList();
    const item = { kind: 'transcript', id: 'a' };
    await links.first().click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Rename…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill("Usta bilan so'z");
    await page.keyboard.press('Enter');
    await page.getByText('“Suhbat” is now “Usta bilan soʻz”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => callsOf(page, 'library.rename'))
      .toEqual([
        { item, title: 'Usta bilan soʻz' },
        { item, title: 'Suhbat' },
      ]);
    await links.first().click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/a');
    await page.getByRole('link', { name: /^Suhbat\s*14/u }).click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Move to the trash' }).click();
    await page.getByText(/^“.+” moved to the trash$/u).waitFor();
    // The one that was open is left.
    expect(await page.evaluate(() => window.location.hash)).not.toContain('transcripts');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([{ items: [item] }]);
    expect(await callsOf(page, 'library.trash')).toEqual([{ items: [item] }]);
    await page.context().close();
  });
});

describe('a transcript in the trash', () => {
  const twin = (id: string) => {
    const params = { date: 1, name: 'lesson-1.wav', jobId: 'gone', transcriptId: 't-9' };
    return someJob(id, { tag: 'needs-user', failure: makeFailure('E-212', { code: 'duplicate', params }) });
  };
  const restored = [{ items: [{ kind: 'transcript', id: 't-9' }] }];

  it('is restored and opened from the row of the same recording', async () => {
    const page = await served.open({ plan: planStudio({ jobs: [twin('again')] }) });
    const row = page.locator('[data-key="again"]');
    await row.getByText('Its transcript is in the trash').waitFor();
    await row.getByRole('button', { name: 'Restore and open' }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/t-9');
    expect(await callsOf(page, 'library.restore')).toEqual(restored);
    await page.context().close();
  });

  it('that is opened says where it is, and is shown once it is restored', async () => {
    const failures = { 'transcripts.open': makeFailure('E-040', { code: 'in_trash' }) };
    const page = await served.open({ plan: planStudio({ failures }), location: '/transcripts/t-9' });
    await page.getByRole('heading', { name: 'This transcript is in the trash' }).waitFor();
    expect(await page.getByText(/service/i).count()).toBe(0);
    await page.evaluate(() => window.fakeStudio.setFailure('transcripts.open', null));
    await page.getByRole('button', { name: 'Restore and open' }).click();
    await page.getByRole('heading', { name: 'This transcript is in the trash' }).waitFor({ state: 'detached' });
    expect(await callsOf(page, 'library.restore')).toEqual(restored);
    await page.context().close();
  });

  it('several duplicates leave the queue by one button, and one Undo restores them', async () => {
    const answers = { 'jobs.act': { changedCount: 3, acceptedCount: 0 }, 'jobs.bringBack': { restoredCount: 3 } };
    const page = await served.open({ plan: planStudio({ jobs: ['a', 'b', 'c'].map(twin), answers }) });
    await page.getByText('3 recordings you already have').waitFor();
    await page.getByRole('button', { name: 'Remove all 3' }).click();
    expect(await callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['a', 'b', 'c'], action: 'remove' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'jobs.bringBack')).toEqual([{ jobIds: ['a', 'b', 'c'] }]);
    await expect
      .poll(async () => (await callsOf(page, 'jobs.act')).at(-1))
      .toEqual({ jobIds: ['a', 'b', 'c'], action: 'undo-cancel' });
    await page.context().close();
  });
});
