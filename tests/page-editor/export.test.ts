import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { VideoFormat } from '../../shared/domain/exports/formats.ts';
import { callsOf } from '../support/fake-studio.ts';
import { turn } from '../support/turn.ts';
import { copied, enter, noticesOf, type OpenOptions } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');

async function openExport(options: Partial<OpenOptions> = {}) {
  const opened = await rig.open({ detail: rig.detailOf(transcript), ...options });
  await opened.page.keyboard.press('Control+KeyE');
  const dialog = opened.page.getByRole('dialog', { name: 'Export' });
  await dialog.waitFor();
  return { ...opened, dialog, name: dialog.getByRole('textbox', { name: 'File name' }) };
}
const answers = (page: Page, method: string, answer: unknown) =>
  page.evaluate(([name, next]) => window.fakeStudio.setAnswer(name, next), [method, answer] as const);
const refuses = (page: Page, failure: ReturnType<typeof makeFailure> | null) =>
  page.evaluate((next) => window.fakeStudio.setFailure('exports.save', next), failure);
const savedBy = (page: Page) => callsOf(page, 'exports.save');

test('an export is saved under the typed or chosen name, and repeated over the earlier file', async () => {
  const { page, dialog, name } = await openExport({
    settings: { lastExportFormat: 'srt' },
    answers: { 'exports.save': { savedAs: 'mysubs.vtt', revealToken: 'reveal-1' } },
  });
  await turn(dialog.getByRole('radio', { name: /WebVTT(?!,)/u }));
  await dialog.getByRole('button', { name: 'Export .vtt…' }).click();
  await dialog.getByText('Saved as mysubs.vtt').waitFor();
  await expect
    .poll(() => savedBy(page))
    .toEqual([
      { transcriptId: 't1', format: 'vtt', options: { script: 'as-written' }, source: 'studio', place: 'ask' },
    ]);
  await dialog.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => callsOf(page, 'exports.reveal')).toEqual([{ revealToken: 'reveal-1' }]);
  await dialog.getByRole('button', { name: 'Copy text' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await expect.poll(() => copied(page)).toContain('Assalomu alaykum, usta!');
  await expect.poll(() => name.inputValue()).toBe('mysubs');
  await enter(name, 'final');
  await expect.poll(() => savedBy(page)).toMatchObject([{ place: 'ask' }, { name: 'final' }]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The next one may take the place of the earlier file, from its notice.
  await answers(page, 'exports.save', { savedAs: 'final (2).vtt', revealToken: 'new', takenToken: 'earlier' });
  await answers(page, 'exports.replace', { savedAs: 'final.vtt', revealToken: 'earlier' });
  await page.keyboard.press('Control+Shift+KeyE');
  const notice = noticesOf(page).locator('li');
  await notice.filter({ hasText: 'Saved as final (2).vtt' }).waitFor();
  expect((await savedBy(page)).length).toBe(3);
  await notice.getByRole('button', { name: 'Replace the earlier file' }).click();
  const replaced = notice.filter({ hasText: 'Replaced final.vtt' });
  await replaced.getByRole('button', { name: 'Show in folder' }).click();
  expect(await callsOf(page, 'exports.replace')).toEqual([{ revealToken: 'new', takenToken: 'earlier' }]);
  await expect.poll(async () => (await callsOf(page, 'exports.reveal')).at(-1)).toEqual({ revealToken: 'earlier' });
});

const goneFolder = makeFailure('export-unfinished', { code: 'export_folder_gone', params: { name: 'Subtitrlar' } });

test('an export that fails says why and may be put elsewhere, under the same name', async () => {
  const settings = { exportFolderName: 'Subtitrlar', lastExportFormat: 'vtt' } as const;
  const { page, dialog, name } = await openExport({
    settings: { ...settings, exportChoices: { vtt: { speakers: 'every' } } },
  });
  await refuses(page, goneFolder);
  await enter(name, 'final');
  await dialog.getByRole('alert').getByText('The folder “Subtitrlar” is no longer there.').waitFor();
  await refuses(page, null);
  await dialog.getByRole('button', { name: 'Choose another place…' }).click();
  await dialog.getByText('Saved as suhbat.srt').waitFor();
  expect(await savedBy(page)).toMatchObject([
    { place: 'last', name: 'final' },
    { place: 'ask', name: 'final' },
  ]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await refuses(page, goneFolder);
  await page.keyboard.press('Control+Shift+KeyE');
  await page.getByText('The folder “Subtitrlar” is no longer there. Nothing was lost.').waitFor();
  await refuses(page, null);
  await page.getByRole('button', { name: 'Choose another place…' }).click();
  await page.getByText('Saved as suhbat.srt').waitFor();
  const [, , third, fourth] = (await savedBy(page)) as readonly object[];
  expect(third).toMatchObject({ place: 'last', format: 'vtt', options: { speakers: 'every' } });
  expect(fourth).toEqual({ ...third, place: 'ask' });
});

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const focusedLabel = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const ids = activeElement?.getAttribute('aria-labelledby') ?? '';
    return activeElement?.getAttribute('aria-label') ?? document.getElementById(ids)?.textContent ?? '';
  });
const saveButton = (dialog: Locator) => dialog.locator('footer').getByRole('button').last();

test('no audio is exported while a time is refused, whichever way it is asked for: the focus goes to it', async () => {
  const spans = [
    { startMs: 0, endMs: 4000 },
    { startMs: 4000, endMs: 5000, cover: 'bleep' as const },
    { startMs: 5000, endMs: 12_000 },
  ];
  const { page, dialog, name } = await openExport({
    settings: { lastExportFormat: 'mp3' },
    answers: { 'exports.render': { kind: 'audio', spans, durationMs: 12_000, isShortened: false } },
  });
  const audioExports = () =>
    page.evaluate(() =>
      window.fakeStudio.calls.filter(({ method }) => method === 'exports.saveCut').map(({ input }) => input),
    );
  // What is heard instead of a word is said, and nothing is cut there.
  const parts = dialog.getByRole('listitem');
  await expect.poll(() => parts.allTextContents()).toEqual([/\d$/u, / · Bleep$/u, /\d$/u].map(matching));
  expect(await parts.locator('svg').count()).toBe(0);
  const to = dialog.getByRole('textbox', { name: 'To', exact: true });
  await to.fill('salom');
  for (const ask of [
    () => saveButton(dialog).click(),
    () => name.press('Enter'),
    () => dialog.getByRole('radio', { name: 'Mono' }).press('Enter'),
  ]) {
    await ask();
    await expect.poll(() => focusedLabel(page)).toBe('To');
  }
  await dialog.getByText(/^Use a time like/u).waitFor();
  expect(await audioExports()).toEqual([]);
  await to.fill('00:00:05');
  await saveButton(dialog).click();
  await expect.poll(audioExports).toMatchObject([{ options: { toMs: 5000 } }]);
});

test('the cut of a video is offered in the containers that its pictures fit in, and says how much longer it becomes', async () => {
  const spans = [{ startMs: 0, endMs: 9000 }];
  const render = { kind: 'video', spans, durationMs: 12_000, longerMs: 1840, isShortened: false } as const;
  const open = (lastExportFormat: 'mov' | 'mp4', containers: VideoFormat[]) =>
    openExport({
      detail: rig.detailOf(transcript, { pictureUrl: '/media/none' }),
      settings: { lastExportFormat },
      answers: { 'exports.video': { video: { containers, losesTracks: true } }, 'exports.render': render },
    });
  const offered = (dialog: Locator) =>
    dialog
      .getByRole('radio', { name: /[.](?:mp4|mov|mkv|webm)/u })
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  const first = await open('mov', ['mp4', 'mov', 'mkv']);
  await first.dialog.getByText('Because of key frames the file is 1.8 s longer.').waitFor();
  expect(await offered(first.dialog)).toEqual(['mp4', 'mov', 'mkv']);
  expect(await first.dialog.getByRole('radio', { checked: true }).getAttribute('value')).toBe('mov');
  await first.dialog.getByText('Subtitles and other audio tracks of the video are left out.').waitFor();
  const isInView = () =>
    first.dialog.getByRole('radio', { checked: true }).evaluate((radio) => {
      const label = radio.closest('label');
      const { x = 0, y = 0, width = 0, height = 0 } = label?.getBoundingClientRect() ?? {};
      return label !== null && label.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  await expect.poll(isInView).toBe(true);
  // The container of another video: its own is chosen.
  const second = await open('mp4', ['webm', 'mkv']);
  await second.dialog.getByText('Because of key frames the file is 1.8 s longer.').waitFor();
  await saveButton(second.dialog).click();
  await expect
    .poll(() => callsOf(second.page, 'exports.saveCut' as 'exports.save'))
    .toMatchObject([{ format: 'webm' }]);
  // Exported again, it is asked about, and nothing is written.
  await second.page.keyboard.press('Escape');
  await second.dialog.waitFor({ state: 'detached' });
  await second.page.keyboard.press('Control+Shift+KeyE');
  await second.dialog.waitFor();
  expect(await callsOf(second.page, 'exports.save')).toEqual([]);
  const third = await openExport({ settings: { lastExportFormat: 'mp4' } });
  await third.dialog.getByRole('radio', { name: /SubRip/u, checked: true }).waitFor();
  expect(await offered(third.dialog)).toEqual([]);
});

test('the usual formats and options are in sight, the others one press away; names only where somebody is told apart', async () => {
  const silent = {
    ...transcript,
    speakers: [],
    segments: transcript.segments.map((one) => ({ ...one, speakerId: null })),
  };
  const first = await openExport({ detail: rig.detailOf(silent), settings: { lastExportFormat: 'docx' } });
  const offered = (dialog: Locator, name: RegExp) => dialog.getByRole('radio', { name }).count();
  await first.dialog.getByRole('radio', { name: /^Word/u, checked: true }).waitFor();
  expect([await offered(first.dialog, /^PDF/u), await offered(first.dialog, /^Markdown/u)]).toEqual([1, 0]);
  expect(await first.dialog.getByText('Speaker names').count()).toBe(0);
  const headings = first.dialog.getByText('Headings', { exact: true });
  expect(await headings.isVisible()).toBe(false);
  await first.dialog.getByText('Customise').click();
  await headings.waitFor();
  await first.dialog.getByRole('button', { name: 'More formats' }).click();
  await expect.poll(() => offered(first.dialog, /^Markdown/u)).toBe(1);
  const second = await openExport({ settings: { lastExportFormat: 'docx' } });
  await second.dialog.getByText('Speaker names').waitFor();
});
