import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { editorRig } from './support/editor-rig.ts';
import { longTranscript } from './support/transcripts.ts';

const rig = editorRig();

const find = (page: Page) => page.getByRole('tabpanel', { name: 'Find' }).getByRole('searchbox', { name: 'Find' });
/** What is selected in the field that has the focus. */
const selectedInField = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement
      ? [field.type, field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)]
      : null;
  });
/** Selects these letters of a segment, in its own text. */
const select = (page: Page, segmentId: string, from: number, to: number) =>
  page.locator(`[data-text="${segmentId}"]`).evaluate(
    (host, [start, end]) => {
      if (host instanceof HTMLElement) host.focus();
      const [text] = host.childNodes;
      if (text !== undefined) document.getSelection()?.setBaseAndExtent(text, start ?? 0, text, end ?? 0);
    },
    [from, to],
  );

test.each([
  ['Control+KeyF', 'Find'],
  ['Control+KeyH', 'Find'],
  ['Alt+KeyT', 'Info'],
])('%s closes the panel of the silences and leads into the field of its tab', async (key, tab) => {
  const { page, texts, complaints, close } = await rig.openText(longTranscript(4));
  const silences = page.getByRole('complementary', { name: 'Silences' });
  await page.keyboard.press('Control+Shift+KeyX');
  await silences.waitFor();
  const before = await texts.allTextContents();
  await texts.nth(1).dblclick();
  await page.keyboard.press(key);
  await page.getByRole('tabpanel', { name: tab }).waitFor();
  expect(await silences.count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('1');
  expect(await texts.allTextContents()).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
});

test('the key that finds closes the panel that listens again, whose results are there when it is opened again', async () => {
  const transcript = longTranscript(4);
  const words = (transcript.segments[1]?.words ?? []).map((word) => ({ ...word, text: 'boshqa' }));
  const { page, texts, close } = await rig.openText(transcript, { answers: { 'transcripts.listenAgain': { words } } });
  const panel = page.getByRole('complementary', { name: 'Transcribe this part again' });
  await texts.nth(1).click();
  await page.keyboard.press('Control+Shift+KeyL');
  await panel.getByText(/^\d+ changes?$/u).waitFor();
  await page.keyboard.press('Control+KeyF');
  await expect.poll(() => selectedInField(page)).toEqual(['search', '']);
  expect(await panel.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+KeyL');
  await panel.getByText(/^\d+ changes?$/u).waitFor();
  await close();
});

test('the keys that find and replace lead into what is searched for, selected, and Tab leads on to the replacement', async () => {
  const { page, texts, complaints, close } = await rig.openText(longTranscript(4));
  await page.keyboard.press('Control+KeyF');
  await find(page).fill('adras');
  for (const key of ['Control+KeyH', 'Control+KeyF']) {
    await texts.first().click();
    await page.keyboard.press(key);
    await expect.poll(() => selectedInField(page)).toEqual(['search', 'adras']);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('atlas');
  expect(await page.getByRole('textbox', { name: 'Replace with' }).inputValue()).toBe('atlas');
  expect(complaints).toEqual([]);
  await close();
});

test.each(['Control+KeyF', 'Control+KeyH'])('%s searches for the selected word, from where it stands', async (key) => {
  const transcript = longTranscript(4);
  const { page, complaints, close } = await rig.openText(transcript);
  const said = transcript.segments[1]?.text ?? '';
  const word = said.slice(0, said.indexOf(' '));
  const second = said.indexOf(word, word.length);
  const countIn = (text: string) => text.split(word).length - 1;
  const before = countIn(transcript.segments[0]?.text ?? '');
  const all = transcript.segments.reduce((sum, { text }) => sum + countIn(text), 0);
  expect(second).toBeGreaterThan(0);
  const panel = page.getByRole('tabpanel', { name: 'Find' });
  // First while the panel is closed, then while it shows another search.
  for (const earlier of ['', 'yoʻqdir', 'ipak']) {
    if (earlier !== '') await find(page).fill(earlier);
    await select(page, 's1', second, second + word.length);
    await page.keyboard.press(key);
    await expect.poll(() => selectedInField(page)).toEqual(['search', word]);
    await panel.getByText(`${String(before + 2)} of ${String(all)}`, { exact: true }).waitFor();
  }
  await page.keyboard.press('Enter');
  await panel.getByText(`${String(before + 3)} of ${String(all)}`, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a long selection is not searched for, and in a pattern the selected signs mean themselves', async () => {
  const long = longTranscript(2);
  const text = `narxi 5.000? ${long.segments[0]?.text ?? ''}`;
  const transcript = { ...long, segments: long.segments.map((one) => (one.id === 's0' ? { ...one, text } : one)) };
  const { page, close } = await rig.openText(transcript);
  await page.keyboard.press('Control+KeyF');
  await find(page).fill('adras');
  await select(page, 's0', 0, 80);
  await page.keyboard.press('Control+KeyF');
  await expect.poll(() => selectedInField(page)).toEqual(['search', 'adras']);
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await select(page, 's0', 5, 12);
  await page.keyboard.press('Control+KeyF');
  await expect.poll(() => selectedInField(page)).toEqual(['search', String.raw`5\.000\?`]);
  await page.getByText('1 of 1').waitFor();
  await close();
});
