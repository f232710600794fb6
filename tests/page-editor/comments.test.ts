import { expect, test } from 'vitest';
import { listComments } from '../../shared/domain/transcript/comments.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { caretOf, highlighted, onDisk, pressKeys } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first] = transcript.segments;
const second = first?.words[1]?.text ?? '';

test('a comment is written on selected words, goes along with them, is listed, undone and there after a restart', async () => {
  const { page, texts } = await rig.openText(transcript);
  const field = page.getByRole('textbox', { name: 'Comment', exact: true });
  const sign = (text: string) => page.getByRole('button', { name: `Comment: ${text}`, exact: true });
  const stored = async () =>
    listComments(await onDisk(page, transcript)).map((places) =>
      places.map(({ text, segmentId, from, to }) => [text, segmentId, from, to]),
    );
  await texts.first().click();
  await pressKeys(page, 'Home', 'Control+ArrowRight');
  for (const _ of second) await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Alt+c');
  await field.waitFor();
  await page.keyboard.type('Ismi shu');
  await expect.poll(stored).toEqual([[['Ismi shu', 's0', 1, 2]]]);
  await expect.poll(() => highlighted(page, 'commented')).toEqual([second]);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await expect.poll(async () => (await caretOf(page))[0]).toBe('s0');

  // What is typed before it moves it along.
  await page.keyboard.press('Home');
  await page.keyboard.type('Xullas ');
  await expect.poll(stored).toEqual([[['Ismi shu', 's0', 2, 3]]]);
  await expect.poll(() => highlighted(page, 'commented')).toEqual([second]);

  await sign('Ismi shu').click();
  await expect.poll(() => field.inputValue()).toBe('Ismi shu');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.type('mi?');
  await expect.poll(stored).toEqual([[['Ismi shumi?', 's0', 2, 3]]]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => field.inputValue()).toBe('Ismi shu');
  await page.keyboard.press('Control+Enter');
  await field.waitFor({ state: 'detached' });
  // Undoing what was typed around it closes it, because its words are elsewhere then.
  await sign('Ismi shu').click();
  await expect.poll(() => field.inputValue()).toBe('Ismi shu');
  await page.keyboard.press('Control+z');
  await field.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(stored).toEqual([[['Ismi shu', 's0', 2, 3]]]);

  // A segment without a selection, by the menu; the list leads to each.
  await texts.nth(1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Comment/u }).click();
  await field.waitFor();
  await page.keyboard.type('Butun boʻlak');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Info' }).click();
  const list = page.getByRole('region', { name: 'Comments' });
  await expect
    .poll(() => list.getByRole('button').allTextContents())
    .toEqual([expect.stringContaining('Ismi shu'), expect.stringContaining('Butun boʻlak')]);
  await list.getByRole('button').first().click();
  await expect.poll(() => field.inputValue()).toBe('Ismi shu');
  await page.getByRole('button', { name: 'Delete comment' }).click();
  await sign('Ismi shu').waitFor({ state: 'detached' });
  await texts.first().click();
  await page.keyboard.press('Control+z');
  await sign('Ismi shu').waitFor();
  await expect
    .poll(stored)
    .toEqual([[['Ismi shu', 's0', 2, 3]], [['Butun boʻlak', 's1', 0, transcript.segments[1]?.words.length]]]);

  const again = await rig.openText(await onDisk(page, transcript));
  await again.page.getByRole('button', { name: 'Comment: Ismi shu', exact: true }).click();
  await expect
    .poll(() => again.page.getByRole('textbox', { name: 'Comment', exact: true }).inputValue())
    .toBe('Ismi shu');
});
