import { expect, test } from 'vitest';
import type { WordMark } from '../../shared/domain/transcript/transcript.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { runCommand } from './support/speakers-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const interview = sampleTranscript('interview-uz');

/** The marks of the first `count` words of the first segment, as they are saved. */
const savedMarks = async (page: Parameters<typeof onDisk>[0], count: number): Promise<readonly (WordMark | null)[]> =>
  ((await onDisk(page, interview)).segments[0]?.words ?? []).slice(0, count).map(({ mark }) => mark ?? null);

test('keys cut and redact the word at the caret, also behind its last letter, and take that back', async () => {
  const { page, texts, complaints, close } = await rig.openText(interview);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+KeyK');
  await expect.poll(() => savedMarks(page, 2)).toEqual(['cut', null]);
  await page.keyboard.press('Control+Shift+KeyB');
  await expect.poll(() => savedMarks(page, 2)).toEqual(['cut-redacted', null]);
  await page.keyboard.press('Control+Shift+KeyK');
  await expect.poll(() => savedMarks(page, 2)).toEqual(['redacted', null]);
  await page.keyboard.press('Control+Shift+KeyB');
  await expect.poll(() => savedMarks(page, 2)).toEqual([null, null]);
  expect(complaints).toEqual([]);
  await close();
});

test('keys and the palette mark all selected words, and say where their times are only estimated', async () => {
  const segments = interview.segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => ({ ...word, isEstimated: true as const })),
  }));
  const { page, texts, complaints, close } = await rig.openText({ ...interview, segments });
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.press('Control+Shift+KeyB');
  await page.getByText(/^Some of these timings are guesses/u).waitFor();
  await expect.poll(() => savedMarks(page, 3)).toEqual(['redacted', 'redacted', null]);
  await runCommand(page, 'Cut the words from the audio, or keep them');
  await expect.poll(() => savedMarks(page, 3)).toEqual(['cut-redacted', 'cut-redacted', null]);
  // The palette has given the selection back.
  expect(await page.evaluate(() => document.getSelection()?.toString().split(' ').length)).toBe(2);
  // Several segments.
  await texts.first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Shift+KeyK');
  await expect
    .poll(async () =>
      (await onDisk(page, interview)).segments.every(({ words }) => words.every(({ mark }) => mark?.startsWith('cut'))),
    )
    .toBe(true);
  expect(complaints).toEqual([]);
  await close();
});

test('without a caret and a selection the keys say what is missing, and without a recording that nothing can be cut', async () => {
  const { page, complaints, close } = await rig.open({
    detail: detailOf(interview, null),
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  await page.locator('[data-text]').first().waitFor();
  await page.keyboard.press('Control+Shift+KeyB');
  await page.getByText('Put the caret into a word, or select words.').waitFor();
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+KeyK');
  await page.getByText('There is no recording to cut from.').waitFor();
  await page.keyboard.press('Control+Shift+KeyB');
  await expect.poll(() => savedMarks(page, 2)).toEqual(['redacted', null]);
  expect(complaints).toEqual([]);
  await close();
});

test('the words are copied with their time by a command too', async () => {
  const { page, texts, complaints, close } = await rig.openText(interview);
  await texts.first().click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Shift+ArrowRight');
  await runCommand(page, 'Copy with time');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(`[00:00] Dilnoza Karimova: ${interview.segments[0]?.words[0]?.text ?? ''}`);
  await texts.first().click();
  await page.keyboard.press('Control+Shift+KeyC');
  await expect.poll(copied).toBe(`[00:00] Dilnoza Karimova: ${interview.segments[0]?.text ?? ''}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a time is inserted as a word of its own: beside the word at the caret, and with spaces', async () => {
  const transcript = { ...interview, segments: interview.segments.slice(0, 2) };
  const { page, texts, complaints, close } = await rig.openText(transcript);
  const said = interview.segments[0]?.text ?? '';
  const [word = ''] = said.split(' ');
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Semicolon');
  const shown = async () => (await texts.first().textContent())?.replace(/00:0\d/u, '00:00');
  await expect.poll(shown).toBe(`${said} [00:00]`);
  await page.keyboard.press('Control+z');
  await expect.poll(shown).toBe(said);
  await page.keyboard.press('Home');
  for (let letter = 1; letter < word.length; letter += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Semicolon');
  await expect.poll(shown).toBe(`${word} [00:00]${said.slice(word.length)}`);
  await page.keyboard.type('aa ');
  await expect.poll(shown).toBe(`${word} [00:00] aa${said.slice(word.length)}`);
  expect(complaints).toEqual([]);
  await close();
});
