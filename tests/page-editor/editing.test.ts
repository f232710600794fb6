import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { markedWord, onDisk, playheadMs, waitForSound } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

const open = (transcript: Transcript) => rig.openText(transcript);
const caretOf = (page: Page) =>
  page.evaluate(() => {
    const { focusNode, focusOffset } = document.getSelection() ?? {};
    const host = focusNode?.parentElement?.closest<HTMLElement>('[data-text]');
    return [host?.dataset['text'], focusOffset];
  });
const textsOf = (transcript: Transcript) => transcript.segments.map(({ text }) => text);

test('typed text is saved soon, keeps the times of the other words, and is undone with the caret', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, complaints, close } = await open(transcript);
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('no segment');
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana bir soʻz');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(`${first.text} yana bir soʻz`);
  const saved = await onDisk(page, transcript);
  expect(saved.segments[0]?.words.slice(0, first.words.length)).toEqual(first.words);
  expect(findViolations(saved)).toEqual([]);

  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect((await caretOf(page))[0]).toBe(first.id);
  await page.keyboard.press('Control+y');
  await expect.poll(() => texts.first().textContent()).toBe(`${first.text} yana bir soʻz`);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => textsOf(await onDisk(page, transcript))).toEqual(textsOf(transcript));
  expect(await onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('the composition of an input method is one step when it is done; pasted text is plain and keeps the times around it', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, complaints, close } = await open(transcript);
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('no segment');
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

  // A word that is cut takes its space along, and brings one where it is pasted.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.press('Control+x');
  const rest = tail.map(({ text }) => text).join(' ');
  await expect.poll(() => texts.first().textContent()).toBe(rest);
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  await expect.poll(() => texts.first().textContent()).toBe(`${rest} ${head?.text ?? ''}`);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  expect(complaints).toEqual([]);
  await close();
});

test('Enter splits a segment at the caret, and Backspace at its start joins it again', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, close } = await open(transcript);
  const [first] = transcript.segments;
  const word = first?.words[1];
  if (first === undefined || word === undefined) throw new Error('no words');
  const count = await texts.count();
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => texts.nth(1).textContent())
    .toBe(
      first.words
        .slice(1)
        .map(({ text }) => text)
        .join(' '),
    );
  await expect.poll(async () => (await caretOf(page))[1]).toBe(0);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.startMs).toBe(word.startMs);
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect(await texts.count()).toBeGreaterThanOrEqual(count);
  expect(await caretOf(page)).toEqual([first.id, first.words[0]?.text.length]);
  await expect.poll(async () => textsOf(await onDisk(page, transcript))).toEqual(textsOf(transcript));
  await close();
});

/** The first word of the text, split after two letters. */
async function openSplitWord() {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, close } = await open(transcript);
  const [first] = transcript.segments;
  if (first === undefined) throw new Error('no segment');
  await texts.first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  return { transcript, page, texts, first, close };
}

test('a word that was split by Enter is whole again after Backspace, with its time, and the caret is back in it', async () => {
  const { transcript, page, texts, first, close } = await openSplitWord();
  await expect.poll(() => texts.first().textContent()).toBe(first.text.slice(0, 2));
  await expect.poll(() => caretOf(page).then(([, offset]) => offset)).toBe(0);
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect(await caretOf(page)).toEqual([first.id, 2]);
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  // Joining is a step of its own, and the split another.
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(2));
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await close();
});

test('a word that was split by Enter is whole again after Backspace also when something else was done meanwhile', async () => {
  const { transcript, page, texts, first, close } = await openSplitWord();
  await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(2));
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect(await caretOf(page)).toEqual([first.id, 2]);
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(2));
  await close();
});

test('segments of two speakers are joined only after confirmation', async () => {
  const transcript = longTranscript(6);
  const { page, texts, close } = await open(transcript);
  // At the beginning of its first line.
  await texts.nth(1).click({ position: { x: 1, y: 8 } });
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Backspace');
  // It can be undone, so Enter is enough.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merge' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await onDisk(page, transcript)).segments.length).toBe(5);
  await close();
});

test('the spoken word stays marked while the user types before it', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, close } = await open(transcript);
  await waitForSound(page);
  const word = transcript.segments[0]?.words[2];
  await page.evaluate((ms) => {
    const [audio] = window.audioElements.slice(-1);
    if (audio) audio.currentTime = (ms + 20) / 1000;
  }, word?.startMs ?? 0);
  await expect.poll(() => markedWord(page)).toBe(word?.text);
  await texts.first().focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Xoʻsh ');
  expect(await markedWord(page)).toBe(word?.text);
  await close();
});

test('a speaker is renamed everywhere and assigned by a key; all of it works by keyboard, and is clean for axe', async () => {
  const transcript = longTranscript(6);
  const { page, texts, close } = await open(transcript);
  await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dilnoza Karimova');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Dilnoza Karimova', exact: true }).first().waitFor();
  await texts.first().click();
  await page.keyboard.press('Alt+2');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.speakerId).toBe('p1');
  expect((await onDisk(page, transcript)).speakers[0]?.name).toBe('Dilnoza Karimova');
  expect(await tellBarriers(page)).toEqual([]);
  await close();
});

test('a selection across two segments is exact to the letter, is typed over, and is restored by one undo', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, close } = await open(transcript);
  const [first, second] = transcript.segments;
  if (first === undefined || second === undefined) throw new Error('no segments');
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
  const [head, tail] = [`${first.text.slice(0, cut)}a`, second.text.slice(end)];
  await expect
    .poll(async () => textsOf(await onDisk(page, transcript)).slice(0, 2))
    .toEqual(isOne ? [`${head}${tail}`, transcript.segments[2]?.text] : [head, tail]);
  expect(findViolations(await onDisk(page, transcript))).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await close();
});

test('a text that is left and opened again can still be undone, and keeps its position', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, close } = await open(transcript);
  await texts.nth(1).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana');
  await page.getByText('Saved on this computer').waitFor();
  const saved = await onDisk(page, transcript);
  await page.evaluate(
    (detail) => {
      window.fakeStudio.setAnswer('transcripts.open', detail);
    },
    { ...detailOf(saved, null), revision: 0 },
  );
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.locator('[data-pane="text"]').waitFor({ state: 'detached' });
  await page.goBack();
  await texts.nth(1).waitFor();
  await texts.nth(1).click();
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(transcript.segments[1]?.text);
  await close();
});

test('the next and the previous segment take the caret along, so that what is typed goes there', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3'))),
  });
  await waitForSound(page);
  // A press would move the playhead; the recording begins before its first segment.
  await page.locator('[data-text]').first().focus();
  await page.keyboard.press('Control+Home');
  for (const id of ['s0', 's1']) {
    await page.keyboard.press('Control+ArrowDown');
    await expect.poll(() => caretOf(page)).toEqual([id, 0]);
  }
  await page.keyboard.type('X');
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.text[0]).toBe('X');
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(() => caretOf(page)).toEqual(['s0', 0]);
  // What was moved last counts: here the playhead, to the fourth segment.
  await page.evaluate((ms) => {
    const [element] = window.audioElements.slice(-1);
    if (element) element.currentTime = ms / 1000;
  }, transcript.segments[3]!.startMs + 100);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(transcript.segments[3]!.startMs);
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual(['s4', 0]);
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await caretOf(page))?.[0]).toBe('s3');
  await page.keyboard.press('Control+ArrowDown');
  await expect.poll(() => caretOf(page)).toEqual(['s4', 0]);
  expect(complaints).toEqual([]);
  await close();
});
