import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { dialogPlan } from './library-dialog-states.ts';
import { libraryPlan } from './library-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const open = () => served.open({ plan: libraryPlan(), location: '/library' });

describe('the library by hand', () => {
  it('acts on what looks selected: a day selects its items, and a deselected one is left alone', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Haftalik hisobot' }).focus();
    await page.keyboard.press('Control+KeyA');
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    await bar.getByText('7 selected').waitFor();
    await page.getByRole('row', { name: 'Haftalik hisobot' }).click({ modifiers: ['ControlOrMeta'] });
    await bar.getByText('6 selected').waitFor();
    expect(await page.getByRole('row', { name: 'Today, 2 items' }).getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('Delete');
    await expect
      .poll(async () => (await callsOf(page, 'library.trash'))[0]?.items.map(({ id }) => id))
      .toEqual(['t1', 't2', 't3', 'c1', 't4', 't5']);
    await page.getByText('6 items moved to the trash').waitFor();
    // A click selects a single row, as everywhere.
    await page.getByRole('row', { name: 'Haftalik hisobot' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('row', { name: 'Buxoro gilamlari' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('extends a selection from the clicked row', async () => {
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

  it('undoes one step after the other by its key, the last one first', async () => {
    const page = await open();
    const trashed = async (name: string, count: number) => {
      await page.getByRole('row', { name }).focus();
      await page.keyboard.press('Delete');
      await expect.poll(async () => (await callsOf(page, 'library.trash')).length).toBe(count);
    };
    await trashed('Buxoro gilamlari', 1);
    await trashed('Chorsu bozori', 2);
    const [first, second] = await callsOf(page, 'library.trash');
    await page.keyboard.press('Control+KeyZ');
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([second, first]);
    await page.keyboard.press('Control+KeyZ');
    expect(await callsOf(page, 'library.restore')).toHaveLength(2);
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
    // The notice of an undone step disappears long before its time is over.
    await page.getByText('1 item moved to the trash', { exact: true }).waitFor({ state: 'detached', timeout: 3000 });

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
      .toEqual([{ id: 'f1', name: 'Hunarmandlar', parentId: null }]);
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
    await page.getByRole('toolbar').getByRole('button', { name: 'More for what is selected' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
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

  it('makes a tag while nothing is chosen, undoes that, and says what failed until it is closed', async () => {
    const page = await open();
    const make = async (name: string) => {
      await page.getByRole('button', { name: 'New tag…' }).click();
      await page.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill(name);
      await page.keyboard.press('Enter');
    };
    await make('Muhim');
    await page.getByText('The tag “Muhim” is made').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.removeTag')).toEqual([{ id: 'tag' }]);
    expect(await callsOf(page, 'library.tag')).toEqual([]);
    // One that is there already is neither made nor removed by undoing it.
    await make('gilam');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await callsOf(page, 'library.saveTag')).toHaveLength(1);
    await page.context().close();
    const broken = await served.open({
      plan: { ...libraryPlan(), failures: { 'library.saveTag': makeFailure('E-237') } },
      location: '/library',
    });
    await broken.getByRole('button', { name: 'New tag…' }).click();
    await broken.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill('Muhim');
    await broken.keyboard.press('Enter');
    const alert = broken.getByRole('main').getByRole('alert');
    await alert.getByRole('button', { name: 'Close' }).click();
    await alert.waitFor({ state: 'detached' });
    await broken.context().close();
  });

  it('asks questions about several at once, and says in which language they are', async () => {
    const page = await open();
    const bar = page.getByRole('toolbar', { name: 'Selected' });
    const t1 = page.getByRole('row', { name: 'Chorsu bozori' });
    await t1.click();
    await page.getByRole('row', { name: 'Interview with a ceramicist' }).click({ modifiers: ['ControlOrMeta'] });
    await bar.getByText('2 selected').waitFor();
    // The menu of a selected item is that of the whole selection.
    await t1.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Language of the text' }).press('Enter');
    await page.getByRole('menuitemradio', { name: 'Russian' }).press('Enter');
    const both = (one: string, other: string) => ({
      languages: [
        { id: 't1', language: one },
        { id: 't3', language: other },
      ],
    });
    await expect.poll(() => callsOf(page, 'transcripts.setLanguage')).toEqual([both('ru', 'ru')]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await callsOf(page, 'transcripts.setLanguage')).at(-1)).toEqual(both('uz', 'en'));
    await bar.getByRole('button', { name: 'Ask about this' }).press('Enter');
    await page.waitForFunction(() => window.location.hash === '#/ask/about/t1,t3');
    await page.context().close();
  });

  it('offers no player for a text without a recording, but to attach one', async () => {
    const page = await open();
    await page.getByRole('row', { name: 'Interview with a ceramicist' }).click();
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('No recording came with this text.').waitFor();
    expect(await preview.getByRole('button', { name: /^Play/ }).count()).toBe(0);
    await page.evaluate(
      (failure) => {
        window.fakeStudio.setAnswer('transcripts.locateMedia', {
          mediaUrl: null,
          mediaToken: null,
          recordingName: null,
          failure,
        });
      },
      makeFailure('E-211', { code: 'no_sound' }) as never,
    );
    await preview.getByRole('button', { name: 'Attach the recording…' }).press('Enter');
    await expect.poll(() => callsOf(page, 'transcripts.locateMedia')).toEqual([{ transcriptId: 't3', token: null }]);
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });

  it('asks for the language of imported texts whose words do not reveal it', async () => {
    const page = await served.open({
      plan: dialogPlan({
        answers: {
          'transcripts.import': {
            imported: [
              { transcriptId: 'n1', name: 'told.srt', language: 'ru', isLanguageOpen: false },
              { transcriptId: 'n2', name: 'short.srt', language: 'uz', isLanguageOpen: true },
            ],
            refused: [],
            repeated: [{ name: 'subs.srt', token: 'token-of-a-file-0001' }],
          },
        },
      }),
      location: '/library',
    });
    await page.getByRole('button', { name: 'More for the library' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Import transcripts…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Language of the text' });
    expect(await dialog.getByRole('combobox').count()).toBe(1);
    await dialog.getByRole('combobox', { name: 'short.srt' }).selectOption('en');
    expect(await tellBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await expect
      .poll(() => callsOf(page, 'transcripts.setLanguage'))
      .toEqual([{ languages: [{ id: 'n2', language: 'en' }] }]);
    await page.getByText('subs.srt was imported before.').waitFor();
    await page.getByRole('button', { name: 'Add again' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'transcripts.import')).at(-1))
      .toEqual({ tokens: ['token-of-a-file-0001'], addsRepeats: true });
    await page.context().close();
  });

  it('is sorted differently, and so are search results', async () => {
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

  it('has the same menu, keys and selection for search results', async () => {
    const page = await open();
    // It is not in the results, so it is not affected.
    await page.getByRole('row', { name: 'Haftalik hisobot' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('searchbox').fill('boʻyoq');
    await page.getByRole('row', { name: 'Margʻilon' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('toolbar').getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('Adras ustasi');
    await page.keyboard.press('Enter');
    await page.getByText('“Margʻilon: adras ustasi bilan suhbat” is now “Adras ustasi”').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'library.rename')).map(({ title }) => title))
      .toEqual(['Adras ustasi', 'Margʻilon: adras ustasi bilan suhbat']);
    await page.getByRole('row', { name: 'Margʻilon' }).focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items: [{ kind: 'transcript', id: 't4' }] }]);
    await page.context().close();
  });

  it('renames, merges and removes names of the speaker book by keyboard alone', async () => {
    const page = await served.open({ plan: dialogPlan(), location: '/library' });
    await page.getByRole('button', { name: 'More for the library' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Speaker book…' }).press('Enter');
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

  it('imports transcripts of the account by keyboard alone, and keeps the focus when a row disappears', async () => {
    const page = await served.open({ plan: dialogPlan(), location: '/library' });
    await page.getByRole('button', { name: 'More for the library' }).press('Enter');
    await page.getByRole('menuitem', { name: 'In your account…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Transcripts in your account' });
    await dialog.getByRole('button', { name: 'Bring in', exact: true }).first().press('Enter');
    await expect.poll(() => callsOf(page, 'library.bringIn')).toEqual([{ remoteId: 'r1' }]);
    await dialog.getByText('Qoʻqon bozori').waitFor({ state: 'detached' });
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('counts what is in the trash while it is shown, and shows how long it stays', async () => {
    const page = await open();
    await page.getByRole('button', { name: /^Trash/ }).click();
    await page.getByText('29 days left').waitFor();
    await page.locator('header').getByText('1 item,').waitFor();
    await page.getByRole('row', { name: 'Eski suhbat' }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog', { name: 'Erase 1 item for good?' }).waitFor();
    await page.context().close();
  });
});
