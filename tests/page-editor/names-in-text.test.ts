import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import type { Settings } from '../../shared/ipc/schemas.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf } from './support/transcripts.ts';

const rig = editorRig();

/** The editor with these captions or paragraphs of a text that was imported without a recording. */
const openImported = (sourceName: string, said: readonly string[], settings: Partial<Settings> = {}) =>
  rig.open({ detail: { ...detailOf(transcriptOf(said), null), sourceName }, settings });

const isTextFocused = (page: Page) =>
  page.locator('[data-pane="text"] > section').evaluate((text) => text === document.activeElement);

const transcriptOf = (said: readonly string[]) => {
  const segments = said.map((text, at) => ({ text, startMs: at * 4000, endMs: at * 4000 + 3000, words: [] }));
  return toTranscript({ text: '', segments }, { language: 'uz', durationMs: said.length * 4000 });
};

test('names before the paragraphs of an imported text are offered as speakers, as those of captions are', async () => {
  const said = ['Ipak haqida.', 'Savol: ipak nima?', 'Savol: u qayerdan keladi?'];
  const { page, close } = await openImported('notes.txt', said);
  await page.getByText('Are these speakers?').waitFor();
  await page.getByRole('button', { name: 'Make them speakers' }).click();
  await expect
    .poll(() => page.locator('[data-text]').allTextContents())
    .toEqual(['Ipak haqida.', 'ipak nima?', 'u qayerdan keladi?']);
  await expect.poll(() => isTextFocused(page)).toBe(true);
  await close();
});

test('names are read in the alphabet that is shown and stored in that of the text', async () => {
  const said = ['MUXLISA: Yangiliklar.', 'JAVOHIR: Xush kelibsiz.', 'MUXLISA: Rahmat.'];
  const { page, close } = await openImported('talk.srt', said, { transcriptScript: 'cyrillic' });
  const names = page.getByRole('toolbar', { name: 'Names in the text' });
  expect(await names.getByRole('button').allTextContents()).toEqual(['МУХЛИСА', 'ЖАВОҲИР']);
  await page.getByRole('button', { name: 'Make them speakers' }).click();
  await names.waitFor({ state: 'detached' });
  const speakers = async () => (await onDisk(page, transcriptOf(said))).speakers.map(({ name }) => name);
  await expect.poll(speakers).toEqual(['MUXLISA', 'JAVOHIR']);
  await expect.poll(() => page.locator('[data-text]').first().textContent()).toBe('Янгиликлар.');
  await close();
});

test('names before the words of imported captions are offered as speakers one by one, and one undo brings the text back', async () => {
  const said = [
    'MUXLISA: Yangiliklar.',
    'JAVOHIR: Xush kelibsiz.',
    'Salom.',
    'MUXLISA: Rahmat.',
    'Diqqat: eshik ochiq.',
  ];
  const { page, complaints, close } = await openImported('talk.srt', said);
  const texts = () => page.locator('[data-text]').allTextContents();
  const offer = page.getByText('Are these speakers?');
  await offer.waitFor();
  const names = page.getByRole('toolbar', { name: 'Names in the text' });
  const chosen = () => names.locator('[aria-pressed="true"]').allTextContents();
  const take = page.getByRole('button', { name: 'Make them speakers' });
  expect(await names.getByRole('button').allTextContents()).toEqual(['MUXLISA', 'JAVOHIR', 'Diqqat']);
  // Who returns is a speaker, and so is whoever is written like that; anything else that occurs once may be none.
  expect(await chosen()).toEqual(['MUXLISA', 'JAVOHIR']);
  await names.getByRole('button', { name: 'JAVOHIR' }).click();
  await names.getByRole('button', { name: 'MUXLISA' }).click();
  expect(await take.isDisabled()).toBe(true);
  await names.getByRole('button', { name: 'MUXLISA' }).click();
  await names.getByRole('button', { name: 'JAVOHIR' }).click();
  await take.click();
  await expect.poll(texts).toEqual(['Yangiliklar.', 'Xush kelibsiz.', 'Salom.', 'Rahmat.', 'Diqqat: eshik ochiq.']);
  await page.locator('[data-index="1"]').getByText('JAVOHIR').first().waitFor();
  await offer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(texts).toEqual(said);
  await page.getByRole('button', { name: 'Leave as text' }).click();
  await offer.waitFor({ state: 'detached' });
  await expect.poll(() => isTextFocused(page)).toBe(true);
  // Who has answered is not asked again by the same transcript.
  const hash = new URL(page.url()).hash;
  const show = (to: string) =>
    page.evaluate((place) => {
      window.location.hash = place;
    }, to);
  await show('#/');
  await page.locator('[data-text]').first().waitFor({ state: 'detached' });
  await show(hash);
  await page.locator('[data-text]').first().waitFor();
  expect(await offer.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('in the smallest window the notice about the recording waits for the answer about names, and both leave room for the text', async () => {
  const said = ['MUXLISA', 'JAVOHIR', 'USTA RAHMATILLO', 'SHAHNOZA', 'OPERATOR', 'Diqqat'].map(
    (name) => `${name}: Salom.`,
  );
  const { page, close } = await openImported('talk.srt', said);
  await page.setViewportSize({ width: 960, height: 640 });
  const locate = page.getByRole('button', { name: 'Locate the recording' });
  const leave = page.getByRole('button', { name: 'Leave as text' });
  const roomForText = () => page.locator('[data-pane="text"] > section').evaluate(({ clientHeight }) => clientHeight);
  await leave.waitFor();
  expect(await roomForText()).toBeGreaterThan(400);
  expect(await locate.isVisible()).toBe(false);
  await leave.click();
  await locate.waitFor();
  expect(await roomForText()).toBeGreaterThan(400);
  await close();
});
