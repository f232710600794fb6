import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { libraryPlan, nothingFound, someFolders, someItem, someItems, someTags } from './library-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = () => served.open({ plan: libraryPlan(), location: '/library' });

describe('the library', () => {
  it('lists everything by day except the trash, and has no accessibility barrier', async () => {
    const page = await open();
    const rows = page.getByRole('grid').getByRole('row');
    await expect.poll(() => rows.count()).toBe(11);
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).click();
    await page.getByRole('complementary', { name: 'Preview' }).getByText('Assalomu alaykum!').waitFor();
    expect((await callsOf(page, 'library.read')).at(-1)).toEqual({
      item: { kind: 'transcript', id: 't5' },
      fromMs: 0,
    });
    expect(await rows.first().getAttribute('aria-label')).toBe('Today, 2 items');
    expect(await page.getByRole('row', { name: 'Eski suhbat' }).count()).toBe(0);
    expect(await tellBarriers(page)).toEqual([]);
    await page.context().close();
  });

  it('marks isolated audio that is only an excerpt', async () => {
    const isolated = (id: string, title: string, states: readonly 'excerpt'[]) =>
      someItem(id, title, 2, { kind: 'isolation', language: null, speakers: [], states });
    const items = [isolated('a1', 'Bozor shovqini', ['excerpt']), isolated('a2', 'Butun yozuv', [])];
    const answers = { 'library.list': { items, folders: [], tags: [] } };
    const page = await served.open({ plan: planStudio({ answers }), location: '/library' });
    await page.getByRole('row', { name: 'Bozor shovqini' }).getByText('Excerpt', { exact: true }).waitFor();
    expect(await page.getByRole('row', { name: 'Butun yozuv' }).getByText('Excerpt').count()).toBe(0);
    await page.context().close();
  });

  it('finds words everywhere by its key, and Enter opens the editor at the moment; on return the search is still there', async () => {
    const page = await served.open({ plan: libraryPlan() });
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('searchbox');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('boʻyoq');
    await page.getByText('7 moments').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toContain('boʻyogʻi');
    expect(await tellBarriers(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/transcripts/t4/140000/bo%CA%BByoq');
    await page.getByRole('button', { name: /Back/ }).first().click();
    await page.waitForFunction(() => window.location.hash === '#/library');
    expect(await field.inputValue()).toBe('boʻyoq');
    // An answer has a position in its conversation, and no time.
    await page.getByRole('row', { name: /^Anor poʻstidan/ }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/ask/c1/1');
    await page.context().close();
  });

  it('finds nothing: the nearest spelling, and how many recordings have no text yet', async () => {
    const page = await served.open({ plan: libraryPlan(nothingFound), location: '/library' });
    await page.getByRole('searchbox').fill('isparaq');
    await page.getByText('isparak').waitFor();
    await page.getByText('2 recordings have no text yet and were not searched').waitFor();
    await page.getByText('Looked in 7 of 9 recordings').waitFor();
    await page.context().close();
  });

  it('exports many: no audio is offered for a text without a recording, and Esc asks before a running export ends', async () => {
    const manyExports = { formats: ['srt', 'mp3'], template: '{name}', collision: 'skip', layout: 'files' } as const;
    const page = await served.open({
      plan: planStudio({
        settings: { exportFolderName: 'out', manyExports: { ...manyExports, formats: [...manyExports.formats] } },
        answers: { 'library.list': { items: someItems, folders: someFolders, tags: someTags } },
      }),
      location: '/library',
    });
    const say = (message: unknown) =>
      page.evaluate((said) => window.fakeStudio.sayInStream('exports.many', said), message);
    await page.getByRole('row', { name: 'Интервью с реставратором тканей' }).click();
    await page.getByRole('row', { name: 'Interview with a ceramicist' }).click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('toolbar', { name: 'Selected' }).getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export 2 transcripts' });
    await dialog.getByText('1 audio file is left out').waitFor();
    await dialog.getByRole('button', { name: 'Export 3 files' }).click();
    await say({ kind: 'value', value: { kind: 'progress', done: 1, total: 3, title: 'Adras' } });
    await dialog.getByText('1 of 3, now Adras').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('Stop the export?').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByText('Stop the export?').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await dialog.getByText('Stopped. Finished files are kept.').waitFor();
    const said = () => page.evaluate(() => window.fakeStudio.calls.map(({ input }) => JSON.stringify(input)).join());
    await expect.poll(said).toContain('{"kind":"cancel"}');
    expect(await said()).toContain('"formats":["srt","mp3"]},{"transcriptId":"t3","formats":["srt"]}');

    await dialog.getByRole('button', { name: 'Export 3 files' }).click();
    await dialog.getByRole('progressbar').waitFor();
    await say({
      kind: 'value',
      value: { kind: 'ended', fileCount: 0, skippedCount: 3, failures: [], revealToken: null },
    });
    await say({ kind: 'end', result: { ok: true, value: null } });
    await dialog.getByText('3 were there already.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('is filtered by folder, kind and language, and requests only matching items from main', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Hunarmandlar' }).first().click();
    // The number beside a filter counts within the folder, not in the library.
    const english = page.locator('label').filter({ hasText: 'English' });
    await expect.poll(() => english.innerText()).toMatch(/0$/u);
    await page.getByRole('checkbox', { name: 'Russian' }).check();
    await page.getByRole('row', { name: 'Интервью с реставратором тканей' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('searchbox').fill('anor');
    await expect
      .poll(async () => (await callsOf(page, 'library.search')).at(-1))
      .toEqual({ text: 'anor', among: ['transcript:t2'], mostItems: 25, isByMoments: false });
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(async () => (await callsOf(page, 'library.search')).at(-1)?.among.length).toBe(7);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Sud ishlari' }).first().click();
    await page.getByText('This folder is empty').waitFor();
    await page.context().close();
  });

  it('moves several items to the trash by keyboard alone, and undoes it', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Chorsu bozori' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('toolbar', { name: 'Selected' }).getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Move to the trash' }).press('Enter');
    const refs = [
      { kind: 'transcript', id: 't1' },
      { kind: 'dictation', id: 'd1' },
    ];
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items: refs }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([{ items: refs }]);
    await page.getByText('Undone: 2 items moved to the trash').waitFor();
    await page.context().close();
  });

  it('renames, moves into a new folder, and shows when main refuses', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill("Gilamlar so'zi");
    await page.keyboard.press('Enter');
    // It is Uzbek, and so is its title.
    await expect
      .poll(() => callsOf(page, 'library.rename'))
      .toEqual([{ item: { kind: 'transcript', id: 't5' }, title: 'Gilamlar soʻzi' }]);
    await page.evaluate(
      (failure) => window.fakeStudio.setFailure('library.trash', failure),
      makeFailure('E-180') as never,
    );
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('is searched from the palette', async () => {
    const page = await served.open({ plan: libraryPlan() });
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').fill('ustasi');
    await page.getByRole('option', { name: 'Search the library for “ustasi”' }).click();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('ustasi');
    await page.context().close();
  });

  it('is not called empty when it can’t be read', async () => {
    const page = await served.open({
      plan: planStudio({ failures: { 'library.list': makeFailure('E-181') } }),
      location: '/library',
    });
    await page.getByText('Disk reported an error').first().waitFor();
    expect(await page.getByText('The library is empty').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().close();
  });

  it('draws only the visible rows of thousands, and reaches them by keys to the end', async () => {
    const items = Array.from({ length: 5000 }, (_, at) => someItem(`m${String(at)}`, `Boshqa yozuv ${String(at)}`, at));
    const page = await served.open({
      plan: planStudio({ answers: { 'library.list': { items, folders: [], tags: [] } } }),
      location: '/library',
    });
    await page.getByRole('row').nth(1).focus();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await page.getByRole('row', { name: 'Boshqa yozuv 4999' }).waitFor();
    await page.context().close();
  });

  it('draws results in the turn of the answer, so that the next frame has them', async () => {
    const items = Array.from({ length: 1000 }, (_, at) => someItem(`m${String(at)}`, `Yozuv ${String(at)}`, at));
    const page = await served.open({
      plan: planStudio({
        answers: { 'library.list': { items, folders: someFolders, tags: someTags } },
        waits: ['library.search'],
      }),
      location: '/library',
    });
    const words = Array.from({ length: 20 }, (_, at) => `soʻz${String(at)}a`);
    for (const [at, word] of words.entries()) {
      await page.getByRole('searchbox').fill(word);
      await expect.poll(async () => (await callsOf(page, 'library.search')).at(-1)?.text).toBe(word);
      const moment = { startMs: 140_000, text: `Bu yerda ${word} aytilgan.`, ranges: [[9, 9 + word.length]] };
      const answer = {
        items: items.slice(at, at + 25).map(({ kind, id }) => ({
          kind,
          id,
          titleRanges: [],
          moments: [moment, moment, moment],
          momentCount: 9,
        })),
        momentCount: 225,
        itemCount: 25,
        isPartial: false,
        nearest: null,
      };
      const isDrawn = await page.evaluate(
        ({ given, wanted }) =>
          new Promise<boolean>((resolve) => {
            const { port1, port2 } = new MessageChannel();
            // The first thing that happens after the turn of the answer.
            port1.addEventListener('message', () => {
              resolve(document.querySelector('mark')?.textContent === wanted);
            });
            port1.start();
            window.fakeStudio.setAnswer('library.search', given);
            window.fakeStudio.letGo('library.search');
            port2.postMessage(null);
          }),
        { given: answer, wanted: word },
      );
      expect(isDrawn, word).toBe(true);
    }
    await page.context().close();
  });
});
