import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { editorRig } from './support/editor-rig.ts';
import type { OpenOptions } from './support/editor-page.ts';
import { detailOf, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const audio = {
  kind: 'audio' as const,
  spans: [{ startMs: 0, endMs: 12_000 }],
  durationMs: 12_000,
  isShortened: false,
};

/** What the export of audio, which is a stream, was asked for. */
const audioExports = (page: Page) =>
  page.evaluate(() =>
    window.fakeStudio.calls.filter(({ method }) => method === 'exports.saveAudio').map(({ input }) => input),
  );

const openExport = async (lastExportFormat: 'mp3' | 'srt', options: Partial<OpenOptions> = {}) => {
  const opened = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), rig.server.addRecording(sample('interview-uz.mp3'))),
    settings: { lastExportFormat },
    answers: lastExportFormat === 'mp3' ? { 'exports.render': audio } : {},
    ...options,
  });
  await opened.page.keyboard.press('Control+KeyE');
  const dialog = opened.page.getByRole('dialog');
  return { ...opened, dialog, save: dialog.locator('footer').getByRole('button').last() };
};

const focusedLabel = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const ids = activeElement?.getAttribute('aria-labelledby') ?? '';
    return activeElement?.getAttribute('aria-label') ?? document.getElementById(ids)?.textContent ?? '';
  });

test.each(['salom', 'abc'])(
  'no audio is exported while the time “%s” is refused; the focus goes to it',
  async (typed) => {
    const { page, dialog, save, complaints, close } = await openExport('mp3');
    const to = dialog.getByRole('textbox', { name: 'To', exact: true });
    await to.fill('00:00:10');
    await to.press('Enter');
    await to.fill(typed);
    await save.click();
    await dialog.getByText('Use a time like 00:00:10').waitFor();
    await expect.poll(() => focusedLabel(page)).toBe('To');
    const fileName = dialog.getByRole('textbox', { name: 'File name' });
    await fileName.press('Enter');
    await expect.poll(() => focusedLabel(page)).toBe('To');
    await dialog.getByRole('radio', { name: 'Mono' }).press('Enter');
    await expect.poll(() => focusedLabel(page)).toBe('To');
    expect(await audioExports(page)).toEqual([]);
    await to.fill('00:00:05');
    await save.click();
    await expect.poll(() => audioExports(page)).toMatchObject([{ options: { toMs: 5000 } }]);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('nothing is exported or copied while a number is refused, also one in a closed section', async () => {
  const { page, dialog, save, complaints, close } = await openExport('srt');
  const copy = dialog.getByRole('button', { name: 'Copy text' });
  const number = dialog.getByRole('textbox', { name: 'Characters per line' });
  await number.fill('salom');
  await save.click();
  await expect.poll(() => focusedLabel(page)).toBe('Characters per line');
  await copy.click();
  await expect.poll(() => focusedLabel(page)).toBe('Characters per line');
  await number.press('Escape');
  await dialog.getByText('More options').click();
  const gap = dialog.getByRole('textbox', { name: 'Gap between captions' });
  await gap.fill('99999');
  await gap.press('Enter');
  await dialog.getByText('More options').click();
  await gap.waitFor({ state: 'hidden' });
  await save.click();
  await expect.poll(() => focusedLabel(page)).toBe('Gap between captions');
  expect(await callsOf(page, 'exports.save')).toEqual([]);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('');
  await gap.fill('100');
  await save.click();
  await expect.poll(() => callsOf(page, 'exports.save')).toMatchObject([{ options: { gapMs: 100 } }]);
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['uz', 'Boshi', 'Oxiri', '00:00:20,500', 'Vaqtni shunday yozing: 00:00:20,500'],
  ['ru', 'От', 'До', '00:00:20,500', 'Напишите время так: 00:00:20,500'],
  ['en', 'From', 'To', '00:00:20.500', 'Use a time like 00:00:20.500'],
] as const)(
  'the times of the audio have the decimal sign of the language in the field and its hint, and either is typed (%s)',
  async (language, from, to, written, hint) => {
    const { dialog, close } = await openExport('mp3', { language });
    await dialog.getByRole('textbox', { name: from, exact: true }).waitFor();
    const field = dialog.getByRole('textbox', { name: to, exact: true });
    for (const typed of ['00:00:20,5', '00:00:20.5']) {
      await field.fill(typed);
      await field.press('Enter');
      await expect.poll(() => field.inputValue()).toBe(written);
    }
    await field.fill('abc');
    await dialog.getByText(hint).waitFor();
    await close();
  },
);

test('the format of the last export is in sight and focused in the list when the dialog opens', async () => {
  const { page, dialog, close } = await openExport('mp3', { size: { width: 960, height: 640 } });
  const chosen = dialog.getByRole('radiogroup', { name: 'Format' }).getByRole('radio', { checked: true });
  const isInSight = () =>
    chosen.evaluate((radio) => {
      const format = radio.closest('label')?.getBoundingClientRect();
      const list = radio.closest('[role="radiogroup"]')?.getBoundingClientRect();
      return format !== undefined && list !== undefined && format.top >= list.top && format.bottom <= list.bottom;
    });
  await expect.poll(isInSight).toBe(true);
  expect(await chosen.and(page.locator(':focus')).count()).toBe(1);
  await close();
});
