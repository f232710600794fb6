import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { libraryPlan, someFolders, someItem, someTags } from './library-states.ts';
import { dialogPlan } from './library-dialog-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = () => served.open({ plan: libraryPlan(), location: '/library' });

describe('the library', () => {
  it('lists everything by day but what is in the trash, and has no barrier', async () => {
    const page = await open();
    const rows = page.getByRole('grid').getByRole('row');
    await expect.poll(() => rows.count()).toBe(10);
    expect(await rows.first().getAttribute('aria-label')).toBe('Today, 2 items');
    expect(await page.getByRole('row', { name: 'Eski suhbat' }).count()).toBe(0);
    expect(await tellBarriers(page)).toEqual([]);
    await page.context().close();
  });

  it('finds words from everywhere by its key, and Enter opens the editor at the moment; back, the search is still there', async () => {
    const page = await served.open({ plan: libraryPlan() });
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('searchbox');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type('boʻyoq');
    await page.getByText('6 moments').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toContain('boʻyogʻi');
    expect(await tellBarriers(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/transcripts/t4/140000');
    await page.getByRole('button', { name: /Back/ }).first().click();
    await page.waitForFunction(() => window.location.hash === '#/library');
    expect(await field.inputValue()).toBe('boʻyoq');
    await page.context().close();
  });

  it('is narrowed by folder, kind and language, and asks main for what is left only', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Hunarmandlar' }).first().click();
    await page.getByRole('checkbox', { name: 'Russian' }).check();
    await page.getByRole('row', { name: 'Интервью с реставратором тканей' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('searchbox').fill('anor');
    await expect
      .poll(async () => (await callsOf(page, 'library.search')).at(-1))
      .toEqual({ text: 'anor', among: ['transcript:t2'], mostItems: 25, isByMoments: false });
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(async () => (await callsOf(page, 'library.search')).at(-1)?.among.length).toBe(6);
    await page.context().close();
  });

  it('puts several things into the trash by keyboard alone, and takes it back', async () => {
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
    await page.context().close();
  });

  it('renames, files into a new folder, and tells when main refuses', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gilamlar');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => callsOf(page, 'library.rename'))
      .toEqual([{ item: { kind: 'transcript', id: 't5' }, title: 'Gilamlar' }]);
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

  it('is not said to be empty when it can’t be read', async () => {
    const page = await served.open({
      plan: planStudio({ failures: { 'library.list': makeFailure('E-181') } }),
      location: '/library',
    });
    await page.getByText('Disk reported an error').first().waitFor();
    expect(await page.getByText('The library is empty').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().close();
  });

  it('draws only what is seen of thousands, and walks them by keys to the end', async () => {
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

  it('acts on what shows as selected: a day takes its items along, and one of them taken off is left alone', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Haftalik hisobot' }).focus();
    await page.keyboard.press('Control+KeyA');
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    await bar.getByText('6 selected').waitFor();
    await page.getByRole('row', { name: 'Haftalik hisobot' }).click();
    await bar.getByText('5 selected').waitFor();
    expect(await page.getByRole('row', { name: 'Today, 2 items' }).getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('Delete');
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items: [{ kind: 'dictation', id: 'd1' }] }]);
    await page.context().close();
  });

  it('extends a selection from the row that was pressed', async () => {
    const page = await open();
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    await page.getByRole('row', { name: 'Chorsu bozori' }).click();
    await page.getByRole('row', { name: 'Интервью с реставратором тканей' }).click({ modifiers: ['Shift'] });
    await bar.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'Chorsu bozori' }).click();
    await page.getByRole('row', { name: 'Interview with a ceramicist' }).click({ modifiers: ['ControlOrMeta'] });
    await bar.getByText('2 selected').waitFor();
    await page.context().close();
  });

  it('undoes the last step by its key: the trash, a move, a tag, a folder', async () => {
    const page = await open();
    const row = page.getByRole('row', { name: 'Buxoro gilamlari' });
    const ref = [{ kind: 'transcript', id: 't5' }];
    await row.focus();
    await page.keyboard.press('Delete');
    await page.getByText('1 item moved to the trash').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([{ items: ref }]);

    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to a folder' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Sud ishlari' }).press('Enter');
    await page.getByText('1 item moved to “Sud ishlari”').waitFor();
    await row.focus();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.move'))
      .toEqual([
        { items: ref, folderId: 'f2' },
        { items: ref, folderId: null },
      ]);

    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Take off “Gilam”' }).press('Enter');
    await page.getByText('“Gilam” taken off 1 item').waitFor();
    await row.focus();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.tag'))
      .toEqual([
        { items: ref, tagId: 'g1', isOn: false },
        { items: ref, tagId: 'g1', isOn: true },
      ]);

    await page.getByRole('button', { name: 'Hunarmandlar' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Remove the folder/ }).press('Enter');
    await page.getByText('The folder “Hunarmandlar” is removed').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.saveFolder'))
      .toEqual([{ id: null, name: 'Hunarmandlar', parentId: null }]);
    await expect.poll(async () => (await callsOf(page, 'library.move')).at(-1)?.items.length).toBe(3);
    await expect.poll(() => callsOf(page, 'library.moveFolder')).toEqual([{ id: 'f3', parentId: 'folder' }]);
    await page.context().close();
  });

  it('is narrowed by tag; tags are added to several at once, renamed and removed by keyboard alone', async () => {
    const page = await open();
    await page.getByRole('checkbox', { name: 'Tekshirish kerak' }).press('Space');
    await expect.poll(() => page.getByRole('row').count()).toBe(4);
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('Control+KeyA');
    await page.getByRole('toolbar').getByRole('button', { name: 'Tags' }).press('Enter');
    await page.getByRole('menuitem', { name: 'New tag…' }).press('Enter');
    await page.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill('Muhim');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await callsOf(page, 'library.tag')).at(-1))
      .toEqual({
        items: [
          { kind: 'transcript', id: 't1' },
          { kind: 'transcript', id: 't5' },
        ],
        tagId: 'tag',
        isOn: true,
      });
    const more = page.getByRole('button', { name: 'More for Gilam', exact: true });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Rename the tag' }).getByRole('textbox').fill('Gilamlar');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await callsOf(page, 'library.saveTag')).at(-1))
      .toEqual({ id: 'g1', name: 'Gilamlar' });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Remove the tag everywhere' }).press('Enter');
    await expect.poll(() => callsOf(page, 'library.removeTag')).toEqual([{ id: 'g1' }]);
    await page.context().close();
  });

  it('is put in another order, and so is what is found', async () => {
    const page = await open();
    const order = page.locator('header').getByRole('button', { name: /^Order/ });
    await order.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Longest first' }).press('Enter');
    await expect.poll(() => page.getByRole('row').first().getAttribute('aria-label')).toBe('Buxoro gilamlari, 3-qism');
    await page.getByRole('searchbox').fill('boʻyoq');
    await expect.poll(async () => (await callsOf(page, 'library.search')).at(-1)?.among[0]).toBe('transcript:t5');
    await page.getByText('also matching').waitFor();
    await order.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Most moments first' }).press('Enter');
    await expect.poll(async () => (await callsOf(page, 'library.search')).at(-1)?.isByMoments).toBe(true);
    await page.context().close();
  });

  it('has the menu, the keys and the selection of the list for what is found too', async () => {
    const page = await open();
    await page.getByRole('searchbox').fill('boʻyoq');
    await page.getByRole('row', { name: 'Margʻilon' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Rename' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'Margʻilon' }).focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items: [{ kind: 'transcript', id: 't4' }] }]);
    await page.context().close();
  });

  it('renames, merges and removes names of the speaker book by keyboard alone', async () => {
    const page = await served.open({ plan: dialogPlan(), location: '/library' });
    await page.getByRole('button', { name: 'Speaker book…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Speaker book' });
    await dialog.getByRole('button', { name: 'Rename or recolour Dilnoza Karimova' }).press('Enter');
    await dialog.getByRole('textbox').fill('Dilnoza K.');
    await dialog.getByRole('radio', { name: 'Colour 7' }).press('Space');
    expect(await tellBarriers(page)).toEqual([]);
    await dialog.getByRole('textbox').press('Enter');
    await expect
      .poll(() => callsOf(page, 'library.saveSpeaker'))
      .toEqual([{ was: 'Dilnoza Karimova', name: 'Dilnoza K.', colour: 7 }]);
    await dialog.getByRole('button', { name: 'More for Дилноза' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Merge with' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Dilnoza Karimova' }).press('Enter');
    await dialog.getByText('Дилноза becomes Dilnoza Karimova in every recording').waitFor();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).press('Enter');
    await expect
      .poll(async () => (await callsOf(page, 'library.saveSpeaker')).at(-1))
      .toEqual({ was: 'Дилноза', name: 'Dilnoza Karimova', colour: 5 });
    await dialog.getByRole('button', { name: 'More for Usta Rahmatillo' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove from the book' }).press('Enter');
    await expect.poll(() => callsOf(page, 'library.forgetSpeaker')).toEqual([{ name: 'Usta Rahmatillo' }]);
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect
      .poll(async () => (await callsOf(page, 'library.saveSpeaker')).at(-1))
      .toEqual({ was: null, name: 'Usta Rahmatillo', colour: null });
    await page.context().close();
  });

  it('counts what is in the trash while it is shown, and tells how long it stays', async () => {
    const page = await open();
    await page.getByRole('button', { name: /^Trash/ }).click();
    await page.getByText('29 days left').waitFor();
    await page.locator('header').getByText('1 item,').waitFor();
    await page.getByRole('row', { name: 'Eski suhbat' }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog', { name: 'Erase 1 item for good?' }).waitFor();
    await page.context().close();
  });

  it('draws what was found in the frame after the answer', async () => {
    const items = Array.from({ length: 1000 }, (_, at) => someItem(`m${String(at)}`, `Yozuv ${String(at)}`, at));
    const page = await served.open({
      plan: planStudio({
        answers: { 'library.list': { items, folders: someFolders, tags: someTags } },
        waits: ['library.search'],
      }),
      location: '/library',
    });
    const words = Array.from({ length: 20 }, (_, at) => `soʻz${String(at)}a`);
    const frames: number[] = [];
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
      frames.push(
        await page.evaluate(
          ({ given, wanted }) =>
            new Promise<number>((resolve) => {
              let count = 0;
              const look = () => {
                count += 1;
                if (document.querySelector('mark')?.textContent === wanted) resolve(count);
                else requestAnimationFrame(look);
              };
              // From the beginning of a frame, so that each has a whole one.
              requestAnimationFrame(() => {
                window.fakeStudio.setAnswer('library.search', given);
                window.fakeStudio.letGo('library.search');
                requestAnimationFrame(look);
              });
            }),
          { given: answer, wanted: word },
        ),
      );
    }
    // A busy machine may take a frame away now and then.
    expect(frames.filter((count) => count === 1).length, frames.join(' ')).toBeGreaterThanOrEqual(15);
    await page.context().close();
  });
});
