import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { textAfterTitle } from '../../shared/domain/failures/text-after-title.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { someSpeech } from '../support/some-speech.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { toneWav } from '../support/wav-files.ts';
import { focusedName, pagesOfFile, tabTo } from './page-rig.ts';

const { open } = pagesOfFile();

const speech = someSpeech();
const opened = speech['speak.open'].document;
const openSpeak = (answers: StudioPlan['answers'] = {}, settings: Partial<StudioPlan['app']['settings']> = {}) =>
  open({ plan: planStudio({ settings, answers: { ...someSpeech(), ...answers } }), location: '/speak' });
const whole = { speakView: 'text' } as const;
const more = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name }).press('Enter');
};
const sentence = (page: Page, number: number) => page.getByRole('textbox', { name: `Sentence ${String(number)}` });
const details = async (page: Page) => {
  await page.getByRole('button', { name: 'Sentence actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Voice, reading and takes…' }).press('Enter');
};
const field = (page: Page) => page.getByRole('textbox', { name: 'Text to speak' });
const player = (page: Page) => page.getByRole('region', { name: 'Play', exact: true });
const savedText = async (page: Page) => (await callsOf(page, 'speak.save')).at(-1)?.document.text ?? '';
const playTone = (page: Page) =>
  page.route('**/media/**', (route) => route.fulfill({ contentType: 'audio/wav', body: toneWav(440, 20, 24_000) }));
/** What is marked in the text. */
const chosen = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('ovoz-speak-chosen') ?? [])].map((range) => (range as Range).toString()));
/** What was ordered from the service, which is paid. */
const orders = (page: Page) =>
  page.evaluate(() =>
    window.fakeStudio.calls
      .filter(({ method }) => method === 'speak.generate')
      .map(({ input }) => (input as { readonly orders: readonly unknown[] }).orders.length),
  );

it('the button that spends says what it costs, in credits once they are known', async () => {
  const page = await openSpeak({ 'usage.speechRate': { credits: '2500' } });
  await page.getByRole('button', { name: /^Speak 3 sentences · about [\d,.]+ credits$/u }).waitFor();
  const unknown = await openSpeak();
  await unknown.getByRole('button', { name: /^Speak 3 sentences · \d+ characters$/u }).waitFor();
  const imported = { name: 'a.txt', text: 'Kitob 5 ta. Kitob 5 ta.', cues: null };
  const dialogPage = await openSpeak({ 'speak.importText': { imported } });
  await emitEvent(dialogPage, 'command.invoked', { command: 'speak.import' });
  // A number is charged as the words that it is read as, and a repeated sentence once.
  await dialogPage.getByRole('dialog').getByText('14 characters', { exact: true }).waitFor();
});

it('Speak is used by keyboard alone: a text is written, spoken, edited by sentence and saved, and its words and history opened', async () => {
  const page = await openSpeak({}, whole);
  await field(page).waitFor();
  await tabTo(page, /^Text to speak$/u);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Yangi gap.');
  await expect.poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls))).toContain('Yangi gap.');
  // Lines are kept, also where the field divides them by elements.
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Birinchi.\n\nIkkinchi.\nUchinchi.');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => calls.at(-1)?.document.text ?? ''))
    .toMatch(/Yangi gap\.\nBirinchi\.\n\nIkkinchi\.\nUchinchi\.$/u);
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(async () => (await orders(page)).length).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });

  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  const third = await chosen(page);
  await page.keyboard.press('Alt+ArrowUp');
  const second = await chosen(page);
  expect(second).toEqual([opened.blocks[1]?.text]);
  expect(third).toEqual([opened.blocks[2]?.text]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => chosen(page)).toEqual([]);
  const before = await orders(page);
  // Listening sends nothing, whichever way: without audio there is a word, with it there is sound.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Space');
  await page.getByText('Sentence 11 has no audio yet', { exact: false }).waitFor();
  await playTone(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Space');
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.keyboard.press('Control+Space');
  await player(page).getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.keyboard.press('Control+Space');
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor();
  // After a change of the speed it goes on where it was, not where the cursor is in the text.
  await page.keyboard.press('Control+Space');
  await player(page).getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.keyboard.press('Control+End');
  await tabTo(page, /^Voice and speed/u);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Speed$/u);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Space');
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await tabTo(page, /^Text to speak$/u);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+h');
  await expect.poll(() => focusedName(page)).toBe('Find');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect(await orders(page)).toEqual(before);
  await page.keyboard.press('Escape');

  await tabTo(page, /^More$/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Show by sentences' }).press('Enter');
  await page.getByRole('list', { name: 'Sentences' }).waitFor();
  await tabTo(page, /^Sentence 1$/u);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Aziz mehmonlar.');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls.at(-1))))
    .toContain('Aziz mehmonlar.');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls.at(-1))))
    .not.toContain('Aziz mehmonlar.');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Sentence actions$/u);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Voice, reading and takes…' }).press('Enter');
  await page.getByRole('dialog').getByRole('slider', { name: 'Speed' }).waitFor();
  await page.keyboard.press('Escape');

  await tabTo(page, /^Save$/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, /^MP3$/u);
  await page.keyboard.press('ArrowRight');
  await tabTo(page, /^Save…$/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'speak.saveAudio')).toMatchObject([{ format: 'ogg', as: 'one' }]);
  await page.keyboard.press('Escape');

  await more(page, 'Pronunciation…');
  await tabTo(page, /^Add a word$/u);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Written$/u);
  await page.keyboard.type('adras');
  await page.keyboard.press('Tab');
  await page.keyboard.type('adrás');
  await expect
    .poll(() => callsOf(page, 'speak.savePronunciations').then((calls) => JSON.stringify(calls.at(-1))))
    .toContain('adrás');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focusedName(page)).toBe('More');

  await more(page, 'History');
  await tabTo(page, /^Audiogid, 3-zal ?4 sentences/u);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Sentences of “Audiogid, 3-zal”' }).waitFor();
  await tabTo(page, /^Save… Hurmatli/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'speak.saveAudio').then((calls) => calls.length)).toBe(2);
});

describe('money', () => {
  it('of 80 sentences of which some are spoken none is made by listening, also at another speed', async () => {
    const [first] = opened.blocks;
    const blocks = Array.from({ length: 80 }, (_, at) =>
      at === 0
        ? first!
        : { ...first!, id: `block-of-${String(at)}`, text: `Gap ${String(at)}.`, takeIds: [], takeId: null },
    );
    const document = { ...opened, text: blocks.map(({ text }) => text).join(' '), blocks };
    const page = await openSpeak({ 'speak.open': { ...speech['speak.open'], document } as never }, whole);
    await field(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+Space');
    await page.getByText('Sentence 80 has no audio yet', { exact: false }).waitFor();
    await tabTo(page, /^Voice and speed/u, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Speed$/u);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => callsOf(page, 'speak.save')).not.toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Space');
    expect(await orders(page)).toEqual([]);
  });

  it('is said before saving speaks what has no audio, and the length that is shown is that of the saved file', async () => {
    const page = await openSpeak();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^Speak 3 sentences first, \d+ characters$/u }).click();
    await expect.poll(() => orders(page)).toEqual([3]);
    await emitEvent(page, 'spend.asking', { isOpen: true });
    await player(page).getByText('Waiting for your answer. Nothing has been sent yet.').waitFor();
    await emitEvent(page, 'spend.asking', { isOpen: false });
    await player(page).getByText('Waiting for your answer').waitFor({ state: 'detached' });
    const [first] = opened.blocks;
    // A sentence with a time of its own begins then.
    const blocks = [{ ...first!, slot: { startMs: 10_000, endMs: 20_000 } }];
    const document = { ...opened, text: first!.text, blocks };
    const timed = await openSpeak({ 'speak.open': { ...speech['speak.open'], document } });
    await player(timed).getByText('0:00 / 0:13', { exact: true }).waitFor();
  });

  it('each kind of refusal is shown with its title, what was stored and a next step, and the text stays', async () => {
    const page = await openSpeak({}, whole);
    await field(page).waitFor();
    const text = await field(page).textContent();
    const failed = speech['speak.findTakes'].takes.find(({ state }) => state === 'failed');
    const english = (key: string): string =>
      String(key.split('.').reduce<unknown>((node, name) => Reflect.get(Object(node), name), catalogues.en));
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('Out of order at the service').waitFor();
    const kinds = ['key-refused', 'credits-exhausted', 'key-limit-reached', 'rate-limited', 'product-unavailable'];
    for (const kind of kinds as readonly Parameters<typeof makeFailure>[0][]) {
      const failure = makeFailure(kind);
      await emitEvent(page, 'speak.takeChanged', { take: { ...failed!, failure } });
      const { titleKey, textKey } = describeFailure(failure);
      const [title, body] = [english(titleKey), english(textKey)];
      await expect.poll(() => alert.textContent()).toContain(title);
      expect(await alert.textContent()).toContain(textAfterTitle(title, body, 'en'));
      expect(await alert.getByRole('button').count()).toBeGreaterThan(1);
      expect(await field(page).textContent()).toBe(text);
    }
  });
});

describe('words', () => {
  it('read otherwise are saved when they are filled in, and an import is undone only until they are changed or closed', async () => {
    const csv = 'written,spoken\nadras,adrás\n';
    const page = await openSpeak({ 'speak.readList': { file: { name: 'words.csv', csv } } }, { speakView: 'text' });
    await field(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Saytimiz example.uz manzilida. ');
    await expect.poll(() => savedText(page)).toContain('example.uz');
    await more(page, 'Show by sentences');
    await sentence(page, 1).click();
    const ask = page.getByRole('button', { name: 'How to read “example.uz”…' });
    const saved = async () => (await callsOf(page, 'speak.savePronunciations')).at(-1)?.pronunciations.uz;
    const dialog = page.getByRole('dialog');
    await details(page);
    await ask.click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await callsOf(page, 'speak.savePronunciations')).toEqual([]);
    await details(page);
    await ask.click();
    await dialog.getByRole('textbox', { name: 'Read “example.uz” as' }).pressSequentially('egzampl');
    await expect.poll(saved).toMatchObject([{ written: 'example.uz', spoken: 'egzampl' }]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    const undo = dialog.getByRole('button', { name: 'Undo' });
    await more(page, 'Pronunciation…');
    await dialog.getByRole('button', { name: 'Import CSV…' }).click();
    await undo.waitFor();
    await dialog.getByRole('textbox', { name: 'Written' }).first().fill('atlas');
    await undo.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Import CSV…' }).click();
    await undo.waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await more(page, 'Pronunciation…');
    await dialog.waitFor();
    expect(await undo.count()).toBe(0);
  });

  it('are found and replaced at once, a pause is put where the cursor stands, and a name is read otherwise in its place', async () => {
    const page = await openSpeak();
    await sentence(page, 3).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('anor');
    await page.getByText('1 of 2').waitFor();
    const found = () =>
      page.evaluate(() =>
        ['ovoz-speak-current', 'ovoz-speak-found'].map((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
      );
    await expect.poll(found).toEqual([['anor'], ['anor']]);
    await page.getByRole('textbox', { name: 'Replace with' }).fill('olma');
    await page.getByRole('button', { name: /all/iu }).click();
    await expect.poll(() => savedText(page)).toContain('Naqshdagi olma');
    expect(await savedText(page)).toContain('ildizi, olma');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await expect.poll(() => savedText(page)).toContain('ildizi, anor');
    expect(await savedText(page)).not.toContain('olma');

    await sentence(page, 7).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Insert a pause' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: '2 s' }).press('Enter');
    await expect.poll(() => savedText(page)).toContain('Keyingi [pause 2s] zalga');
    await page.getByText('2 s pause').waitFor();
    await page.getByRole('button', { name: /^Speak \d+ sentences/u }).click();
    const sent = () =>
      page.evaluate(() => JSON.stringify(window.fakeStudio.calls.filter(({ method }) => method === 'speak.generate')));
    await expect.poll(sent).toContain('zalga');
    expect(await sent()).not.toContain('pause');

    await sentence(page, 3).dblclick({ position: { x: 20, y: 12 } });
    await page.getByRole('button', { name: 'Read as…' }).click();
    const word = page.getByRole('textbox', { name: /^Read “/u });
    expect(await word.inputValue()).toBe('Oldingizdagi');
    await word.fill('oldingizdagi-da');
    await word.press('Enter');
    await expect
      .poll(async () => (await callsOf(page, 'speak.savePronunciations')).at(-1)?.pronunciations.uz)
      .toEqual([{ written: 'Oldingizdagi', spoken: 'oldingizdagi-da', matchCase: false }]);
  });

  it('Play from here begins at the sentence one is in', async () => {
    const page = await openSpeak();
    await playTone(page);
    await sentence(page, 3).click();
    await page.keyboard.press('Control+Enter');
    await player(page).getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await expect.poll(() => page.locator('[class*="heard"]').textContent()).toContain('Oldingizdagi');
    expect(await orders(page)).toEqual([]);
  });
});

it('a click anywhere on an empty page puts the cursor in the text', async () => {
  const document = { ...opened, text: '', blocks: [] };
  const page = await openSpeak({ 'speak.open': { ...speech['speak.open'], document } });
  await field(page).waitFor();
  const box = await page.locator('[data-spoken-scroller]').boundingBox();
  if (box === null) throw new Error('no page');
  await page.mouse.click(box.x + box.width - 40, box.y + box.height - 40);
  await page.keyboard.type('Salom.');
  await expect.poll(() => savedText(page)).toBe('Salom.');
});

it('an apostrophe typed into Uzbek text is that of its letter, until one undo takes that back; other languages keep it', async () => {
  const page = await openSpeak({}, whole);
  await field(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(" Bo'yoq a'lo, go'");
  await expect.poll(() => field(page).textContent()).toMatch(/ Boʻyoq aʼlo, goʻ$/u);
  await page.keyboard.press('Control+z');
  await expect.poll(() => field(page).textContent()).toMatch(/ Boʻyoq aʼlo, go'$/u);
  await page.keyboard.type('z');
  await expect.poll(() => savedText(page)).toMatch(/ Boʻyoq aʼlo, go'z$/u);

  const list = await openSpeak();
  await sentence(list, 1).click();
  await list.keyboard.press('End');
  await list.keyboard.type("g'oz");
  await expect.poll(() => sentence(list, 1).textContent()).toMatch(/gʻoz$/u);

  const { document: shown } = speech['speak.open'];
  const english = { ...shown, defaults: { ...shown.defaults, language: 'en' as const } };
  const other = await openSpeak({ 'speak.open': { ...speech['speak.open'], document: english } }, whole);
  await field(other).click();
  await other.keyboard.press('Control+End');
  await other.keyboard.type(" I don't");
  await expect.poll(() => savedText(other)).toMatch(/ I don't$/u);
});
