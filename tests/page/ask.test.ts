import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { toneWav } from '../support/wav-files.ts';
import { askAnswers } from './ask-states.ts';
import { someFolders, someItem } from './library-states.ts';
import { pagesOfFile, waitForPlace } from './page-rig.ts';
import { noKey } from './screens.ts';

const { open } = pagesOfFile();

const openAsk = (location: string, answers: StudioPlan['answers'] = {}) =>
  open({ plan: planStudio({ answers: { ...askAnswers, ...answers } }), location });
const removable = (page: Page) => page.getByRole('button', { name: /^Remove / });
const question = (page: Page) => page.getByRole('textbox', { name: 'Question' });
const add = async (page: Page, name: string, inside?: string) => {
  await page
    .getByRole('button', { name: /^(?:Add|Choose recordings)$/u })
    .first()
    .click();
  if (inside === undefined) return page.getByRole('menuitem', { name }).click();
  await page.getByRole('menuitem', { name }).press('ArrowRight');
  return page.getByRole('menuitem', { name: inside }).press('Enter');
};
const send = (page: Page) => page.getByRole('button', { name: 'Ask', exact: true });

describe('a conversation', () => {
  it('is still open after a visit to another screen, until a new question is started, which keeps the recordings', async () => {
    const page = await openAsk('/ask/talk');
    const shown = page.getByText(/^Xumdon kechqurun yoqiladi/u);
    await shown.waitFor();
    await page.getByRole('link', { name: 'Transcribe' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Ask' }).click();
    await shown.waitFor();
    // What is typed belongs to its conversation.
    await question(page).fill('Yana nima?');
    await page.getByRole('button', { name: 'New question' }).click();
    await page.getByText('Ask the first question').waitFor();
    expect(await question(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Remove Interview, Bukhara' }).waitFor();
  });

  it('is moved to the trash and restored by Undo; its answers are copied with recordings and times and opened at a line', async () => {
    const page = await openAsk('/ask/talk');
    const items = [{ kind: 'conversation', id: 'talk' }];
    const shown = page.getByText(/^Xumdon kechqurun yoqiladi/u);
    await shown.waitFor();
    await page.getByRole('button', { name: 'Past questions' }).click();
    await page.getByRole('menuitemradio', { name: 'Move this conversation to the trash' }).click();
    await expect.poll(() => callsOf(page, 'library.trash')).toEqual([{ items }]);
    await shown.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'library.restore')).toEqual([{ items }]);
    await shown.waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the answer' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'yoqiladi (Interview, Bukhara, 01:01).\n- Ertasi kuni ochiladi (Interview, Bukhara, 02:02)',
    );
    // The chosen citation is quoted under its answer, to be heard.
    await page.getByRole('button', { name: 'Hear Interview, Bukhara 01:01' }).first().click();
    const quote = page.getByRole('figure', { name: 'Quote' });
    await quote.getByText('Xumdonni kechqurun yoqamiz.').waitFor();
    await quote.getByText('Interview, Bukhara, 01:01').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByRole('menuitem', { name: 'Word document…' }).click();
    await expect
      .poll(() => callsOf(page, 'exports.saveText'))
      .toMatchObject([{ format: 'docx', text: expect.stringContaining('(Interview, Bukhara, 01:01)') as string }]);
    await page.getByText('Печь топим вечером.').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions on the answer' });
    await menu.getByRole('menuitem', { name: 'Copy the segment' }).waitFor();
    await menu.getByRole('menuitem', { name: /^Open at/ }).click();
    await waitForPlace(page, '#/transcripts/transcript-0/61000');
  });
});

it('of two quick presses on citations the later is heard, even if the recording of the first comes after it', async () => {
  const { exchanges, cited, ...talk } = askAnswers['ask.open'];
  const inTwo = <C extends { mark: string; transcriptId: string }>(all: readonly C[]) =>
    all.map((one) => (one.mark === 's3' ? { ...one, transcriptId: 'transcript-1' } : one));
  const [first] = exchanges.map((one) => ({ ...one, citations: inTwo(one.citations) }));
  const page = await openAsk('/ask/talk', {
    'ask.open': { ...talk, exchanges: first ? [first] : [], cited: inTwo(cited) },
    'library.audio': { mediaUrl: '/media/one', failure: null },
  });
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'audio/wav', body: toneWav(440, 70, 8000) }));
  await page.evaluate(() => {
    const played: string[] = [];
    HTMLMediaElement.prototype.play = async function play() {
      played.push(new URL(this.src).pathname);
    };
    Object.assign(window, { played });
  });
  const played = () => page.evaluate(() => (window as unknown as { played: readonly string[] }).played);
  const one = page.getByRole('button', { name: 'Hear Interview, Bukhara 01:01' }).first();
  await one.click();
  await expect.poll(played).toEqual(['/media/one']);
  await page.evaluate(() => {
    window.fakeStudio.hold('library.audio');
    window.fakeStudio.setAnswer('library.audio', { mediaUrl: '/media/other', failure: null });
  });
  await page.getByRole('button', { name: 'Hear Ustaxonada suhbat 02:02' }).first().click();
  await expect.poll(async () => (await callsOf(page, 'library.audio')).length).toBe(2);
  await one.click();
  await expect.poll(played).toEqual(['/media/one', '/media/one']);
  await page.evaluate(() => window.fakeStudio.letGo('library.audio'));
  await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)));
  expect(await played()).toEqual(['/media/one', '/media/one']);
});

describe('a question', () => {
  it('has what it probably costs beside it, once and in credits, and a ready one in its menu, as people say it', async () => {
    const page = await openAsk('/ask/about/transcript-0');
    const main = page.getByRole('main');
    await main.getByText('about 0.52 credits', { exact: true }).waitFor();
    expect(await main.getByText(/token|¢|million/u).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Ready questions' }).press('ArrowRight');
    for (const name of ['Summary', 'Minutes with decisions', 'Suggest titles'])
      await page.getByRole('menuitem', { name }).getByText('about 0.52 credits').waitFor();
    const estimate = { tokens: 1240, credits: '21', usual: null, lines: 0, requests: 1 };
    const russian = await open({
      plan: planStudio({
        settings: { interfaceLanguage: 'ru' },
        answers: { ...askAnswers, 'ask.estimate': estimate },
      }),
      location: '/ask/about/transcript-0',
    });
    await russian.getByRole('main').getByText('не больше 21 кредита', { exact: true }).waitFor();
    const practice = await open({
      plan: planStudio({ settings: { mode: 'practice' }, connection: { practice: 'starting' }, answers: askAnswers }),
      location: '/ask',
    });
    await practice.getByText('free in practice mode').waitFor();
  });

  it('has a price that does not move with each word: it is that of a question from the start, with room for more', async () => {
    const page = await openAsk('/ask/about/transcript-0');
    const priced = async () => [
      ...new Set((await callsOf(page, 'ask.estimate')).map((one) => `${one.task} ${String(one.question.length)}`)),
    ];
    await expect.poll(priced).toEqual(['question 500']);
    await question(page).fill('Qachon? '.repeat(100));
    await expect.poll(priced).toEqual(['question 500', 'question 1000']);
  });

  it('asked once more has its price on the button; without a key only that is said', async () => {
    const page = await openAsk('/ask/talk');
    await page.getByRole('button', { name: 'Ask again · about 0.6 credits' }).first().waitFor();
    const locked = await open({
      plan: planStudio({ connection: { key: noKey }, answers: askAnswers }),
      location: '/ask',
    });
    await locked.getByText('Add a key in Settings to ask questions.').waitFor();
    await question(locked).fill('Qachon?');
    expect(await locked.getByText(/once the models are loaded|Add something to ask about/u).count()).toBe(0);
  });

  it('needs something to be about: recordings one by one, all that a search found, or a folder, which stays one', async () => {
    const page = await openAsk('/ask');
    await question(page).fill('Qachon?');
    await page.getByText('Add something to ask about first.').waitFor();
    expect(await send(page).isDisabled()).toBe(true);
    const options = page.getByRole('dialog').getByRole('option');
    await add(page, 'Choose from the library…');
    await options.first().click();
    await options.nth(1).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => removable(page).count()).toBe(2);
    await expect.poll(() => send(page).isDisabled()).toBe(false);
    await add(page, 'Choose from the library…');
    await page.getByRole('dialog').getByRole('combobox').fill('ustaxonada');
    await page.getByRole('button', { name: 'Select all (1)' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Remove “ustaxonada”' }).waitFor();

    const items = ['f1', 'f3', 'f2'].map((folderId, at) =>
      someItem(`transcript-${String(at)}`, 'Suhbat', 1, { folderId }),
    );
    const said = someItem('take-1', 'Aytilgan gap', 1, { folderId: 'f1', kind: 'dictation' });
    const other = await openAsk('/ask', {
      'library.list': { items: [...items, said], folders: someFolders, tags: [] },
    });
    await add(other, 'Folder', 'Hunarmandlar');
    await other.getByText('3 recordings', { exact: true }).waitFor();
    expect(await removable(other).count()).toBe(1);
    await question(other).fill('Qachon?');
    const transcriptIds = ['transcript-0', 'transcript-1', 'take-1'];
    await expect.poll(async () => (await callsOf(other, 'ask.estimate')).at(-1)).toMatchObject({ transcriptIds });
    const sources = [{ kind: 'folder', id: 'f1' }] as const;
    await send(other).click();
    await expect
      .poll(() =>
        other.evaluate(() => window.fakeStudio.calls.findLast(({ method }) => method === 'ask.answer')?.input),
      )
      .toMatchObject({ transcriptIds, sources });
    // It is one after a restart too.
    const later = await openAsk('/ask/talk', {
      'library.list': { items: [...items, said], folders: someFolders, tags: [] },
      'ask.open': { ...askAnswers['ask.open'], transcriptIds: ['transcript-0'], sources },
    });
    await later.getByText('3 recordings', { exact: true }).waitFor();
    expect(await removable(later).count()).toBe(1);
  });

  it('that can reach nobody stays, which is said for as long as it is so; models are loaded again automatically', async () => {
    const plan = planStudio({ answers: askAnswers, failures: { 'ask.models': makeFailure('service-unreachable') } });
    const page = await open({ plan, location: '/ask/about/transcript-0' });
    const notice = page.getByRole('alert').filter({ hasText: 'Service not reachable' });
    await notice.getByText('Your question stays here; ask it again when the service answers.').waitFor();
    await page.getByText('Questions can be asked once the models are loaded.').waitFor();
    await question(page).fill('Qachon?');
    expect(await send(page).isDisabled()).toBe(true);
    await page.evaluate(() => window.fakeStudio.setFailure('ask.models', null));
    await notice.waitFor({ state: 'detached' });
    expect(await question(page).inputValue()).toBe('Qachon?');
    await expect.poll(() => send(page).isDisabled()).toBe(false);
  });
});

it('an apostrophe typed into an Uzbek question is that of its letter, and no other question is changed', async () => {
  const page = await openAsk('/ask/talk');
  await question(page).click();
  await page.keyboard.type("Bu qanday bo'lgan, yo'");
  await expect.poll(() => question(page).inputValue()).toBe('Bu qanday boʻlgan, yoʻ');
  await page.keyboard.press('Control+z');
  await expect.poll(() => question(page).inputValue()).toBe("Bu qanday boʻlgan, yo'");
  await page.keyboard.type('x');
  expect(await question(page).inputValue()).toBe("Bu qanday boʻlgan, yo'x");
  await question(page).fill('');
  await page.keyboard.type("What is the plan, and don't they");
  await expect.poll(() => question(page).inputValue()).toBe("What is the plan, and don't they");
});
