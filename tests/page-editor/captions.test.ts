import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { GivenOptions } from '../../shared/domain/exports/options.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { playheadMs } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, longTranscript, sample } from './support/transcripts.ts';

const rig = editorRig();

/** As it was stored before there was a choice whose names captions have. */
const namesOfAll = { exportChoices: { srt: { speakers: 'change' } } };

/** Six segments of four slow words; those in `fast` have ten words in little more than a second. */
function partlyTooFast(fast: readonly number[]): Transcript {
  const transcript = longTranscript(6);
  return {
    ...transcript,
    segments: transcript.segments.map((segment, index) => {
      const [count, wordMs] = fast.includes(index) ? [10, 120] : [4, 1200];
      const words = segment.words.slice(0, count).map((word, at) => ({
        ...word,
        startMs: segment.startMs + at * wordMs,
        endMs: segment.startMs + (at + 1) * wordMs - 20,
      }));
      return {
        ...segment,
        endMs: segment.startMs + count * wordMs,
        text: words.map(({ text }) => text).join(' '),
        words,
      };
    }),
  };
}

test('F8 leads from one caption problem to the next and around, Shift+F8 back; the caret and the playhead go along', async () => {
  const transcript = partlyTooFast([2, 4]);
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, complaints, close } = await rig.open({ detail, settings: namesOfAll });
  const caret = () => page.evaluate(() => document.activeElement?.getAttribute('data-text'));
  await page.locator('[data-text]').first().click();
  for (const [key, place] of [
    ['F8', 2],
    ['F8', 4],
    ['F8', 2],
    ['Shift+F8', 4],
    ['Shift+F8', 2],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(caret).toBe(`s${String(place)}`);
    await expect.poll(() => playheadMs(page)).toBe(transcript.segments[place]?.startMs);
  }
  expect(
    await page
      .getByText(/[\d.]+ CPS with the name, too fast/u)
      .filter({ visible: true })
      .count(),
  ).toBe(2);
  // The same by the mouse, beside the number of problems.
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByRole('button', { name: 'Next caption problem' }).click();
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[4]?.startMs);
  await page.getByRole('button', { name: 'Previous caption problem' }).click();
  await expect.poll(() => playheadMs(page)).toBe(transcript.segments[2]?.startMs);
  expect(complaints).toEqual([]);
  await close();
});

test('a screen reader hears speaker and time of a segment, and the problems of its caption', async () => {
  const transcript = partlyTooFast([2]);
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('F8');
  const session = await page.context().newCDPSession(page);
  const heard = async (place: number) => {
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector: `[data-text="s${String(place)}"]`,
    });
    const { nodes } = await session.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
    const [{ role, name, description } = {}] = nodes;
    return [role, name, description].map((value) => (value?.value as string | undefined) ?? '');
  };
  await expect.poll(() => heard(1)).toEqual(['textbox', 'Usta Rahmatillo, 6 seconds', '']);
  await expect.poll(() => heard(2)).toEqual(['textbox', 'Speaker 3, 12 seconds', expect.stringMatching(/too fast/u)]);
  await close();
});

test('that there is no caption problem is said once, however often F8 is pressed, and the check stays on', async () => {
  const detail = detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await page.locator('[data-text]').first().click();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('F8');
  const notice = page.locator('[data-pane="notices"]').getByText('No caption problems.');
  await notice.first().waitFor();
  await page.getByRole('tab', { name: 'Info' }).click();
  const check = page.getByRole('switch', { name: 'Check caption rules' });
  await expect.poll(() => check.isChecked()).toBe(true);
  await expect.poll(() => page.getByText(/in the caption style “Ovoz Studio”/u).count()).toBe(1);
  expect(await notice.count()).toBe(1);
  await close();
});

test('Alt+F8 says why it leaves a caption as it is', async () => {
  const { segments, ...talk } = partlyTooFast([2]);
  const durationMs = segments[2]?.endMs ?? 0;
  const full = { ...talk, durationMs, segments: segments.slice(0, 3) };
  const detail = detailOf(full, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  const notices = page.locator('[data-pane="notices"]');
  await page.locator('[data-text="s0"]').click();
  await page.keyboard.press('Alt+F8');
  await notices.getByText('This caption has no problem to fix.').waitFor();
  await page.locator('[data-text="s2"]').click();
  await page.keyboard.press('Alt+F8');
  await notices.getByText('There is no silence left beside a caption').waitFor();
  await close();
});

test.each([
  ['talk.mp3', 'By sentence'],
  ['talk.srt', 'By segment'],
])(
  'the captions of %s are made %s, and the label of an unnamed speaker is shown as the file has it',
  async (sourceName, made) => {
    const detail = detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3')));
    const { page, close } = await rig.open({ detail: { ...detail, sourceName } });
    await page.keyboard.press('Control+KeyE');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('radio', { name: made }).isChecked()).toBe(true);
    await dialog.getByRole('radiogroup', { name: 'Speaker names' }).getByText('All', { exact: true }).click();
    await dialog.getByText('Speakers without a name are labelled in the language of the transcript:').waitFor();
    await dialog.getByText(/^\d-soʻzlovchi$/u).waitFor();
    await close();
  },
);

test.each([
  ['en', 1280],
  ['ru', 960],
  ['uz', 960],
  ['ru', 600],
] as const)('the problems of captions come without moving the text (%s, %i px wide)', async (language, width) => {
  const detail = detailOf(partlyTooFast([0, 1, 2, 4]), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, language, size: { width, height: 800 } });
  const texts = page.locator('[data-text]');
  const places = () => texts.evaluateAll((hosts) => hosts.map((host) => host.getBoundingClientRect().top));
  await texts.first().waitFor();
  const before = await places();
  await page.keyboard.press('F8');
  const problem = page.locator('[data-index="0"] [title*="adras"]:visible').first();
  await problem.waitFor();
  expect(await places()).toEqual(before);
  // And they are inside of their line.
  const row = await page.locator('[data-index="0"]').boundingBox();
  const chip = await problem.boundingBox();
  expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
  expect(chip?.x).toBeGreaterThanOrEqual(row?.x ?? 0);
  await close();
});

/** An option of the last preview that was asked for. */
const lastOption = async (page: Page, name: string) =>
  ((await callsOf(page, 'exports.render')) as readonly { readonly options: GivenOptions }[]).at(-1)?.options[name];

/** Told by the tooltip of the first problem of a row. */
const reasonsOf = async (page: Page, row: number) =>
  (await page
    .locator(`[data-index="${String(row)}"] [title]:visible`)
    .first()
    .getAttribute('title')) ?? '';

test('a caption that is too fast says that the name of its speaker counts, and how fast the text alone is', async () => {
  const detail = detailOf(partlyTooFast([2]), rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, settings: namesOfAll });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('F8');
  const badge = page.locator('[data-index="2"]').getByText(/^[\d.]+ CPS with the name, too fast$/u);
  await badge.first().waitFor();
  const reasons = await reasonsOf(page, 2);
  const [, letters = '', speed = ''] =
    /The name “3-soʻzlovchi:” counts, because the export writes it\. The text alone: (\d+) characters, ([\d.]+) CPS/u.exec(
      reasons,
    ) ?? [];
  const shown = /“(3-soʻzlovchi: [^”]+)”, 00:12\.000 – 00:\d\d\.\d{3}: (\d+) characters/u.exec(reasons);
  expect(Number(letters)).toBe((shown?.[1]?.length ?? 0) - '3-soʻzlovchi: '.length);
  expect(Number(speed)).toBeLessThan(Number.parseFloat((await badge.first().textContent()) ?? ''));
  await page.getByRole('tab', { name: 'Info' }).click();
  await page.getByText(/Speaker names count too, and a long one can change where captions are split\./u).waitFor();
  await close();
});

test.each(['Dilnoza', null])('a name that captions shorten says so where it is given (before: %s)', async (name) => {
  const transcript = partlyTooFast([]);
  const speakers = transcript.speakers.map((one) => ({ ...one, name: one.id === 'p0' ? name : null }));
  const detail = detailOf({ ...transcript, speakers }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await page.locator('[data-index="0"]').getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  const hint = dialog.getByText(/^Captions write it as/u);
  await dialog.getByRole('textbox').fill('Dilnoza Karimova');
  expect(await hint.count()).toBe(0);
  await dialog.getByRole('textbox').fill('Oydin Karimova-Rahmatullayeva, professor');
  await expect.poll(() => hint.textContent()).toMatch(/^Captions write it as “Oydin:”/u);
  await close();
});

test('the label of a speaker who was never named counts only after "All" is chosen; whose names and when is one choice', async () => {
  const transcript = partlyTooFast([2]);
  const speakers = transcript.speakers.map((one) => ({ ...one, name: null }));
  const detail = detailOf({ ...transcript, speakers }, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail });
  await page.locator('[data-text]').first().click();
  await page.keyboard.press('F8');
  await page.locator('[data-index="2"]').getByText(/CPS, /u).first().waitFor();
  expect(await page.getByText(/with the name/u).count()).toBe(0);
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const whose = dialog.getByRole('radiogroup', { name: 'Speaker names' });
  const when = dialog.getByRole('radiogroup', { name: 'When' });
  const chosen = () =>
    Promise.all([whose, when].map((group) => group.locator('label:has(:checked)').allTextContents()));
  await expect.poll(chosen).toEqual([['Named only'], ['On change']]);
  await when.getByText('Always').click();
  await expect.poll(() => lastOption(page, 'speakers')).toBe('named-every');
  await whose.getByText('All', { exact: true }).click();
  await expect.poll(() => lastOption(page, 'speakers')).toBe('every');
  await expect.poll(chosen).toEqual([['All'], ['Always']]);
  await whose.getByText('Off').click();
  await expect.poll(() => lastOption(page, 'speakers')).toBe('none');
  expect(await when.count()).toBe(0);
  await close();
});

test('without speakers a problem has its number, unit and word above the text, moves nothing and names its caption', async () => {
  const made = partlyTooFast([1, 4]);
  const transcript: Transcript = {
    ...made,
    speakers: [],
    segments: made.segments.map((segment, at) => ({
      ...segment,
      speakerId: null,
      // Nothing is left between the first one and the second.
      endMs: at === 0 ? 6000 : segment.endMs,
    })),
  };
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  for (const size of [
    { width: 1280, height: 800 },
    { width: 960, height: 640 },
  ]) {
    const { page, close } = await rig.open({ detail: { ...detail, sourceName: 'talk.srt' }, size });
    const texts = page.locator('[data-text]');
    const places = () => texts.evaluateAll((hosts) => hosts.map((host) => host.getBoundingClientRect().top));
    await texts.first().waitFor();
    const before = await places();
    await page.keyboard.press('F8');
    await page
      .locator('[data-index="1"]')
      .getByText(/^[\d.]+ CPS, too fast/u)
      .last()
      .waitFor();
    await page.locator('[data-index="0"]').getByText('Gap 0 s, at least 0.08 s').last().waitFor();
    expect(await places()).toEqual(before);
    expect(await reasonsOf(page, 0)).toMatch(
      /^Gap 0 s, at least 0\.08 s\n“[^”]+”, 00:00\.000 – 00:06\.000: the next caption begins at 00:06\.000\nLimit: 0\.08 s$/u,
    );
    expect(await reasonsOf(page, 1)).toMatch(/“[^”]+”, 00:06\.000 – 00:07\.200: \d+ characters in 1\.2 s/u);
    await close();
  }
});

test('redacted words are quieter than the text in the preview of a file, in the dark theme too', async () => {
  const detail = detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3')));
  const text = '1\n00:00:00,700 --> 00:00:02,338\nAssalomu █████, usta!\n';
  const { page, close } = await rig.open({
    detail,
    theme: 'dark',
    answers: { 'exports.render': { kind: 'text', text, isCut: false } },
  });
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const cue = dialog.getByRole('listitem').filter({ hasText: 'Assalomu' });
  const light = (place: Locator) =>
    place.evaluate((element) => {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(element).color.match(/\d+/gu) ?? [];
      return Number(red) + Number(green) + Number(blue);
    });
  const redacted = await light(cue.getByText('█████', { exact: true }));
  expect(redacted).toBeLessThan((await light(cue.getByText(/^Assalomu/u).last())) / 2);
  await close();
});
