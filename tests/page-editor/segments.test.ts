import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { caretOf, copied, enter, isPlaying, onDisk, pressKeys } from './support/editor-page.ts';
import { editorRig, painted } from './support/editor-rig.ts';
import { detailOf, longTranscript, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first, second, third] = transcript.segments;
if (first === undefined || second === undefined || third === undefined) throw new Error('too few segments');
const textsOf = ({ segments }: Transcript) => segments.map(({ text }) => text);

test('segments of two speakers are joined only after a question; the caret is at the seam', async () => {
  const long = longTranscript(6);
  const { page, texts } = await rig.openText(long);
  const question = page.getByRole('alertdialog');
  const [said = '', next = ''] = textsOf(long);
  // At the beginning of its first line.
  await texts.nth(1).click({ position: { x: 1, y: 8 } });
  await pressKeys(page, 'Home', 'Backspace');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => caretOf(page)).toEqual(['s1', 0]);
  await page.keyboard.press('Backspace');
  // It can be undone, so Enter is enough.
  await question.getByRole('button', { name: 'Merge' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => caretOf(page)).toEqual(['s0', said.length + 1]);
  await page.keyboard.type('va ');
  await expect.poll(() => texts.first().textContent()).toBe(`${said} va ${next}`);
  await expect.poll(async () => (await onDisk(page, long)).segments.length).toBe(5);
  expect(await isPlaying(page)).toBe(false);
  await pressKeys(page, 'Control+z', 'Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(next);
  await texts.nth(1).click();
  await pressKeys(page, 'Home', 'ArrowRight');
  const caret = await caretOf(page);
  await page.keyboard.press('Alt+Shift+KeyM');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect.poll(() => texts.nth(1).textContent()).not.toBe(next);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(next);
  await expect.poll(() => caretOf(page)).toEqual(caret);
});

test('a segment is deleted, merged and split; a word that was split is whole again with its time', async () => {
  const { page, texts } = await rig.openText(transcript);
  const merge = page.getByRole('menuitem', { name: /^Merge with previous/u });
  const menuOf = async (at: number) => {
    await texts.nth(at).click({ button: 'right' });
    expect(await page.getByRole('menuitem').count()).toBeLessThan(10);
    await page.getByRole('menuitem', { name: 'More' }).click();
  };
  await menuOf(0);
  await expect.poll(() => merge.textContent()).toContain('First segment');
  expect(await merge.getAttribute('aria-disabled')).toBe('true');
  await pressKeys(page, 'Escape', 'Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await texts.first().click();
  await page.keyboard.press('Control+Shift+m');
  await page.getByText('This is the first segment: there is nothing before it to merge with.').waitFor();
  expect(await callsOf(page, 'transcripts.edit')).toEqual([]);
  await menuOf(1);
  await merge.click();
  await expect.poll(() => texts.first().textContent()).toBe(`${first.text} ${second.text}`);
  await page.keyboard.press('Control+KeyZ');
  await texts.nth(1).click();
  await page.keyboard.press('Control+Shift+Delete');
  await expect.poll(() => texts.nth(1).textContent()).toBe(third.text);
  await page.keyboard.type('§');
  await expect.poll(() => texts.nth(1).textContent()).toBe(`§${third.text}`);
  await pressKeys(page, 'Control+KeyZ', 'Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(second.text);
  await page.keyboard.press('Alt+Shift+KeyM');
  await expect.poll(() => texts.nth(1).textContent()).toBe(`${second.text} ${third.text}`);
  await pressKeys(page, 'Control+End', 'Alt+Shift+KeyM');
  await page.getByText('This is the last segment: there is nothing after it to merge with.').waitFor();
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(() => texts.nth(1).textContent()).toBe(second.text);

  await texts.first().click();
  await pressKeys(page, 'Home', 'Control+ArrowRight', 'Enter');
  await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(first.text.indexOf(' ') + 1));
  await expect.poll(async () => (await caretOf(page))[1]).toBe(0);
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.startMs).toBe(first.words[1]?.startMs);
  await page.keyboard.press('Backspace');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
  expect(await caretOf(page)).toEqual([first.id, first.words[0]?.text.length]);
  await expect.poll(async () => textsOf(await onDisk(page, transcript))).toEqual(textsOf(transcript));

  for (const meanwhile of [[], ['Alt+2', 'Alt+1']]) {
    await pressKeys(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'Enter');
    await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(2));
    await expect.poll(async () => (await caretOf(page))[1]).toBe(0);
    for (const key of meanwhile) await page.keyboard.press(key);
    await page.keyboard.press('Backspace');
    await expect.poll(() => texts.first().textContent()).toBe(first.text);
    expect(await caretOf(page)).toEqual([first.id, 2]);
    await expect.poll(async () => (await onDisk(page, transcript)).segments[0]).toEqual(first);
  }
  // Joining is a step of its own, and the split another.
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(first.text.slice(2));
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => texts.first().textContent()).toBe(first.text);
});

test('selected segments are copied, assigned, deleted', async () => {
  const { page, texts } = await rig.openText(transcript);
  await texts.nth(1).click();
  await pressKeys(page, 'End', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+c');
  const name = transcript.speakers[0]?.name ?? '';
  const said = transcript.segments.slice(1, 4).map(({ text }) => text);
  expect(await copied(page)).toBe([`${name}: ${said[0]}`, said[1], `Speaker 2: ${said[2]}`].join('\n'));
  await pressKeys(page, 'Alt+2', 'Delete');
  await expect.poll(() => texts.nth(1).textContent()).toBe(transcript.segments[4]?.text);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.nth(1).textContent()).toBe(said[0]);
  await expect
    .poll(async () => (await onDisk(page, transcript)).segments.slice(0, 5).map(({ speakerId }) => speakerId))
    .toEqual(['SPEAKER_00', 'SPEAKER_01', 'SPEAKER_01', 'SPEAKER_01', 'SPEAKER_01']);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => textsOf(await onDisk(page, transcript))).toEqual(textsOf(transcript));
});

/** Where the second segment was, nobody speaks. */
const withGap: Transcript = { ...transcript, segments: transcript.segments.filter((segment) => segment !== second) };
const gap = { startMs: first.endMs, endMs: third.startMs };

async function goToTime(page: Page, timeMs: number) {
  await page.keyboard.press('Control+Shift+j');
  const field = page.getByRole('textbox', { name: 'Go to a time…' });
  await enter(field, String(timeMs / 1000));
  await expect.poll(() => field.count()).toBe(0);
}

test('a key splits at the playhead, another adds a segment there or in the gap after the caret', async () => {
  const { page, texts } = await rig.openText(withGap);
  const count = await texts.count();
  const isMade = () => texts.nth(1).evaluate((text) => text === document.activeElement && text.textContent === '');
  const made = async () => (await onDisk(page, withGap)).segments[1];
  await goToTime(page, first.startMs + 100);
  await page.keyboard.press('Alt+n');
  await page.getByText(/^A segment is already here/u).waitFor();
  expect(await texts.count()).toBe(count);
  await goToTime(page, first.startMs);
  await page.keyboard.press('Control+Enter');
  await page.getByText('There is nothing to split here').waitFor();
  await goToTime(page, (first.words[2]?.startMs ?? 0) + 10);
  // In the field of the title it only keeps what was typed.
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  await title.click();
  await page.keyboard.press('Control+Enter');
  await title.waitFor();
  await painted(page);
  expect(await texts.count()).toBe(count);
  await page.keyboard.press('Control+Enter');
  const parts = async () => (await onDisk(page, withGap)).segments.slice(0, 2).map(({ words }) => words.length);
  await expect.poll(parts).toEqual([2, first.words.length - 2]);
  await expect.poll(() => texts.nth(1).evaluate((text) => text === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(() => texts.count()).toBe(count);

  await goToTime(page, gap.startMs + 50);
  await page.keyboard.press('Alt+n');
  await expect.poll(isMade).toBe(true);
  await page.keyboard.type('yangi soʻz');
  await expect.poll(async () => (await made())?.text).toBe('yangi soʻz');
  expect(await made()).toMatchObject({
    startMs: gap.startMs + 50,
    endMs: Math.min(gap.endMs, gap.startMs + 2050),
    speakerId: first.speakerId,
  });
  expect((await made())?.words.map(({ isEstimated }) => isEstimated)).toEqual([true, true]);
  await pressKeys(page, 'Control+z', 'Control+z');
  await expect.poll(async () => (await onDisk(page, withGap)).segments).toEqual(withGap.segments);
  // The playhead is where somebody speaks, and the caret in front of the gap.
  await texts.first().click();
  await goToTime(page, first.startMs + 100);
  await page.keyboard.press('Alt+n');
  await expect.poll(isMade).toBe(true);
  await expect.poll(async () => (await made())?.startMs).toBe(first.endMs);
});

test('a text that was deleted is not without speech: it is undone, or Versions opened', async () => {
  const { page } = await rig.open({ detail: detailOf(transcript, null) });
  const texts = page.locator('[data-text]');
  const offered = page.getByRole('region', { name: 'All the text was deleted' });
  await texts.first().click();
  await pressKeys(page, 'Control+a', 'Control+a', 'Delete');
  await offered.getByRole('button', { name: 'Versions' }).waitFor();
  expect(await page.getByText('No speech heard').count()).toBe(0);
  await offered.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => texts.first().textContent()).toBe(first.text);

  const deleted = { ...transcript, segments: [], speakers: [] };
  const later = await rig.open({ detail: detailOf(deleted, null, { revision: 3 }) });
  const left = later.page.getByRole('region', { name: 'All the text was deleted' });
  await left.getByRole('button', { name: 'Versions' }).click();
  await later.page.getByRole('complementary', { name: 'Versions' }).waitFor();
  expect(await left.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});
