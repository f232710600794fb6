import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { cueProblemKinds, type CueProblemKind } from '../../shared/domain/subtitles/check-cues.ts';
import type { Segment } from '../../shared/domain/transcript/transcript.ts';
import { checkSubtitles } from '../../shared/domain/exports/check-subtitles.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { writeDocument } from '../../shared/domain/exports/write-export.ts';
import { writing } from '../support/caption-files.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { partlyTooFast } from './support/too-fast.ts';
import { detailOf, sample } from './support/transcripts.ts';

const rig = editorRig();

/** What a check by main says: a caption for each of these problems, which the fix helps or not. */
const checkWith = (kinds: readonly CueProblemKind[], mendedCount: number) => ({
  cueCount: 20,
  unmendedCount: kinds.length,
  mendedCount,
  problems: kinds.map((kind, cue) => ({
    kind,
    cue,
    is: kind === 'too-fast' ? 22.64 : 45,
    limit: 42,
    startMs: cue * 1000 + 251,
    endMs: cue * 1000 + 900,
    lines: ['Assalomu alaykum,', 'usta!'],
  })),
});

const openCheck = async (check: ReturnType<typeof checkWith>, language: 'en' | 'ru' | 'uz' = 'en') => {
  const opened = await rig.open({
    detail: detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3'))),
    answers: { 'exports.check': check },
    language,
  });
  await opened.page.keyboard.press('Control+KeyE');
  const dialog = opened.page.getByRole('dialog');
  await dialog.getByText(/^(?:Check|Проверка|Tekshiruv) \(/u).click();
  return { ...opened, dialog };
};

const said: Readonly<Record<CueProblemKind, string>> = {
  'not-in-order': 'Begins before the caption above it',
  'no-duration': 'Has no duration',
  overlap: 'Overlaps the next caption',
  'after-the-end': 'Ends after the recording',
  empty: 'Has no words',
  'too-many-lines': 'Too many lines45, limit 42',
  'line-too-long': 'A line is too long45, limit 42',
  'too-fast': 'Too fast to read22.6 CPS, limit 42 CPS',
  'too-short': 'Too short45 ms, limit 42 ms',
  'too-long': 'Too long45 ms, limit 42 ms',
  'gap-too-short': 'Too close to the next caption45 ms, limit 42 ms',
  'lines-changed': 'Line breaks differ from the text45, limit 42',
  'bad-line-break': 'A line breaks in a bad place',
};

test('the export check says each kind of problem in words, with what was measured and the limit', async () => {
  const { dialog, close } = await openCheck(checkWith(cueProblemKinds, cueProblemKinds.length));
  await dialog.getByText('13 problems found.').waitFor();
  const rows = await dialog.getByRole('listitem').filter({ hasText: 'Assalomu' }).allTextContents();
  expect(rows).toEqual(
    cueProblemKinds.map((kind, at) => {
      const time = `00:00:${String(at).padStart(2, '0')}.251`;
      return `${String(at + 1)}${time}${said[kind]}Assalomu alaykum,\nusta!`;
    }),
  );
  await close();
});

test('a caption in the list of the export has its worst problem and how many more', async () => {
  const kinds = ['gap-too-short', 'too-fast', 'too-short'] as const;
  const check = checkWith(kinds, 3);
  const { dialog, close } = await openCheck({ ...check, problems: check.problems.map((one) => ({ ...one, cue: 0 })) });
  await dialog.getByRole('radiogroup', { name: 'View' }).getByText('Captions').click();
  const first = dialog.getByRole('listitem').filter({ hasText: 'Assalomu' }).first();
  await first.getByText('22.6 CPS +2').waitFor();
  await close();
});

const time = 'There isn’t enough silence beside a caption';
const edges = 'Captions are too close or end too late';
const text = 'More time doesn’t fix lines';
const split = 'Split a caption that stays too long';

test.each<[CueProblemKind[], string]>([
  [['too-fast', 'too-short', 'no-duration'], time],
  [['gap-too-short', 'overlap', 'after-the-end', 'not-in-order'], edges],
  [['too-many-lines', 'line-too-long', 'lines-changed', 'bad-line-break', 'empty'], text],
  [['too-long'], split],
])('why "Fix all" can’t help is said for %s', async (kinds, why) => {
  const { dialog, close } = await openCheck(checkWith(kinds, kinds.length));
  await dialog.getByText(why).waitFor();
  for (const other of [time, edges, text, split])
    if (other !== why) expect(await dialog.getByText(other).count()).toBe(0);
  await expect.poll(() => dialog.getByRole('button', { name: 'Fix all' }).isDisabled()).toBe(true);
  await close();
});

test('what can be fixed is not called hopeless', async () => {
  const { dialog, close } = await openCheck(checkWith(['too-fast', 'bad-line-break'], 1));
  await dialog.getByText('2 problems found.').waitFor();
  expect(await dialog.getByText(time).count()).toBe(0);
  await expect.poll(() => dialog.getByRole('button', { name: 'Fix all' }).isEnabled()).toBe(true);
  await close();
});

test.each([
  ['ru', '00:00:00,251', '22,6 симв./с, предел 42 симв./с'],
  ['uz', '00:00:00,251', '22,6 belgi/s, chegara 42 belgi/s'],
] as const)('a row of the check has one decimal sign (%s)', async (language, start, measured) => {
  const { dialog, close } = await openCheck(checkWith(['too-fast'], 1), language);
  const row = dialog.getByRole('listitem').filter({ hasText: 'Assalomu' });
  await row.getByText(start).waitFor();
  await row.getByText(measured).waitFor();
  await close();
});

test.each(['check', 'captions'] as const)(
  'a caption in the list of the %s leads into the text, where typing goes on before its first word',
  async (list) => {
    const talk = partlyTooFast([2]);
    const written = writeDocument(exporters.srt, talk, {}, writing);
    const { page, close } = await rig.open({
      detail: detailOf(talk, rig.server.addRecording(sample('interview-uz.mp3'))),
      answers: {
        'exports.check': checkSubtitles(exporters.srt, talk, {}, writing) ?? checkWith([], 0),
        'exports.render': { ...written, isShortened: false },
      },
    });
    await page.keyboard.press('Control+KeyE');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Check \(/u).click();
    const tooFast = dialog.getByRole('listitem').filter({ hasText: 'Too fast to read' }).first();
    if (list === 'check') await tooFast.getByRole('button', { name: /^Correct caption \d in the text$/u }).click();
    else {
      await tooFast.getByText('Too fast to read').click();
      await dialog.getByRole('button', { name: 'Correct this caption in the text' }).click();
    }
    await dialog.waitFor({ state: 'detached' });
    const isInText = () => page.evaluate(() => document.activeElement?.matches('[data-text="s2"]') === true);
    await expect.poll(isInText).toBe(true);
    await page.keyboard.type('Xoʻsh ');
    const text = talk.segments[2]?.text ?? '';
    await expect.poll(async () => (await onDisk(page, talk)).segments[2]?.text).toBe(`Xoʻsh ${text}`);
    await close();
  },
);

test('"Split at sentence ends" is offered for captions by sentence only', async () => {
  const { page, close } = await rig.open({
    detail: detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3'))),
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const splits = dialog.getByRole('switch', { name: 'Split at sentence ends' });
  await splits.waitFor();
  await dialog.getByText('By segment', { exact: true }).click();
  await splits.waitFor({ state: 'detached' });
  await dialog.getByText('By sentence', { exact: true }).click();
  await splits.waitFor();
  await close();
});

test('Ctrl+A in the export selects a field’s text or the preview where that is meant, and otherwise nothing', async () => {
  const { page, close } = await rig.open({
    detail: detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3'))),
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'By sentence' }).focus();
  const selected = (within: Page) => within.evaluate(() => document.getSelection()?.toString() ?? '');
  await page.keyboard.press('Control+KeyA');
  expect(await selected(page)).toBe('');
  await dialog.getByText('File', { exact: true }).click();
  await dialog.getByText('Assalomu alaykum, usta!').click();
  await page.keyboard.press('Control+KeyA');
  await expect.poll(() => selected(page)).toMatch(/^1\s+00:00:00,700 --> 00:00:02,338\s+Assalomu alaykum, usta!\s*$/u);
  const name = dialog.getByRole('textbox', { name: 'File name' });
  await name.focus();
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.type('suhbat');
  expect(await name.inputValue()).toBe('suhbat');
  await close();
});

test('the check opens at its top, however far the captions were scrolled', async () => {
  const cues = Array.from({ length: 60 }, (_, at) => {
    const time = `00:00:${String(at).padStart(2, '0')}`;
    return `${String(at + 1)}\n${time},000 --> ${time},900\nAssalomu alaykum\n`;
  });
  const { page, close } = await rig.open({
    detail: detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3'))),
    answers: {
      'exports.check': checkWith(
        Array.from({ length: 30 }, () => 'too-fast' as const),
        0,
      ),
      'exports.render': { kind: 'text', text: cues.join('\n'), isShortened: false },
    },
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const scrolled = page.locator('[data-preview]');
  await dialog.getByText('Assalomu alaykum').first().waitFor();
  await expect.poll(() => scrolled.evaluate((one) => ((one.scrollTop = 300), one.scrollTop))).toBe(300);
  await dialog.getByText(/^Check \(/u).click();
  await dialog.getByText('30 problems found.').waitFor();
  expect(await scrolled.evaluate((one) => one.scrollTop)).toBe(0);
  await close();
});

const deleted = (segment: Segment): Segment => ({ ...segment, text: '', words: [] });
const cut = (segment: Segment): Segment => ({
  ...segment,
  words: segment.words.map((word) => ({ ...word, mark: 'cut' })),
});

test.each([
  ['deleted', deleted],
  ['cut', cut],
])('where all text was %s, the export says that there is none and is not offered', async (_how, without) => {
  const transcript = partlyTooFast([]);
  const { page, close } = await rig.open({
    detail: detailOf(
      { ...transcript, segments: transcript.segments.map(without) },
      rig.server.addRecording(sample('interview-uz.mp3')),
    ),
  });
  await page.locator('[data-text]').first().waitFor();
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('There is nothing to export').waitFor();
  for (const name of [/^(?:Export|Save)/u, /^Copy/u])
    expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true);
  await close();
});
