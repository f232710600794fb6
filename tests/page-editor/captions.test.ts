import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Settings } from '../../renderer/bridge/types.ts';
import { realignWords } from '../../shared/domain/transcript/realign-words.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { caretOf, enter, goTo, noticesOf, onDisk, playheadMs, pressKeys } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { namesOfAll, partlyTooFast } from './support/too-fast.ts';

const rig = editorRig();
const problemsOf = (page: Page, row: number) => page.locator(`[data-index="${String(row)}"] [data-problems]`);
const textsOf = (page: Page) => page.locator('[data-text]').allTextContents();
/** A segment as it comes from a file that knows no times of words. */
const imported = (segment: Segment): Segment => ({ ...segment, words: realignWords([], segment.text, segment) });
const openImported = async (transcript: Transcript, settings: Partial<Settings> = {}) => {
  const opened = await rig.open({ detail: rig.detailOf(transcript, { sourceName: 'talk.srt' }), settings });
  await opened.page.locator('[data-text]').first().waitFor();
  return opened;
};
const storedRules = async (page: Page) =>
  ((await callsOf(page, 'settings.update')) as readonly Partial<Settings>[]).at(-1)?.exportChoices?.srt;

test('F8 leads from problem to problem and around; caret, playhead and screen reader follow', async () => {
  const transcript = partlyTooFast([0, 2, 4]);
  const { page } = await rig.openText(transcript, { settings: namesOfAll });
  for (const [key, place] of [
    ['F8', 0],
    ['F8', 2],
    ['F8', 4],
    ['F8', 0],
    ['Shift+F8', 4],
    ['Shift+F8', 2],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(async () => (await caretOf(page))[0]).toBe(`s${String(place)}`);
    await expect.poll(() => playheadMs(page)).toBe(transcript.segments[place]?.startMs);
  }
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-text="s2"]' });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
  expect([nodes[0]?.name?.value, nodes[0]?.description?.value]).toEqual([
    'Speaker 3, 12 seconds',
    expect.stringMatching(/characters\/s with the name, limit 17/u),
  ]);
});

const threeLines = '— Keldingizmi?\n— Keldim.\n— Xush kelibsiz, marhamat.';
const lastLine = '— Xush kelibsiz, marhamat.';

test('a caption with too many lines is split by button and key, as it is written by then', async () => {
  const { segments, ...talk } = partlyTooFast([2]);
  const spoken = segments
    .slice(0, 5)
    .map((one, at) => (at === 1 || at === 3 ? imported({ ...one, text: threeLines }) : one));
  const { page } = await openImported({ ...talk, segments: spoken });
  const lastLines = async () => (await textsOf(page)).filter((text) => text === lastLine).length;
  await page.locator('[data-text="s0"]').click();
  await page.keyboard.press('Alt+F8');
  await noticesOf(page).getByText('This caption has no problem to fix.').waitFor();
  await page.locator('[data-index="1"]').getByRole('button', { name: 'Split in two' }).click();
  await expect.poll(lastLines).toBe(1);
  expect((await textsOf(page))[1]).toBe('— Keldingizmi?\n— Keldim.');
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => textsOf(page)).toEqual(spoken.map(({ text }) => text));
  // The key right after a letter.
  await page.locator('[data-text="s3"]').click();
  await page.locator('[data-text="s3"]').evaluate((host) => {
    document.getSelection()?.collapse(host.firstChild, 2);
    document.execCommand('insertText', false, 'Xoʻsh, ');
    host.dispatchEvent(new KeyboardEvent('keydown', { code: 'F8', key: 'F8', altKey: true, bubbles: true }));
  });
  await expect.poll(lastLines).toBe(1);
  expect((await textsOf(page)).slice(3, 5)).toEqual(['— Xoʻsh, Keldingizmi?\n— Keldim.', lastLine]);
});

test('fixing times says what moved and what remains, and is one step, for one caption and for all', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  const said = (text: string, one: Segment) => imported({ ...one, text, endMs: one.startMs + 600 });
  const made = segments.map((segment, at) => {
    const one = { ...segment, speakerId: null };
    if (at === 1) return said('Bu gap tez aytildi', one);
    if (at === 3) return said('Bu gap esa juda ham tez aytildi', one);
    if (at === 5) return said('Bu gap', one);
    return at > 0 ? { ...one, startMs: 6000 * (at - 1) + 700 } : one;
  });
  const transcript = { ...talk, speakers: [], segments: made };
  const { page } = await openImported(transcript, { checksCaptions: true });
  const stored = async (at: number) => (await onDisk(page, transcript)).segments[at];
  const moved = noticesOf(page).getByText(/^Starts 0\.\d+ s earlier, ends 0\.02 s later\.$/u);
  await page.locator('[data-text="s1"]').click();
  await page.keyboard.press('Alt+F8');
  await moved.waitFor();
  await expect.poll(async () => (await stored(1))?.startMs).toBeLessThan(6000);
  await noticesOf(page)
    .locator('li', { hasText: /^Starts/u })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  // One that only ends later says nothing.
  await page.locator('[data-text="s5"]').click();
  await page.keyboard.press('Alt+F8');
  await expect.poll(async () => (await stored(5))?.endMs).toBeGreaterThan(30_600);
  expect(await noticesOf(page).getByText('earlier').count()).toBe(0);
  await page.locator('[data-text="s3"]').click();
  await page.keyboard.press('Alt+F8');
  await noticesOf(page)
    .getByText(/^Starts 0\.\d+ s earlier, ends 0\.02 s later\. 1 problem remains: [\d.]+ characters\/s, limit 17\.$/u)
    .waitFor();
  await pressKeys(page, 'Control+KeyZ', 'Control+KeyZ');
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await page.keyboard.press('Alt+Shift+F8');
  const all = noticesOf(page).getByText(/^\d+ problems fixed\./u);
  await all.waitFor();
  await expect.poll(async () => (await stored(5))?.endMs).toBeGreaterThan(30_600);
  await noticesOf(page).locator('li', { hasText: 'problems fixed' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
});

test('a limit counts at once in text and export; a wrong one is refused in words; a style resets all', async () => {
  const { page } = await rig.openText(partlyTooFast([2]), { settings: { checksCaptions: true } });
  const editor = await page.evaluate(() => location.hash);
  await problemsOf(page, 2)
    .getByText(/characters\/s.*, limit 17/u)
    .first()
    .waitFor();
  await goTo(page, '#/settings/editor');
  const rules = page.locator('[data-setting="captionRules"]');
  const speedIn = (language: string) => rules.getByRole('textbox', { name: `Reading speed, at most: ${language}` });
  const unfold = () => rules.locator('summary').click();
  await unfold();
  await enter(speedIn('Uzbek'), '100');
  await rules.getByText('Type a number from 8 to 40 characters/s.').waitFor();
  expect(await speedIn('Uzbek').getAttribute('aria-invalid')).toBe('true');
  await enter(speedIn('Uzbek'), '18');
  await expect.poll(() => storedRules(page)).toEqual({ 'charactersPerSecond.uz': 18 });
  const slider = rules.getByRole('slider', { name: 'Reading speed, at most: Uzbek' });
  // It moves on from what it shows, which main is told before.
  await expect.poll(() => slider.inputValue()).toBe('18');
  await slider.press('ArrowRight');
  await rules.getByRole('radiogroup', { name: 'Lines per caption' }).getByText('1').click();
  await expect.poll(() => storedRules(page)).toEqual({ 'charactersPerSecond.uz': 19, linesPerCue: 1 });
  // Those of the other languages stay as they were.
  expect([await speedIn('Russian').inputValue(), await speedIn('English').inputValue()]).toEqual(['17', '20']);
  expect(await axeViolations(page)).toEqual([]);
  await goTo(page, editor);
  await problemsOf(page, 2)
    .getByText(/characters\/s.*, limit 19/u)
    .first()
    .waitFor();
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByText('Customise').click();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Reading speed, at most' }).inputValue()).toBe('19');
  await page.keyboard.press('Escape');

  await goTo(page, '#/settings/editor');
  await unfold();
  const style = rules.getByRole('combobox', { name: 'Caption style' });
  await style.selectOption({ label: 'BBC' });
  const letters = rules.getByRole('textbox', { name: 'Characters per line: Uzbek' });
  await expect.poll(() => letters.inputValue()).toBe('37');
  await enter(letters, '40');
  await rules.getByRole('button', { name: 'Reset to “BBC”' }).click();
  await expect.poll(() => letters.inputValue()).toBe('37');
  await style.selectOption({ label: 'Ovoz Studio' });
  await expect.poll(() => storedRules(page)).toEqual({});
});

test('how captions are made and named counts in the editor as soon as it is chosen, and is kept', async () => {
  const { segments, ...talk } = partlyTooFast([]);
  // By segment only, the first caption ends too near to the second.
  const near = segments.map((one, at) => (at === 0 ? { ...one, endMs: 5920 } : one));
  const { page } = await rig.openText({ ...talk, segments: near }, { settings: { checksCaptions: true } });
  const badge = page.locator('[data-index="0"]').getByText('Gap 80 ms, at least 83 ms needed', { exact: true });
  expect(await badge.count()).toBe(0);
  await page.keyboard.press('Control+KeyE');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('By segment', { exact: true }).click();
  await dialog.getByRole('radiogroup', { name: 'Speaker names' }).getByText('Off').click();
  await expect.poll(() => storedRules(page)).toEqual({ cuesFrom: 'segments', speakers: 'none' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await badge.first().waitFor({ state: 'attached' });
  await page.keyboard.press('Control+KeyE');
  await expect.poll(() => dialog.getByRole('radio', { name: 'By segment' }).isChecked()).toBe(true);
  await dialog.getByText('By sentence', { exact: true }).click();
  await expect.poll(() => storedRules(page)).toEqual({ speakers: 'none' });
});
