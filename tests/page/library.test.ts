import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { changedByImport } from './library-dialog-states.ts';
import { libraryPlan, someFolders, someItem, someItems, someTags } from './library-states.ts';
import { goTo, pagesOfFile, waitForFocus, waitForPlace } from './page-rig.ts';

const { open } = pagesOfFile();

const openLibrary = (plan: StudioPlan = libraryPlan()) => open({ plan, location: '/library' });
const listing = (items: typeof someItems): StudioPlan['answers'] => ({
  'library.list': { items, folders: someFolders, tags: someTags },
});
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
const selection = (page: Page) => page.getByRole('toolbar', { name: 'Selected' });
const openMenu = async (page: Page, name: RegExp | string) => {
  await page.getByRole('button', { name: 'More for the library' }).press('Enter');
  await page.getByRole('menuitem', { name }).press('Enter');
};
const trashed = async (page: Page) =>
  (await callsOf(page, 'library.trash')).map(({ items }) => items.map(({ id }) => id));
const ref = (id: string) => ({ kind: 'transcript', id });

describe('the list', () => {
  it('shows everything by day except the trash, and draws only the visible rows of thousands, to the end by keys', async () => {
    const page = await openLibrary();
    const rows = page.getByRole('grid').getByRole('row');
    await expect.poll(() => rows.count()).toBe(11);
    expect(await rows.first().getAttribute('aria-label')).toBe('Today, 2 items');
    expect(await row(page, 'Eski suhbat').count()).toBe(0);
    await page.getByRole('button', { name: /^Trash/ }).click();
    await page.getByText('29 days left').waitFor();
    await row(page, 'Eski suhbat').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog', { name: 'Erase 1 item for good?' }).waitFor();

    const items = Array.from({ length: 5000 }, (_, at) => someItem(`m${String(at)}`, `Boshqa yozuv ${String(at)}`, at));
    const many = await openLibrary(planStudio({ answers: listing(items) }));
    await many.getByRole('row').nth(1).focus();
    expect(await many.getByRole('row').count()).toBeLessThan(60);
    await many.keyboard.press('End');
    await row(many, 'Boshqa yozuv 4999').waitFor();
  });

  it('that is empty offers the samples in practice mode alone', async () => {
    const empty = (mode: 'practice' | 'service') =>
      openLibrary(planStudio({ settings: { mode }, answers: listing([]) }));
    const page = await empty('practice');
    await page.getByText('The library is empty').waitFor();
    await page.getByRole('button', { name: 'Try the samples' }).click();
    await expect.poll(() => callsOf(page, 'jobs.addSamples')).toEqual([{}]);
    await waitForPlace(page, '#/');
    const other = await empty('service');
    await other.getByText('The library is empty').waitFor();
    expect(await other.getByRole('button', { name: 'Try the samples' }).count()).toBe(0);
  });

  it('is not called empty when it can’t be read', async () => {
    const page = await openLibrary(planStudio({ failures: { 'library.list': makeFailure('disk-error') } }));
    await page.getByText('Disk reported an error').first().waitFor();
    expect(await page.getByText('The library is empty').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('is filtered by folder and language, counts within the folder, and asks main only for what matches', async () => {
    const page = await openLibrary();
    await page.getByRole('button', { name: 'Hunarmandlar' }).first().click();
    // A filter counts within the folder, not in the library, and none leads to nothing.
    await expect.poll(() => page.getByRole('checkbox', { name: 'English' }).count()).toBe(0);
    await page.locator('summary').getByText('Filters').click();
    await page.getByRole('checkbox', { name: 'Russian' }).check();
    await row(page, 'Интервью с реставратором тканей').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    const search = page.getByRole('searchbox');
    const among = async () => (await callsOf(page, 'library.search')).map(({ among: keys }) => keys.length);
    await search.fill('anor');
    await expect
      .poll(() => callsOf(page, 'library.search'))
      .toContainEqual({ text: 'anor', among: ['transcript:t2'], mostItems: 25, isByMoments: false });
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(async () => (await among()).at(-1)).toBe(7);
    await search.fill('');
    await page.getByRole('button', { name: 'Sud ishlari' }).first().click();
    await page.getByText('This folder is empty').waitFor();
  });
});

describe('the search', () => {
  it('is opened by its key, and Enter opens the editor at the moment; on return it is still there, with a menu of its own', async () => {
    const page = await open({ plan: libraryPlan() });
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('searchbox');
    await waitForFocus(field);
    await page.keyboard.type('boʻyoq');
    await page.getByText('7 moments').waitFor();
    expect(await page.locator('mark').allInnerTexts()).toContain('boʻyogʻi');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitForPlace(page, '#/transcripts/t4/140000/bo%CA%BByoq');
    await page.getByRole('button', { name: /Back/ }).first().click();
    await waitForPlace(page, '#/library');
    expect(await field.inputValue()).toBe('boʻyoq');
    await row(page, '3 more in this text').click();
    await waitForPlace(page, '#/transcripts/t4/find/bo%CA%BByoq');
    await page.getByRole('button', { name: /Back/ }).first().click();
    await waitForPlace(page, '#/library');
    await row(page, 'Margʻilon').focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => trashed(page)).toEqual([['t4']]);
    // An answer has a position in its conversation, and no time.
    await row(page, /^Anor poʻstidan/).focus();
    await page.keyboard.press('Enter');
    await waitForPlace(page, '#/ask/c1/1');
    // A percent sign in an address is a percent sign.
    await goTo(page, '/library/search/100%25%20natija');
    await expect.poll(() => field.inputValue()).toBe('100% natija');
  });
});

describe('a selection', () => {
  it('of several is asked about, told its language and tagged together, each with its own undo', async () => {
    const page = await openLibrary();
    await row(page, 'Chorsu bozori').click();
    await row(page, 'Interview with a ceramicist').click({ modifiers: ['ControlOrMeta'] });
    await selection(page).getByText('2 selected').waitFor();
    // The menu of a selected item is that of the whole selection.
    await row(page, 'Chorsu bozori').click({ button: 'right' });
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

    // A tag that one of them had before is not taken from it.
    await page.evaluate(() => window.fakeStudio.setAnswer('library.saveTag', { id: 'g2' }));
    await row(page, 'Chorsu bozori').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
    await page.getByRole('menuitem', { name: 'New tag…' }).press('Enter');
    await page.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill('Tekshirish kerak');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect
      .poll(() => callsOf(page, 'library.tag'))
      .toEqual([
        { items: [ref('t3')], tagId: 'g2', isOn: true },
        { items: [ref('t3')], tagId: 'g2', isOn: false },
      ]);
    await selection(page).getByRole('button', { name: 'Ask about this' }).press('Enter');
    await waitForPlace(page, '#/ask/about/t1,t3');
  });

  it('is exported: no audio of a text without a recording, and Esc asks before a running export ends', async () => {
    const manyExports = { formats: ['srt', 'mp3'], template: '{name}', collision: 'skip', layout: 'files' } as const;
    const page = await openLibrary(
      planStudio({
        settings: { exportFolderName: 'out', manyExports: { ...manyExports, formats: [...manyExports.formats] } },
        answers: listing(someItems),
      }),
    );
    const say = (message: unknown) =>
      page.evaluate((one) => window.fakeStudio.sayInStream('exports.many', one), message);
    await row(page, 'Интервью с реставратором тканей').click();
    await row(page, 'Interview with a ceramicist').click({ modifiers: ['ControlOrMeta'] });
    await selection(page).getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export 2 transcripts' });
    await dialog.getByText('1 audio file is left out').waitFor();
    const usual = ['SubRip', 'WebVTT', 'Word', 'PDF', 'Plain text', 'JSON', 'WAV', 'MP3', 'More formats'];
    const chips = dialog.getByRole('group', { name: 'Formats' }).getByRole('button');
    expect(await chips.allTextContents()).toEqual(usual);
    await dialog.getByRole('button', { name: 'More formats' }).click();
    await dialog.getByRole('button', { name: 'OpenTimelineIO' }).waitFor();
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
  });
});

describe('undo', () => {
  it('goes one step back with each Ctrl+Z, the last one first, and does it again until something else is done', async () => {
    const page = await openLibrary();
    const remove = async (name: string, count: number) => {
      await row(page, name).focus();
      await page.keyboard.press('Delete');
      await expect.poll(async () => (await trashed(page)).length).toBe(count);
    };
    await remove('Buxoro gilamlari', 1);
    await remove('Chorsu bozori', 2);
    const [first, second] = await callsOf(page, 'library.trash');
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([second, first]);
    await page.getByText('1 item restored').first().waitFor();
    for (const [at, key] of ['Control+KeyY', 'Control+Shift+KeyZ'].entries()) {
      await page.keyboard.press(key);
      await expect.poll(async () => (await trashed(page)).length).toBe(3 + at);
    }
    expect((await callsOf(page, 'library.trash')).slice(2)).toEqual([first, second]);
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.restore')).toHaveLength(3);
    await remove('Haftalik hisobot', 5);
    await page.keyboard.press('Control+KeyY');
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(async () => (await callsOf(page, 'library.restore')).at(-1)?.items[0]?.id).toBe('d1');
    expect(await trashed(page)).toHaveLength(5);
  });

  it('takes back a move, a tag, a title, a new tag and a removed folder with its items and folders', async () => {
    const plan = libraryPlan();
    const items = [...someItems, someItem('u1', '', 1, { kind: 'dictation' })];
    const page = await openLibrary({ ...plan, answers: { ...plan.answers, ...listing(items) } });
    const one = row(page, 'Buxoro gilamlari');
    const items5 = [ref('t5')];
    await one.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to a folder' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Sud ishlari' }).press('Enter');
    await page.getByText('1 item moved to “Sud ishlari”').waitFor();
    await one.focus();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.move'))
      .toEqual([
        { items: items5, folderId: 'f2' },
        { items: items5, folderId: null },
      ]);
    await one.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Take off “Gilam”' }).press('Enter');
    await page.getByText('“Gilam” taken off 1 item').waitFor();
    await one.focus();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.tag'))
      .toEqual([
        { items: items5, tagId: 'g1', isOn: false },
        { items: items5, tagId: 'g1', isOn: true },
      ]);
    // What had no title has none again.
    await row(page, /^Dictation, /).focus();
    await page.keyboard.press('F2');
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('Ertalab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(async () => (await callsOf(page, 'library.rename')).map(({ title }) => title))
      .toEqual(['Ertalab', '']);
    await page.getByRole('button', { name: 'New tag…' }).click();
    await page.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill('Muhim');
    await page.keyboard.press('Enter');
    await page.getByText('Tag “Muhim” created').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(() => callsOf(page, 'library.removeTag')).toEqual([{ id: 'tag' }]);

    await page.getByRole('button', { name: 'Hunarmandlar' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Remove the folder/ }).press('Enter');
    await page.getByText('Folder “Hunarmandlar” removed').waitFor();
    await page.keyboard.press('Control+KeyZ');
    await expect
      .poll(() => callsOf(page, 'library.saveFolder'))
      .toEqual([{ id: 'f1', name: 'Hunarmandlar', parentId: null }]);
    await expect.poll(async () => (await callsOf(page, 'library.move')).at(-1)?.items.length).toBe(3);
    await expect.poll(() => callsOf(page, 'library.moveFolder')).toEqual([{ id: 'f3', parentId: 'folder' }]);
  });

  it('takes nothing back once a later step can’t be undone, and what main refuses is said', async () => {
    const page = await openLibrary();
    await row(page, 'Buxoro gilamlari').focus();
    await page.keyboard.press('Delete');
    await page.getByText('1 item moved to the trash').waitFor();
    await page.getByRole('button', { name: 'More for Gilam', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    await page.getByRole('dialog', { name: 'Rename the tag' }).getByRole('textbox').fill('Tekshirish kerak');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await callsOf(page, 'library.saveTag')).length).toBe(1);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(page, 'Chorsu bozori').focus();
    await page.keyboard.press('Control+KeyZ');
    // A step after it shows that the key was handled.
    await page.keyboard.press('Delete');
    await expect.poll(async () => (await trashed(page)).length).toBe(2);
    expect(await callsOf(page, 'library.restore')).toEqual([]);
    const failure = makeFailure('disk-full');
    await page.evaluate((given) => window.fakeStudio.setFailure('library.trash', given), failure);
    await row(page, 'Haftalik hisobot').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('alert').waitFor();
  });

  it('is offered as long as main said and no longer, is reached by F6, stays while it has the focus, and is used by Enter', async () => {
    const deleteOne = async () => {
      const page = await open({ plan: planStudio(), location: '/settings/privacy' });
      await page.clock.install();
      await page.getByRole('button', { name: 'Choose a transcript…' }).click();
      await page.getByRole('dialog').getByRole('option').first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      return { page, undo };
    };
    const left = await deleteOne();
    await left.page.clock.fastForward(19_000);
    await expect.poll(() => left.undo.count()).toBe(1);
    await left.page.clock.fastForward(1_500);
    await left.undo.waitFor({ state: 'detached' });
    const { page, undo } = await deleteOne();
    await page.keyboard.press('F6');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Undo');
    await page.clock.fastForward(40_000);
    await expect.poll(() => undo.count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText(/is back/).waitFor();
    await expect.poll(() => callsOf(page, 'transcripts.restore')).toHaveLength(1);
  });
});

describe('by keyboard alone', () => {
  it('an import asks for a language that its words do not reveal, tells what it changed until it is closed, and repeats on request', async () => {
    const [changed] = changedByImport.imported;
    const imported = [
      changed!,
      { transcriptId: 'n2', name: 'short.srt', language: 'uz' as const, isLanguageOpen: true },
      { transcriptId: 'n3', name: 'told.srt', language: 'ru' as const, isLanguageOpen: false },
    ];
    const repeated = [{ name: 'subs.srt', token: 'token-of-a-file-0001' }];
    const page = await openLibrary(libraryPlan({ 'transcripts.import': { imported, refused: [], repeated } }));
    await openMenu(page, 'Import transcripts…');
    const dialog = page.getByRole('dialog', { name: 'Language of the text' });
    await dialog.waitFor();
    expect(await dialog.getByRole('combobox').count()).toBe(2);
    await dialog.getByRole('combobox', { name: 'short.srt' }).selectOption('en');
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await expect
      .poll(() => callsOf(page, 'transcripts.setLanguage'))
      .toEqual([{ languages: ['t1', 'n2'].map((id) => ({ id, language: 'en' })) }]);
    const report = page.getByRole('dialog', { name: 'Some parts were changed on import' });
    await report.getByText('faulty.vtt: 30 captions were changed. 1 caption was left out.').waitFor();
    await report.getByText('Line 9').waitFor();
    await report.getByText(/^Lines 40, 41, .* 59 and 6 more$/u).waitFor();
    await report.getByText('Caption 3 (line 13) 00:08.000–00:12.500 → 00:08.000–00:12.400').waitFor();
    await report.getByRole('button', { name: 'Done' }).press('Enter');
    await report.waitFor({ state: 'detached' });
    await page.getByText('subs.srt was imported before.').waitFor();
    await page.getByRole('button', { name: 'Add again' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'transcripts.import')).at(-1))
      .toEqual({ tokens: ['token-of-a-file-0001'], addsRepeats: true });
  });
});

describe('the preview', () => {
  it('offers no player for a text without a recording but to attach one, and plays nothing whose row was left', async () => {
    const audio = { mediaUrl: '/media/none', failure: null };
    const plan = libraryPlan();
    const page = await openLibrary({
      ...plan,
      waits: ['library.audio'],
      answers: { ...plan.answers, 'library.audio': audio },
      failures: { 'transcripts.locateMedia': makeFailure('not-a-recording', { code: 'no_sound' }) },
    });
    await page.evaluate(() => {
      HTMLMediaElement.prototype.play = async () => void Object.assign(window, { isPlayed: true });
    });
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await row(page, 'Buxoro gilamlari').click();
    await preview.getByText('Assalomu alaykum!').waitFor();
    expect((await callsOf(page, 'library.read')).at(-1)).toEqual({ item: ref('t5'), fromMs: 0 });
    await page.getByRole('button', { name: /^Play from/ }).click();
    await row(page, 'Chorsu bozori').click();
    await preview.getByText('Chorsu bozori').first().waitFor();
    await page.evaluate(() => window.fakeStudio.letGo('library.audio'));
    await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)));
    expect(await page.evaluate(() => 'isPlayed' in window)).toBe(false);

    await row(page, 'Interview with a ceramicist').click();
    await preview.getByText('No recording came with this text.').waitFor();
    expect(await preview.getByRole('button', { name: /^Play/ }).count()).toBe(0);
    await preview.getByRole('button', { name: 'Attach the recording…' }).press('Enter');
    await expect.poll(() => callsOf(page, 'transcripts.locateMedia')).toEqual([{ transcriptId: 't3', token: null }]);
    await page.getByRole('alert').waitFor();
  });
});
