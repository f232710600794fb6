import type { Locator } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { callsOf } from '../support/fake-studio.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

/** Opens a text with the caret at the end of its first segment. */
async function openAtEnd(transcript: Transcript) {
  const opened = await rig.openText(transcript);
  const [first] = transcript.segments;
  const host = opened.texts.first();
  await host.click();
  await opened.page.keyboard.press('End');
  return { ...opened, host, said: first?.text ?? '' };
}

test('apostrophes that are typed in Uzbek Latin are those of its letters, and one undo takes one of them back', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, host, said, complaints, close } = await openAtEnd(transcript);
  await page.keyboard.type(" to'g`ri san’at 'u");
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u`);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(`${said} toʻgʻri sanʼat 'u`);
  await page.keyboard.type("' O'");
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' Oʻ`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'`);
  // What was taken back stays so, and typing goes on behind it.
  await page.keyboard.type('z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z`);
  // With more behind it, a letter is undone together with the words that it is typed in.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(" g'isht bo'yoq");
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z gʻisht boʻyoq`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z`);
  await page.keyboard.press('Control+y');
  await expect.poll(() => host.textContent()).toBe(`${said} toʻgʻri sanʼat 'u' O'z gʻisht boʻyoq`);
  expect(complaints).toEqual([]);
  await close();
});

test('a quote that closes a quotation stays a quote, and one that a letter follows is a letter of the word', async () => {
  const { page, host, said, complaints, close } = await openAtEnd(sampleTranscript('interview-uz'));
  const typed = " U 'salom' dedi, keyin 'ma'no' va 'o'zbek' dedi.";
  await page.keyboard.type(typed);
  const spelt = `${said} U 'salom' dedi, keyin 'maʼno' va 'oʻzbek' dedi.`;
  await expect.poll(() => host.textContent()).toBe(spelt);
  await page.getByText('Show all Uzbek transcripts in Cyrillic letters').click();
  await expect.poll(() => host.textContent()).toContain("У 'салом' деди, кейин 'маъно' ва 'ўзбек' деди.");
  expect(complaints).toEqual([]);
  await close();
});

const pasteInto = (host: Locator, text: string) =>
  host.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('apostrophes of other languages stay as they are, typed and pasted', async () => {
  const uzbek = sampleTranscript('interview-uz');
  for (const language of ['en', 'ru'] as const) {
    const { page, host, said, close } = await openAtEnd({ ...uzbek, language });
    await page.keyboard.type(" do'g san'at");
    await pasteInto(host, " o'g");
    await expect.poll(() => host.textContent()).toBe(`${said} do'g san'at o'g`);
    await close();
  }
});

test('what is pasted into Uzbek Latin gets the letters that typing gives it, also over several segments, and one undo takes it back', async () => {
  const { page, texts, host, said, complaints, close } = await openAtEnd(sampleTranscript('interview-uz'));
  const before = await texts.allTextContents();
  await pasteInto(host, " O'zbekiston so'zi, 'salom' ma'no");
  await expect.poll(() => host.textContent()).toBe(`${said} Oʻzbekiston soʻzi, 'salom' maʼno`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => host.textContent()).toBe(said);
  // With a blank at the end of the text.
  await pasteInto(host, " bo'yoq ");
  await expect.poll(() => host.textContent()).toBe(`${said} boʻyoq `);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await pasteInto(page.locator(':focus'), "O'zbekiston so'zi");
  await expect.poll(async () => (await texts.allTextContents())[0]).toBe('Oʻzbekiston soʻzi');
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.allTextContents()).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
});

test('Latin letters that are typed and pasted into the Cyrillic view are shown so until the caret leaves them, and stored with the letters of Uzbek', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, texts, host, said, complaints, close } = await openAtEnd(transcript);
  await page.getByText('Show all Uzbek transcripts in Cyrillic letters').click();
  await expect.poll(() => host.textContent()).toMatch(/^[А-Я]/u);
  const inCyrillic = (await host.textContent()) ?? '';
  await host.click();
  await page.keyboard.press('End');
  await page.keyboard.type(" g'oya go'");
  await pasteInto(host, " ma'no");
  await expect.poll(() => host.textContent()).toBe(`${inCyrillic} g'oya go' ma'no`);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[0]?.text).toBe(`${said} gʻoya goʻ maʼno`);
  await texts.nth(1).click();
  await expect.poll(() => host.textContent()).toBe(`${inCyrillic} ғоя гў маъно`);
  expect(complaints).toEqual([]);
  await close();
});

test('the title of an Uzbek text and the names of its versions get the letters that typing gives its words', async () => {
  const versions = [{ revision: 1, kind: 'now' as const, atMs: 5, name: null, label: null, editCount: 1 }];
  const transcript = sampleTranscript('interview-uz');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: {
      'transcripts.rename': { title: 'Gʻoya' },
      'transcripts.versions': { versions },
      'transcripts.nameVersion': {},
    },
  });
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.getByRole('textbox', { name: 'Title' }).fill("G'oya");
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'transcripts.rename')).toEqual([{ transcriptId: 't1', title: 'Gʻoya' }]);
  await page.keyboard.press('Control+Shift+h');
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByRole('textbox', { name: 'Name of the version' }).fill("O'qilgan ma'no");
  await page.keyboard.press('Enter');
  await expect
    .poll(() => callsOf(page, 'transcripts.nameVersion'))
    .toEqual([{ transcriptId: 't1', revision: 1, name: 'Oʻqilgan maʼno' }]);
  expect(complaints).toEqual([]);
  await close();
});
