import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { isPlaying, markedWord, playheadMs, waitForSound, type OpenOptions } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, fixture, longDetailOf, longTranscript, sample, sampleTranscript } from './support/transcripts.ts';
import { turn } from '../support/turn.ts';

const rig = editorRig();

const open = (options: OpenOptions) => rig.open(options);
/** The problems axe finds, as lines with the rule and the element. */
const findBarriers = (page: Page): Promise<string[]> =>
  tellBarriers(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });

test('without its recording the text is shown, and the recording can be located again', async () => {
  const transcript = sampleTranscript('interview-uz');
  const token = rig.server.addRecording(sample('interview-uz.mp3'));
  const notFound = makeFailure('E-010', { params: { name: 'suhbat.mp3' } });
  const { page, close } = await open({
    detail: detailOf(transcript, null, { mediaFailure: notFound }),
    answers: {
      'transcripts.locateMedia': { mediaUrl: null, mediaToken: null, recordingName: null, failure: notFound },
    },
  });
  await page.getByText('Recording not found.').waitFor();
  await expect.poll(() => page.locator('article').count()).toBeGreaterThan(3);
  await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Locate the recording' }).click();
  await page.getByText('suhbat.mp3').waitFor();
  await page.evaluate((found) => window.fakeStudio.setAnswer('transcripts.locateMedia', found), {
    mediaUrl: `/media/${token}`,
    mediaToken: token,
    recordingName: 'suhbat.mp3',
    failure: null,
  });
  await page.getByRole('button', { name: 'Locate the recording' }).click();
  await waitForSound(page);
  await expect.poll(() => page.getByText('Recording not found.').count()).toBe(0);
  await close();
});

test('a recording without words says so and can still be played', async () => {
  const silent = { ...sampleTranscript('interview-uz'), segments: [], speakers: [] };
  const { page, complaints, close } = await open({
    detail: detailOf(silent, rig.server.addRecording(fixture('two-sentences.mp3'))),
  });
  await waitForSound(page);
  await page.getByRole('heading', { name: 'No speech heard' }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('a text that was deleted is not said to be a recording without speech; it can be undone there, and Versions opened', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, close } = await open({
    detail: detailOf(transcript, null),
    answers: { 'transcripts.edit': { revision: 1 } },
  });
  const texts = page.locator('[data-text]');
  const deleteAll = async () => {
    await texts.first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('heading', { name: 'All the text was deleted' }).waitFor();
  };
  await deleteAll();
  expect(await page.getByText('No speech heard').count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  const offered = page.getByRole('region', { name: 'All the text was deleted' });
  await offered.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => texts.first().textContent()).toBe(transcript.segments[0]?.text);
  await deleteAll();
  await offered.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('complementary', { name: 'Versions' }).waitFor();
  await close();
});

test('a text that was deleted before it was opened offers Versions, and no undo that would do nothing', async () => {
  const deleted = { ...sampleTranscript('interview-uz'), segments: [], speakers: [] };
  const { page, close } = await open({ detail: detailOf(deleted, null, { revision: 3 }) });
  const offered = page.getByRole('region', { name: 'All the text was deleted' });
  await offered.getByRole('button', { name: 'Versions' }).waitFor();
  expect(await offered.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await close();
});

test('words with estimated times are marked, those in a row as one, and the legend says what the marks mean', async () => {
  const transcript = sampleTranscript('interview-uz');
  const [first, second, ...rest] = transcript.segments;
  if (first === undefined || second === undefined) throw new Error('too few segments');
  const words = second.words.map((word, at) => (at === 1 ? word : { ...word, isEstimated: true as const }));
  const segments = [first, { ...second, words }, ...rest];
  const { page, close } = await open({ detail: detailOf({ ...transcript, segments }, null) });
  await page.getByText('Dotted underline = estimated time').waitFor();
  const [before = '', , ...after] = second.words.map(({ text }) => text);
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('ovoz-estimated') ?? [])].map(({ startContainer, startOffset, endOffset }) =>
        startContainer.textContent?.slice(startOffset, endOffset),
      ),
    );
  await expect.poll(marked).toEqual([before, after.join(' ')]);
  await close();
});

test('an Uzbek text is read, played and exported in its other alphabet, and stays stored as it was', async () => {
  const transcript = sampleTranscript('interview-uz');
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await open({ detail });
  await waitForSound(page);
  const text = page.getByRole('region', { name: 'Transcript' });
  await text.getByText('Assalomu alaykum, usta!').waitFor();
  await turn(page.getByRole('switch', { name: /Cyrillic letters/ }));
  const first = text.getByText('Ассалому алайкум, уста!');
  await first.waitFor();
  await expect.poll(() => first.getAttribute('lang')).toBe('uz-Cyrl');
  await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ transcriptScript: 'cyrillic' }]);
  // A word of the shown text still plays at its time.
  await text.getByText('кулолчилик').first().click();
  await expect.poll(() => markedWord(page)).toMatch(/^[Ѐ-ӿ]+[.,!?]?$/u);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Control+e');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect.poll(() => dialog.getByRole('switch', { name: 'In Cyrillic letters' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Export .srt…' }).click();
  await dialog.getByText('Saved as suhbat.srt').waitFor();
  await turn(dialog.getByRole('switch', { name: 'In Cyrillic letters' }), false);
  await dialog.getByText('Saved as suhbat.srt').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Export .srt…' }).click();
  await dialog.getByText('Saved as suhbat.srt').waitFor();
  expect((await callsOf(page, 'exports.save')).map(({ options }) => options)).toEqual([
    { script: 'cyrillic' },
    { script: 'as-written' },
  ]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Latin and Cyrillic');
  await page.keyboard.press('Enter');
  await text.getByText('Assalomu alaykum, usta!').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an export is saved, shown in its folder, copied, and a refusal is explained', async () => {
  const transcript = sampleTranscript('interview-uz');
  const { page, close } = await open({ detail: detailOf(transcript, null) });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await turn(dialog.getByRole('radio', { name: /WebVTT(?!,)/ }));
  await dialog.getByRole('button', { name: 'Export .vtt…' }).click();
  await dialog.getByText('Saved as suhbat.srt').waitFor();
  await expect
    .poll(() => callsOf(page, 'exports.save'))
    .toEqual([
      { transcriptId: 't1', format: 'vtt', options: { script: 'as-written' }, source: 'studio', place: 'ask' },
    ]);
  await dialog.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(() => callsOf(page, 'exports.reveal')).toEqual([{ revealToken: 'reveal-1' }]);
  await dialog.getByRole('button', { name: 'Copy text' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Assalomu alaykum, usta!');
  await page.evaluate(
    (refusal) => window.fakeStudio.setFailure('exports.save', refusal),
    makeFailure('E-171', { code: 'export_not_writable', params: { name: 'suhbat.vtt' } }),
  );
  await dialog.getByRole('button', { name: 'Export .vtt…' }).click();
  await expect.poll(() => dialog.getByRole('alert').textContent()).toMatch(/[a-z]{3,}.*[.]$/u);
  await close();
});

test('a file has the name that was typed or chosen in the system dialog, and so has the next one', async () => {
  const { page, close } = await open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: { 'exports.save': { savedAs: 'mysubs.srt', revealToken: null } },
  });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const name = dialog.getByRole('textbox', { name: 'File name' });
  await dialog.getByRole('button', { name: 'Export .srt…' }).click();
  await dialog.getByText('Saved as mysubs.srt').waitFor();
  await expect.poll(() => name.inputValue()).toBe('mysubs');
  await name.press('Enter');
  await expect.poll(() => callsOf(page, 'exports.save')).toMatchObject([{ place: 'ask' }, { name: 'mysubs' }]);
  await name.fill('final');
  await turn(dialog.getByRole('radio', { name: /WebVTT(?!,)/ }));
  await name.press('Enter');
  await expect.poll(() => callsOf(page, 'exports.save')).toHaveLength(3);
  expect((await callsOf(page, 'exports.save'))[2]).toMatchObject({ format: 'vtt', name: 'final' });
  await close();
});

test('of a long export the preview shows the start and says so, and copying takes all of it', async () => {
  const { page, complaints, close } = await open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: { 'exports.render': { kind: 'text', text: 'The beginning', isShortened: true } },
  });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await turn(dialog.getByRole('radio', { name: /Plain text/ }));
  await dialog.getByText('The beginning', { exact: true }).waitFor();
  await dialog.getByText('Preview shows the beginning only.').waitFor();
  await page.evaluate(() =>
    window.fakeStudio.setAnswer('exports.render', { kind: 'text', text: 'All of it', isShortened: false }),
  );
  await dialog.getByRole('button', { name: 'Copy text' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('All of it');
  expect((await callsOf(page, 'exports.render')).map(({ part }) => part)).toEqual(['beginning', 'beginning', 'all']);
  expect(complaints).toEqual([]);
  await close();
});

test('a problem behind the beginning of a long export leads to its caption', async () => {
  const srt = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const time = (ms: number) => `00:00:${String(at * 2).padStart(2, '0')},${String(ms).padStart(3, '0')}`;
      return `${String(at + 1)}\n${time(0)} --> ${time(900)}\nCaption ${String(at + 1)}\n`;
    }).join('\n');
  const kind = 'too-fast' as const;
  const problem = { cue: 7, kind, is: 30, limit: 20, startMs: 14_000, endMs: 14_900, lines: ['Caption 8'] };
  const { page, complaints, close } = await open({
    detail: detailOf(sampleTranscript('interview-uz'), null),
    answers: {
      'exports.render': { kind: 'text', text: srt(3), isShortened: true },
      'exports.check': { cueCount: 9, unmendedCount: 1, mendedCount: 1, problems: [problem] },
    },
  });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await turn(dialog.getByRole('radio', { name: /\.srt/ }).first());
  await dialog.locator('label').filter({ hasText: '(1)' }).click();
  const whole = { kind: 'text', text: srt(9), isShortened: false };
  await page.evaluate((answer) => window.fakeStudio.setAnswer('exports.render', answer), whole);
  await dialog.getByRole('button', { name: /Caption 8/ }).click();
  const caption = dialog.locator('button[aria-pressed="true"]').filter({ hasText: 'Caption 8' });
  await expect.poll(() => caption.evaluate((button) => button === document.activeElement)).toBe(true);
  await dialog.getByRole('figure', { name: /Caption 8/ }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('30,000 words open with a few of them in the page, and the view follows until the user scrolls', async () => {
  const transcript = longTranscript(1500);
  const { page, close } = await open(longDetailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3'))));
  const read = (await callsOf(page, 'transcripts.readOn')).map(({ part }) => part);
  expect(read).toEqual(Array.from({ length: read.length }, (_, part) => part));
  expect(read.length).toBeGreaterThan(5);
  await waitForSound(page);
  const text = page.locator('[data-pane="text"]');
  await expect.poll(() => text.locator('*').count()).toBeLessThan(600);
  // The recording is shorter than the text says: the lane has to show its real length.
  const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
  await page.mouse.click((lane?.x ?? 0) + (lane?.width ?? 0) / 2, (lane?.y ?? 0) + 90);
  await expect.poll(() => playheadMs(page)).toBeGreaterThan(19_000);
  await expect.poll(() => playheadMs(page)).toBeLessThan(22_000);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('section[aria-label="Transcript"]').hover();
  await page.mouse.wheel(0, 20_000);
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  const isHeardSeen = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('ovoz-word-now') ?? [];
      const rect = range?.startContainer.parentElement?.getBoundingClientRect();
      return rect !== undefined && rect.bottom > 0 && rect.top < innerHeight;
    });
  await expect.poll(isHeardSeen).toBe(false);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await expect.poll(isHeardSeen).toBe(true);
  await expect.poll(() => text.locator('*').count()).toBeLessThan(600);
  // The scroll position is restored when the text is left and opened again.
  await page.locator('section[aria-label="Transcript"]').hover();
  await page.mouse.wheel(0, 30_000);
  const top = () =>
    text.evaluate((pane) => {
      const edge = pane.querySelector('section')?.getBoundingClientRect().top ?? 0;
      const seen = [...pane.querySelectorAll<HTMLElement>('[data-index]')]
        .map((turn) => ({ at: Number(turn.dataset['index']), bottom: turn.getBoundingClientRect().bottom }))
        .filter(({ bottom }) => bottom > edge + 1);
      return Math.min(...seen.map(({ at }) => at));
    });
  await expect.poll(top).toBeGreaterThan(100);
  const left = await top();
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await text.waitFor({ state: 'detached' });
  await page.goBack();
  await text.waitFor();
  await expect.poll(async () => Math.abs((await top()) - left)).toBeLessThan(2);
  await close();
});
