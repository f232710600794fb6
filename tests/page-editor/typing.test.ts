import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { TranscriptDetail } from '../../renderer/bridge/types.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import type { Transcript, Word } from '../../shared/domain/transcript/transcript.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { caretOf, goTo, highlighted, onDisk, pressKeys, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first, second] = transcript.segments;
if (first === undefined || second === undefined) throw new Error('no segments');
const textsOf = ({ segments }: Transcript) => segments.map(({ text }) => text);

test('typed text is saved soon, keeps other times, and is undone by key and menu, never behind a dialog', async () => {
  const { page, texts } = await rig.openText(transcript);
  const host = texts.first();
  const appUndo = async () => {
    await page.keyboard.press('F10');
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    return page.getByRole('menuitem', { name: /^Undo/u });
  };
  await host.click();
  expect(await (await appUndo()).getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').first().waitFor({ state: 'detached' });
  await host.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana bir soʻz');
  const typed = `${first.text} yana bir soʻz`;
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(typed);
  const saved = await onDisk(page, transcript);
  expect(saved.segments[0]?.words.slice(0, first.words.length)).toEqual(first.words);
  expect(findViolations(saved)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(first.text);
  expect((await caretOf(page))[0]).toBe(first.id);
  await page.keyboard.press('Control+y');
  await expect.poll(() => host.textContent()).toBe(typed);

  const dialog = page.getByRole('dialog', { name: 'Export' });
  await page.keyboard.press('Control+KeyE');
  await dialog.waitFor();
  await pressKeys(page, 'Control+KeyZ', 'Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await host.textContent()).toBe(typed);
  await (await appUndo()).click();
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
});

test('a composition is one step, pasted text is plain, typing over segments keeps other times', async () => {
  const { page, texts } = await rig.openText(transcript);
  expect(await texts.first().evaluate((host: HTMLElement) => [host.spellcheck, host.lang])).toEqual([false, 'uz']);
  await texts.first().click();
  await page.keyboard.press('End');
  const session = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  for (const part of [' s', ' so', ' soʻ', ' soʻz']) await compose(part);
  await expect.poll(() => texts.first().textContent()).toBe(`${first.text} soʻz`);
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  await session.send('Input.insertText', { text: ' soʻzlar' });
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(`${first.text} soʻzlar`);
  expect((await onDisk(page, transcript)).segments[0]?.words.slice(0, -1)).toEqual(first.words);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);

  await page.evaluate(async () => {
    const blob = (type: string, text: string) => new Blob([text], { type });
    const html = blob('text/html', '<b>qalin</b> <i>yotiq</i>');
    await navigator.clipboard.write([
      new ClipboardItem({ 'text/html': html, 'text/plain': blob('text/plain', 'qalin  yotiq') }),
    ]);
  });
  await page.keyboard.press('Control+Home');
  for (let at = 0; at <= (first.words[0]?.text.length ?? 0); at += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+v');
  await page.keyboard.type(' ');
  const [head, ...tail] = first.words;
  const pasted = [head?.text, 'qalin', 'yotiq', ...tail.map(({ text }) => text)].join(' ');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(pasted);
  expect(await texts.first().evaluate((host) => host.children.length)).toBe(0);
  const saved = await onDisk(page, transcript);
  expect(saved.segments[0]?.words.filter(({ isEstimated }) => isEstimated !== true)).toEqual(first.words);
  expect(findViolations(saved)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);

  const letter = (index: number, offset: number) =>
    texts.nth(index).evaluate((host, at) => {
      const range = document.createRange();
      const text = host.firstChild;
      if (text === null) throw new Error('no text');
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { left, top, height } = range.getBoundingClientRect();
      return { x: left + 1, y: top + height / 2 };
    }, offset);
  const cut = first.text.indexOf(' ') + 1;
  const end = second.text.indexOf(' ') + 1;
  const [from, to] = [await letter(0, cut), await letter(1, end)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y - 4, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 2 });
  await page.mouse.up();
  await page.keyboard.press('a');
  const isOne = first.speakerId === second.speakerId;
  const [left, right] = [`${first.text.slice(0, cut)}a`, second.text.slice(end)];
  await expect
    .poll(async () => textsOf(await onDisk(page, transcript)).slice(0, 2))
    .toEqual(isOne ? [`${left}${right}`, transcript.segments[2]?.text] : [left, right]);
  expect(findViolations(await onDisk(page, transcript))).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
});

const pasteInto = (host: Locator, text: string) =>
  host.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('apostrophes in Uzbek Latin become those of its letters, typed or pasted, and are undone alone', async () => {
  const { page, texts } = await rig.openText(transcript);
  const host = texts.first();
  const said = first.text;
  await host.click();
  await page.keyboard.press('End');
  await page.keyboard.type(" to'g`ri san’at 'u");
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(`${said} toʻgʻri sanʼat 'u`);
  await page.keyboard.type("' O'");
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' Oʻ`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'`);
  // What was taken back stays so, and typing goes on behind it.
  await page.keyboard.type('z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z`);
  // With more behind it, a letter is undone together with the words that it is typed in.
  await pressKeys(page, 'ArrowLeft', 'ArrowRight');
  await page.keyboard.type(" g'isht bo'yoq");
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z gʻisht boʻyoq`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z`);
  // A quote that closes a quotation stays a quote.
  await pasteInto(host, " O'zbekiston so'zi, 'salom' ma'no");
  await expect.poll(() => host.textContent()).toMatch(/ Oʻzbekiston soʻzi, 'salom' maʼno$/u);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z`);
  // Its text is one line, so that this reaches into the next segment.
  await pressKeys(page, 'Control+Home', 'Shift+ArrowDown');
  await pasteInto(page.locator(':focus'), "O'zbekiston so'zi");
  await expect.poll(async () => (await texts.allTextContents())[0]).toBe('Oʻzbekiston soʻzi');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => texts.allTextContents())
    .toEqual([`${said} toʻgʻri sanʼat 'u' O'z`, ...transcript.segments.slice(1).map(({ text }) => text)]);
});

/** Opens another text, as main has it. */
async function show(page: Page, detail: TranscriptDetail) {
  await page.evaluate((next) => window.fakeStudio.setAnswer('transcripts.open', next), detail);
  await goTo(page, `#/transcripts/${detail.id}`);
}

test('what could not be saved is kept with all other texts, and saved before the window closes', async () => {
  const { page } = await rig.open({
    detail: detailOf(transcript, null),
    failures: { 'transcripts.edit': makeFailure('settings-reset') },
  });
  const host = page.locator('[data-text]').first();
  const reopen = (id: string) => show(page, { ...detailOf(transcript, null), id });
  // Each of these texts has letters that could not be saved, the last one too.
  for (let text = 1; text <= 8; text += 1) {
    await reopen(`text-${String(text)}`);
    await expect.poll(() => host.textContent()).toBe(first.text);
    await host.click();
    await page.keyboard.press('End');
    await page.keyboard.type(` ${String(text)}`);
    await expect.poll(() => host.textContent()).toBe(`${first.text} ${String(text)}`);
  }
  for (const text of ['1', '8']) {
    await reopen(`text-${text}`);
    await expect.poll(() => host.textContent()).toBe(`${first.text} ${text}`);
  }
  await emitEvent(page, 'window.leaving', {});
  await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: false }]);
  await page.evaluate(() => window.fakeStudio.setFailure('transcripts.edit', null));
  await emitEvent(page, 'window.leaving', {});
  await expect.poll(() => callsOf(page, 'window.saved')).toEqual([{ isSaved: false }, { isSaved: true }]);
  const saved = (await callsOf(page, 'transcripts.edit')).slice(-8) as readonly { readonly transcriptId: string }[];
  expect(new Set(saved.map(({ transcriptId }) => transcriptId)).size).toBe(8);
});

test('a text can still be undone after many others were opened, and after its recording was attached', async () => {
  const { mediaUrl, mediaToken } = rig.detailOf(transcript);
  const without = detailOf(transcript, null, {
    mediaFailure: makeFailure('file-unreadable', { code: 'no_recording' }),
  });
  const { page } = await rig.open({
    detail: without,
    answers: {
      'transcripts.locateMedia': { mediaUrl, mediaToken, pictureUrl: null, recordingName: null, failure: null },
    },
  });
  const host = page.locator('[data-text]').first();
  await host.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana');
  await page.locator('[data-saving="saved"]').waitFor({ state: 'attached' });
  for (const id of ['t2', 't3', 't4', 't5', 't6', 't7', 't8', 't9', 't10', 't1']) {
    await show(page, { ...without, id, title: `Suhbat ${id}` });
    await page.getByRole('heading', { name: `Suhbat ${id}`, exact: true }).waitFor();
  }
  await expect.poll(() => host.textContent()).toBe(`${first.text} yana`);
  await page.getByRole('button', { name: 'Attach the recording' }).click();
  await waitForSound(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Undo/u }).click();
  await expect.poll(() => host.textContent()).toBe(first.text);
});

test('misspelt words are marked behind the caret; the menu mends or learns one', async () => {
  const lecture = sampleTranscript('lecture-ru');
  const [opening, ...others] = lecture.segments;
  if (opening === undefined) throw new Error('no segment');
  const words = opening.words.map((word) => (word.text === 'лекции' ? { ...word, text: 'лекцыи' } : word));
  const misspelt = { ...opening, text: opening.text.replace('лекции', 'лекцыи'), words };
  const written = { ...lecture, segments: [misspelt, ...others] };
  const { page } = await rig.open({ detail: detailOf(written, null) });
  const texts = page.locator('[data-text]');
  const marked = () => highlighted(page, 'misspelt');
  await expect.poll(marked).toEqual(['лекцыи']);
  await texts.nth(1).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Пажалуста');
  await expect.poll(async () => (await onDisk(page, written)).segments[1]?.text).toMatch(/Пажалуста$/u);
  expect(await marked()).toEqual(['лекцыи']);
  await page.keyboard.type(', ');
  await expect.poll(marked).toEqual(expect.arrayContaining(['Пажалуста', 'лекцыи']));
  // One line under a word: its estimated time is marked when its spelling is not.
  expect(await highlighted(page, 'estimated')).toEqual([]);

  const menuOf = async (segment: number, word: string) => {
    const { x, y } = await texts.nth(segment).evaluate((host, said) => {
      const range = document.createRange();
      const from = host.textContent.indexOf(said);
      if (host.firstChild === null) throw new Error('no text');
      range.setStart(host.firstChild, from);
      range.setEnd(host.firstChild, from + said.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }, word);
    await page.mouse.click(x, y, { button: 'right' });
  };
  await menuOf(0, 'лекцыи');
  await page.getByRole('menuitem', { name: /^Redact/u }).click();
  await expect.poll(marked).toEqual(['Пажалуста']);
  await menuOf(0, 'лекцыи');
  const showAgain = page.getByRole('menuitem', { name: /^Show again/u });
  await showAgain.waitFor();
  expect(await page.getByRole('menuitem', { name: 'Add to dictionary' }).count()).toBe(0);
  await showAgain.click();
  await menuOf(0, 'лекцыи');
  await page.getByRole('menuitem', { name: 'лекции', exact: true }).click();
  await expect.poll(() => texts.first().textContent()).toBe(opening.text);
  const timed = (said: readonly Word[] = []) => said.map(({ text, startMs, endMs }) => [text, startMs, endMs]);
  await expect.poll(async () => timed((await onDisk(page, written)).segments[0]?.words)).toEqual(timed(opening.words));
  await menuOf(1, 'Пажалуста');
  await page.getByRole('menuitem', { name: 'Add to dictionary' }).click();
  await expect.poll(marked).toEqual([]);
  expect(await callsOf(page, 'settings.update')).toContainEqual({ knownWords: ['Пажалуста'] });
  // Another word is added elsewhere: undoing takes only its own word back.
  const { settings } = planStudio({ settings: { knownWords: ['Пажалуста', 'адрас'] } }).app;
  await emitEvent(page, 'settings.changed', settings);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(marked).toEqual(['Пажалуста']);
  expect((await callsOf(page, 'settings.update')).at(-1)).toEqual({ knownWords: ['адрас'] });
});
