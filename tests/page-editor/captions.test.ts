import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { GivenOptions } from '../../shared/domain/exports/options.ts';
import { callsOf } from '../support/fake-studio.ts';
import { playheadMs } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { namesOfAll, partlyTooFast } from './support/too-fast.ts';
import { detailOf, sample } from './support/transcripts.ts';

const rig = editorRig();

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
      .getByText(/[\d.]+ CPS with the name, limit 17/u)
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

test('F8 begins with the segment at the playhead when nothing was typed yet', async () => {
  const transcript = partlyTooFast([0, 2]);
  const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({ detail, settings: namesOfAll });
  const caret = () => page.evaluate(() => document.activeElement?.getAttribute('data-text'));
  for (const place of [0, 2]) {
    await page.keyboard.press('F8');
    await expect.poll(caret).toBe(`s${String(place)}`);
  }
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
  await expect
    .poll(() => heard(2))
    .toEqual(['textbox', 'Speaker 3, 12 seconds', expect.stringMatching(/CPS, limit 17/u)]);
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

test('F8 says that caption checks are on, in this transcript alone, and the notice takes that back', async () => {
  const { page, close } = await rig.openText(partlyTooFast([2]));
  const badges = page.locator('[data-problems]');
  await page.keyboard.press('F8');
  await badges.first().waitFor();
  // Other transcripts stay as they are.
  expect(await callsOf(page, 'settings.update')).not.toContainEqual(expect.objectContaining({ checksCaptions: true }));
  const notices = page.locator('[data-pane="notices"]');
  await notices.getByText('Caption checks on.').waitFor();
  await notices.getByRole('button', { name: 'Undo' }).click();
  await badges.first().waitFor({ state: 'detached' });
  await close();
});

test('gaps alone are a sign in the margin, and the same problems are counted together', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const near = segments.map((one, at) => ({ ...one, endMs: (segments[at + 1]?.startMs ?? one.endMs + 50) - 50 }));
  const { page, close } = await rig.openText(
    { ...talk, segments: near },
    {
      settings: {
        checksCaptions: true,
        exportChoices: { srt: { cuesFrom: 'segments', speakers: 'none', charactersPerLine: 60 } },
      },
    },
  );
  const sign = page.locator('[data-index="0"] [data-problems]');
  await sign.waitFor();
  expect(
    await page
      .getByText(/^Gap 50 ms/u)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  const host = page.locator('[data-index="0"] [data-text]');
  const [mark, text] = [await sign.boundingBox(), await host.boundingBox()];
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual(text?.x ?? 0);
  await page.getByRole('tab', { name: 'Info' }).click();
  const gaps = page.getByRole('listitem').filter({ hasText: 'Too close to the next caption' });
  expect(await gaps.textContent()).toBe(`Too close to the next caption${String(near.length - 1)}`);
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

test('how captions are made and named counts in the editor as soon as it is chosen, and is kept when the export is closed', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  // By segment only, the first caption ends too near to the second.
  const close = segments.map((one, at) => (at === 0 ? { ...one, endMs: 5920 } : one));
  const detail = detailOf({ ...talk, segments: close }, rig.server.addRecording(sample('interview-uz.mp3')));
  const opened = await rig.open({ detail, settings: { checksCaptions: true } });
  const { page } = opened;
  const stored = async () =>
    ((await callsOf(page, 'settings.update')) as readonly { readonly exportChoices?: { readonly srt?: object } }[]).at(
      -1,
    )?.exportChoices?.srt;
  const badge = page.locator('[data-index="0"]').getByText('Gap 80 ms, at least 83 ms needed', { exact: true });
  await page.locator('[data-text]').first().waitFor();
  expect(await badge.count()).toBe(0);
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('By segment', { exact: true }).click();
  await dialog.getByRole('radiogroup', { name: 'Speaker names' }).getByText('Off').click();
  await expect.poll(stored).toEqual({ cuesFrom: 'segments', speakers: 'none' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await badge.first().waitFor({ state: 'attached' });
  await page.keyboard.press('Control+KeyE');
  await expect.poll(() => dialog.getByRole('radio', { name: 'By segment' }).isChecked()).toBe(true);
  await expect.poll(() => dialog.getByRole('radio', { name: 'Off' }).isChecked()).toBe(true);
  await dialog.getByText('By sentence', { exact: true }).click();
  await expect.poll(stored).toEqual({ speakers: 'none' });
  await opened.close();
});

/** An option of the last preview that was asked for. */
const lastOption = async (page: Page, name: string) =>
  ((await callsOf(page, 'exports.render')) as readonly { readonly options: GivenOptions }[]).at(-1)?.options[name];

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
  await page
    .locator('[data-index="2"]')
    .getByText(/CPS, limit /u)
    .first()
    .waitFor();
  expect(await page.getByText(/with the name/u).count()).toBe(0);
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  const whose = dialog.getByRole('radiogroup', { name: 'Speaker names' });
  const when = dialog.getByRole('radiogroup', { name: 'When names appear' });
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

test('a redacted word stays in its line in the preview of captions', async () => {
  const detail = detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3')));
  const text = '1\n00:00:00,700 --> 00:00:02,338\nAssalomu █████, usta!\nXush kelibsiz.\n';
  const { page, close } = await rig.open({
    detail,
    answers: { 'exports.render': { kind: 'text', text, isShortened: false } },
  });
  await page.keyboard.press('Control+KeyE');
  const cue = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Assalomu' });
  const tops = await Promise.all(
    [cue.getByText('█████', { exact: true }), cue.getByText('Xush kelibsiz.')].map(async (place) =>
      place.evaluate((shown) => {
        const range = document.createRange();
        range.selectNodeContents(shown.closest('span')?.parentElement ?? shown);
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size;
      }),
    ),
  );
  // The redacted line is one, as the other is: both are two together with it.
  expect(tops).toEqual([1, 2]);
  await close();
});

test('redacted words are quieter than the text in the preview of a file, in the dark theme too', async () => {
  const detail = detailOf(partlyTooFast([]), rig.server.addRecording(sample('interview-uz.mp3')));
  const text = '1\n00:00:00,700 --> 00:00:02,338\nAssalomu █████, usta!\n';
  const { page, close } = await rig.open({
    detail,
    theme: 'dark',
    answers: { 'exports.render': { kind: 'text', text, isShortened: false } },
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
