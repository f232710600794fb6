import type { Locator } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { editorRig } from './support/editor-rig.ts';
import { partlyTooFast } from './support/too-fast.ts';
import { detailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const size = { width: 960, height: 640 };

test('in a narrow window the times of a caption stay in one line beside a long problem', async () => {
  const problem = {
    kind: 'gap-too-short' as const,
    cue: 0,
    is: 20,
    limit: 83,
    startMs: 700,
    endMs: 2338,
    lines: ['Assalomu'],
  };
  const { page, close } = await rig.open({
    detail: detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3'))),
    answers: { 'exports.check': { cueCount: 1, unmendedCount: 1, mendedCount: 0, problems: [problem] } },
    language: 'ru',
    size,
  });
  await page.keyboard.press('Control+KeyE');
  const caption = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Assalomu' });
  await caption.getByText('Слишком близко к следующему субтитру').waitFor();
  const times = caption.getByText('00:00:00,700 → 00:00:02,338');
  expect((await times.boundingBox())?.height).toBeLessThan(20);
  const isInside = await caption.evaluate((row) => row.scrollWidth <= row.clientWidth);
  expect(isInside).toBe(true);
  await close();
});

test.each([size, { width: 1280, height: 800 }])(
  'the name of a format and its extension never touch ($width × $height)',
  async (window) => {
    const { page, close } = await rig.open({ detail: detailOf(sampleTranscript('interview-uz'), null), size: window });
    await page.keyboard.press('Control+KeyE');
    const names = page.getByRole('dialog').getByRole('radiogroup').first().locator('label:has(input)');
    await names.first().waitFor();
    // They have less room with a scroll bar, which the browser of the tests has none of.
    const touching = await names.evaluateAll((labels) =>
      labels.flatMap((label) => {
        const [name, extension] = [...label.querySelectorAll(':scope > span:not([id]):has(~ span)')].filter(
          (part) => part.querySelector('input') === null,
        );
        if (name === undefined || extension === undefined) return ['nothing found'];
        const words = document.createRange();
        words.selectNodeContents(name);
        const [own, other] = [words.getBoundingClientRect(), extension.getBoundingClientRect()];
        return own.right + 9 > other.left && own.bottom > other.top ? [name.textContent] : [];
      }),
    );
    expect(touching).toEqual([]);
    await close();
  },
);

test('the parts of the audio without its cuts have the decimal sign of the language', async () => {
  const spans = [
    { startMs: 0, endMs: 7249 },
    { startMs: 8000, endMs: 12_000 },
  ];
  const { page, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), rig.server.addRecording(sample('interview-uz.mp3'))),
    settings: { lastExportFormat: 'wav' },
    answers: { 'exports.render': { kind: 'audio', spans, durationMs: 12_000, isShortened: false } },
    language: 'ru',
  });
  await page.keyboard.press('Control+KeyE');
  await page.getByRole('dialog').getByText('00:00:00,000 – 00:00:07,249').waitFor();
  await close();
});

test('that the text is copied is said for a moment, and no longer once something else is chosen or saved', async () => {
  const { page, complaints, close } = await rig.open({ detail: detailOf(sampleTranscript('interview-uz'), null) });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const copy = dialog.getByRole('button', { name: 'Copy text' });
  const copied = dialog.getByRole('button', { name: 'Copied' });
  await copy.click();
  await copied.waitFor();
  await copy.waitFor();
  await copy.click();
  await copied.waitFor();
  await dialog.getByText('WebVTT', { exact: true }).click();
  expect(await copied.count()).toBe(0);
  await copy.click();
  await copied.waitFor();
  await dialog.getByRole('button', { name: /^Export|^Save/u }).click();
  await dialog.getByText('suhbat.srt').waitFor();
  expect(await copied.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('captions match the exported audio where something is cut, which is offered at once there and among the rare options elsewhere', async () => {
  const { segments, ...talk } = longTranscript(4);
  const cut = segments.map((one, at) =>
    at === 1 ? { ...one, words: one.words.map((word) => ({ ...word, mark: 'cut' as const })) } : one,
  );
  for (const [given, isSeen, isNoted] of [
    [{ segments }, false, false],
    [{ segments: cut }, true, true],
    // Nobody speaks in a silence.
    [{ segments, cuts: [{ startMs: 0, endMs: 1 }] }, true, false],
  ] as const) {
    const { page, close } = await rig.openText({ ...talk, ...given });
    await page.keyboard.press('Control+KeyE');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('radiogroup', { name: 'Speaker names' }).waitFor();
    const withoutCuts = dialog.getByText('Match the exported audio');
    expect(await withoutCuts.isVisible()).toBe(isSeen);
    // What was cut is in no caption, whichever times they have.
    const note = dialog.getByText('what was cut is not in the captions');
    expect(await note.count()).toBe(0);
    if (isSeen) {
      const option = dialog.getByRole('switch', { name: 'Match the exported audio' });
      expect(await option.isChecked()).toBe(true);
      await withoutCuts.click();
      await expect.poll(() => option.isChecked()).toBe(false);
      expect(await note.count()).toBe(isNoted ? 1 : 0);
    }
    await close();
  }
});

test('after a caption of two equal lines the picture shows the next caption alone', async () => {
  const text = '1\n00:00:00,000 --> 00:00:02,000\n- Ha.\n- Ha.\n\n2\n00:00:03,000 --> 00:00:05,000\nRahmat.\n';
  const { page, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: { 'exports.render': { kind: 'text', text, isShortened: false } },
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const lines = dialog.getByRole('figure').locator('p > span');
  await expect.poll(() => lines.allTextContents()).toEqual(['- Ha.', '- Ha.']);
  await dialog.getByRole('listitem').getByRole('button', { name: 'Rahmat.' }).click();
  await expect.poll(() => lines.allTextContents()).toEqual(['Rahmat.']);
  await close();
});

test('of a long file the captions around the playhead are listed, and the keys lead to the others', async () => {
  const transcript = longTranscript(1000);
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
  const text = transcript.segments
    .map(
      ({ startMs, endMs }, place) =>
        `${String(place + 1)}\n${at(startMs)} --> ${at(endMs)}\nCaption ${String(place + 1)}\n`,
    )
    .join('\n');
  const { page, complaints, close } = await rig.open({
    detail: detailOf(transcript, null),
    answers: { 'exports.render': { kind: 'text', text, isShortened: false } },
  });
  const clock = page.getByRole('button', { name: 'Go to a time…' });
  await clock.click();
  await page.locator('input:focus').fill('50:01');
  await page.keyboard.press('Enter');
  await clock.getByText('50:01').waitFor();
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const current = dialog.locator('button[aria-pressed="true"]');
  await expect.poll(() => current.textContent()).toContain('Caption 501');
  await expect.poll(() => current.evaluate((button) => button.getBoundingClientRect().top < innerHeight)).toBe(true);
  // Its picture stays in sight above it.
  const box = async (of: Locator) => (await of.boundingBox()) ?? { y: -1, height: -1 };
  const picture = await box(dialog.getByRole('figure', { name: /Caption 501/u }));
  expect(picture.y).toBeGreaterThan((await box(dialog)).y);
  expect((await box(current)).y).toBeGreaterThanOrEqual(picture.y + picture.height);
  expect(await dialog.getByRole('listitem').count()).toBeLessThanOrEqual(200);
  await dialog.getByText('Captions 401 to 600 of 1,000 are listed here').waitFor();
  expect((await callsOf(page, 'exports.render')).map(({ part }) => part)).toEqual(['all']);
  await current.press('End');
  await expect.poll(() => dialog.locator('button:focus').textContent()).toContain('Caption 1000');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => dialog.locator('button:focus').textContent()).toContain('Caption 999');
  // Back from the file, of which the beginning was shown.
  const beginning = { kind: 'text' as const, text: text.slice(0, 6000), isShortened: true };
  await page.evaluate((answer) => window.fakeStudio.setAnswer('exports.render', answer), beginning);
  await dialog.getByRole('radio', { name: 'File', exact: true }).press('Space');
  await expect.poll(() => dialog.locator('[data-preview]').textContent()).not.toContain('Caption 999');
  await page.evaluate((answer) => window.fakeStudio.setAnswer('exports.render', answer), {
    ...beginning,
    text,
    isShortened: false,
  });
  await dialog.getByRole('radio', { name: 'Captions', exact: true }).press('Space');
  await expect.poll(() => current.textContent()).toContain('Caption 501');
  await expect
    .poll(() => current.evaluate((button) => button.getBoundingClientRect().top))
    .toSatisfy((top: number) => top > 0 && top < (page.viewportSize()?.height ?? 0));
  expect(complaints).toEqual([]);
  await close();
});

test('where only the beginning of a long file is listed as captions, that is said', async () => {
  const text = '1\n00:00:00,000 --> 00:00:02,000\nBir.\n\n2\n00:00:03,000 --> 00:00:05,000\nIkki.\n';
  const { page, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: { 'exports.render': { kind: 'text', text, isShortened: true } },
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').getByRole('button', { name: 'Bir.' }).waitFor();
  await dialog.getByText('Preview shows the beginning only.').waitFor();
  await close();
});

test('a key that leads to the caption it is pressed in doesn’t take the focus back from an option later', async () => {
  const text = '1\n00:00:00,000 --> 00:00:02,000\nBir.\n\n2\n00:00:03,000 --> 00:00:05,000\nIkki.\n';
  const { page, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: { 'exports.render': { kind: 'text', text, isShortened: false } },
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const first = dialog.getByRole('listitem').getByRole('button', { name: 'Bir.' });
  await first.press('Home');
  await first.press('Home');
  const others = dialog.getByRole('radiogroup', { name: 'Speaker names' }).getByRole('radio', { checked: false });
  await others.first().press('Space');
  await expect.poll(async () => (await callsOf(page, 'exports.render')).length).toBeGreaterThan(1);
  expect(await dialog.getByRole('radio').and(page.locator(':focus')).count()).toBe(1);
  await close();
});

test('behind a dialog nothing is undone or done again', async () => {
  const { page, texts, complaints, close } = await rig.openText(sampleTranscript('interview-uz'));
  await texts.first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' yana');
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.waitFor();
  await page.keyboard.press('Control+KeyZ');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await texts.first().textContent()).toMatch(/ yana$/u);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.first().textContent()).not.toMatch(/ yana$/u);
  expect(complaints).toEqual([]);
  await close();
});

const goneFolder = makeFailure('E-214', { code: 'export_folder_gone', params: { name: 'Subtitrlar' } });

test('an export that is repeated in vain says where and why, and the same one may be put elsewhere', async () => {
  const { page, complaints, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    settings: {
      lastExportFormat: 'vtt',
      exportChoices: { vtt: { speakers: 'every' } },
      exportFolderName: 'Subtitrlar',
    },
  });
  await page.evaluate((refusal) => window.fakeStudio.setFailure('exports.save', refusal), goneFolder);
  await page.keyboard.press('Control+Shift+KeyE');
  await page.getByText('The folder “Subtitrlar” is no longer there. Nothing was lost.').waitFor();
  await page.evaluate(() => window.fakeStudio.setFailure('exports.save', null));
  await page.getByRole('button', { name: 'Choose another place…' }).click();
  await page.getByText('Saved as suhbat.srt').waitFor();
  const [first, second] = (await callsOf(page, 'exports.save')) as readonly object[];
  expect(first).toMatchObject({ place: 'last', format: 'vtt', options: { speakers: 'every' } });
  expect(second).toEqual({ ...first, place: 'ask' });
  expect(complaints).toEqual([]);
  await close();
});

test('an export of the dialog that has no place any more may be put elsewhere, under the same name', async () => {
  const { page, complaints, close } = await rig.open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    settings: { exportFolderName: 'Subtitrlar' },
  });
  await page.evaluate((refusal) => window.fakeStudio.setFailure('exports.save', refusal), goneFolder);
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'File name' }).fill('final');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('The folder “Subtitrlar” is no longer there.').waitFor();
  await page.evaluate(() => window.fakeStudio.setFailure('exports.save', null));
  await dialog.getByRole('button', { name: 'Choose another place…' }).click();
  await dialog.getByText('Saved as suhbat.srt').waitFor();
  expect(await callsOf(page, 'exports.save')).toMatchObject([
    { place: 'last', name: 'final' },
    { place: 'ask', name: 'final' },
  ]);
  expect(complaints).toEqual([]);
  await close();
});

test('only in LRC, which has one line for each time, the lines of a caption are said to be joined', async () => {
  const { page, close } = await rig.open({ detail: detailOf(sampleTranscript('interview-uz'), null) });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const note = dialog.getByText('the lines of a caption are joined');
  await dialog.getByRole('radiogroup', { name: 'Lines per caption' }).waitFor();
  expect(await note.count()).toBe(0);
  await dialog.getByText('LRC', { exact: true }).click();
  await note.waitFor();
  await close();
});
