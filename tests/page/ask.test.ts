import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { askAnswers } from './ask-states.ts';
import { someFolders, someItems } from './library-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const isOpen = /^Xumdon kechqurun yoqiladi/u;

describe('a conversation', () => {
  it('is still open after a visit to another screen, until a new question is started', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/talk' });
    await page.getByText(isOpen).waitFor();
    await page.getByRole('link', { name: 'Transcribe' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByText(isOpen).waitFor();
    // What is typed belongs to its conversation.
    const field = page.getByRole('textbox', { name: 'Question' });
    await field.fill('Yana nima?');
    await page.getByRole('button', { name: 'New question' }).click();
    await page.getByText('Ask the first question').waitFor();
    expect(await field.inputValue()).toBe('');
    // The recordings stay selected; a new question rarely has another one.
    await page.getByRole('button', { name: 'Remove Interview, Bukhara' }).waitFor();
    await page.getByRole('link', { name: 'Transcribe' }).click();
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByText('Ask the first question').waitFor();
    await page.context().close();
  });

  it('is moved to the trash of the library, and Undo restores it', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/talk' });
    const items = [{ kind: 'conversation', id: 'talk' }];
    await page.getByText(isOpen).waitFor();
    await page.getByRole('button', { name: 'Past questions' }).click();
    await page.getByRole('menuitemradio', { name: 'Move this conversation to the trash' }).click();
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items }]);
    await page.getByText(isOpen).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([{ items }]);
    await page.getByText(isOpen).waitFor();
    await page.context().close();
  });

  it('opens at the question that was found, and about several transcripts at once', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/talk/0' });
    const thread = page.getByRole('log');
    const first = thread.getByRole('article').first();
    await first.waitFor();
    // The question is at the upper edge; the last one would be further down than the padding of the list.
    await expect.poll(() => thread.evaluate((element) => element.scrollTop)).toBeLessThanOrEqual(20);
    await page.evaluate(() => {
      window.location.hash = '#/ask/about/transcript-0,transcript-1';
    });
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2);
    await page.context().close();
  });
});

describe('a question', () => {
  it('that is ready-made has its price under it before it is pressed, because a press sends it', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/about/transcript-0' });
    const main = page.getByRole('main');
    await main.getByText('at most 9.9 credits', { exact: true }).nth(2).waitFor();
    for (const name of ['Summary', 'Minutes with decisions', 'Suggest titles'])
      expect(await main.getByRole('button', { name, description: 'at most 9.9 credits' }).count()).toBe(1);
    await page.context().close();
  });

  it.each([
    ['1', 'не больше 1 кредита'],
    ['2', 'не больше 2 кредитов'],
    ['21', 'не больше 21 кредита'],
    ['10.02', 'не больше 10,1 кредита'],
  ])('names a price of %s in Russian as people say it', async (credits, said) => {
    const plan = planStudio({
      settings: { interfaceLanguage: 'ru' },
      answers: { ...askAnswers, 'ask.estimate': { tokens: 1240, credits, usual: null, lines: 0, requests: 1 } },
    });
    const page = await served.open({ plan, location: '/ask/about/transcript-0' });
    await page.getByRole('main').getByText(said, { exact: true }).first().waitFor();
    await page.context().close();
  });

  it('is about everything in a folder and the folders below it', async () => {
    const item = (id: string, folderId: string | null) => ({
      ...someItems[0]!,
      kind: 'transcript' as const,
      id,
      folderId,
      trashedAtMs: null,
    });
    const items = [item('transcript-0', 'f1'), item('transcript-1', 'f3'), item('transcript-2', 'f2')];
    const answers = { ...askAnswers, 'library.list': { items, folders: someFolders, tags: [] } };
    const page = await served.open({ plan: planStudio({ answers }), location: '/ask' });
    await page.getByRole('button', { name: 'Add transcript' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Folder').selectOption({ label: 'Hunarmandlar' });
    await dialog.getByRole('button', { name: 'Select all (2)' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2);
    await page.context().close();
  });

  it('needs something to be about; several transcripts are chosen in one go', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask' });
    await page.getByRole('textbox', { name: 'Question' }).fill('Qachon?');
    await page.getByText('Add a transcript or a file first.').waitFor();
    const send = page.getByRole('button', { name: 'Ask', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Add transcript' }).first().click();
    const options = page.getByRole('dialog').getByRole('option');
    await options.first().click();
    await options.nth(1).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(2);
    await expect.poll(() => send.isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Add transcript' }).first().click();
    await options.first().waitFor();
    const count = await options.count();
    expect(count).toBeGreaterThan(2);
    await page.getByRole('button', { name: `Select all (${String(count)})` }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(count);
    await page.context().close();
  });

  it('whose key was refused is told once, with the way to the keys', async () => {
    const failure = makeFailure('E-032', { status: 401 });
    const talk = askAnswers?.['ask.open'] as { readonly exchanges: readonly object[] };
    const refused = { ...talk.exchanges[0], answer: '', state: 'failed', failure };
    const plan = planStudio({
      answers: { ...askAnswers, 'ask.open': { ...talk, exchanges: [refused] } as never },
      failures: { 'ask.estimate': failure },
    });
    const page = await served.open({ plan, location: '/ask/talk' });
    await page.getByRole('button', { name: 'Connection settings' }).waitFor();
    await page.getByRole('textbox', { name: 'Question' }).fill('Qachon?');
    await expect.poll(async () => (await callsOf(page, 'ask.estimate')).length).toBeGreaterThan(0);
    expect(await page.getByText('API key not accepted').count()).toBe(1);
    await page.getByRole('button', { name: 'Connection settings' }).click();
    await page.waitForFunction(() => window.location.hash === '#/settings/connection');
    await page.context().close();
  });

  it('has an answer whose lines are copied, heard and opened from the context menu', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/talk' });
    const line = page.getByText('Печь топим вечером.');
    await line.click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions on the answer' });
    await menu.getByRole('menuitem', { name: 'Copy the segment' }).waitFor();
    await menu.getByRole('menuitem', { name: /^Open at/ }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/transcript-0/61000');
    await page.context().close();
  });
});

describe('an answer', () => {
  it('is copied with the recording and the time instead of the marks of the model', async () => {
    const page = await served.open({ plan: planStudio({ answers: askAnswers }), location: '/ask/talk' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the answer' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'yoqiladi (Interview, Bukhara, 01:01).\n- Ertasi kuni ochiladi (Interview, Bukhara, 02:02)',
    );
    await page.context().close();
  });

  it('names the recording beside each time where there are several', async () => {
    const talk = askAnswers?.['ask.open'] as { readonly exchanges: readonly object[] };
    const many = { ...talk, transcriptIds: ['transcript-0', 'transcript-1'] };
    const page = await served.open({
      plan: planStudio({ answers: { ...askAnswers, 'ask.open': many as never } }),
      location: '/ask/talk',
    });
    await page.getByRole('button', { name: 'Hear Interview, Bukhara 01:01' }).waitFor();
    await page.context().close();
  });
});

describe('models', () => {
  it('that could not be loaded are loaded again automatically, and until then it says why nothing can be asked', async () => {
    const plan = planStudio({ answers: askAnswers, failures: { 'ask.models': makeFailure('E-003') } });
    const page = await served.open({ plan, location: '/ask/about/transcript-0' });
    await page.getByText('Questions can be asked once the models are loaded.').waitFor();
    await page.getByRole('textbox', { name: 'Question' }).fill('Qachon?');
    expect(await page.getByRole('button', { name: 'Ask', exact: true }).isDisabled()).toBe(true);
    await page.evaluate(() => window.fakeStudio.setFailure('ask.models', null));
    await page.getByRole('button', { name: 'Model: Large' }).waitFor({ timeout: 10_000 });
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.context().close();
  });

  it('are requested in practice mode though the practice service was still starting when the page last asked', async () => {
    const plan = planStudio({
      settings: { mode: 'practice' },
      connection: { practice: 'starting' },
      answers: askAnswers,
    });
    const page = await served.open({ plan, location: '/ask' });
    await page.getByRole('button', { name: 'Model: Large' }).waitFor();
    await page.getByText('free in practice mode').waitFor();
    await page.context().close();
  });
});

describe('files that are refused', () => {
  it('are each told with the reason of their own', async () => {
    const refused = [
      { name: 'notes.docx', failure: makeFailure('E-078') },
      { name: 'empty.png', failure: makeFailure('E-079') },
      { name: 'old.doc', failure: makeFailure('E-078') },
    ];
    const answers = { ...askAnswers, 'ask.attach': { files: [], refused } };
    const page = await served.open({ plan: planStudio({ answers }), location: '/ask' });
    await page.getByRole('button', { name: 'Attach files' }).click();
    const notice = page.getByText('notes.docx and old.doc was not attached. Only PNG');
    await notice.waitFor();
    expect(await notice.textContent()).toContain('empty.png was not attached. This attachment can’t be used');
  });
});
