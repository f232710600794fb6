import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { callsOf } from '../support/fake-studio.ts';
import { markedWord, onDisk, pressKeys, seek } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const [first, second] = transcript.segments;
if (first === undefined || second === undefined) throw new Error('no segments');
const said = transcript.segments.map(({ text }) => text);
const inCyrillic = ['Ассалому алайкум, уста!', 'Бугун биз Риштонда, кулолчилик устахонасидамиз.'] as const;

const openMore = (page: Page) => page.getByRole('button', { name: 'More', exact: true }).click();
async function convert(page: Page, to: 'Cyrillic' | 'Latin') {
  await openMore(page);
  await page.getByRole('menuitem', { name: `Convert to ${to}` }).click();
}

test('converting to Cyrillic is one step for all words and names, keeps times, and is undone', async () => {
  const { page, texts } = await rig.openText(transcript, {
    answers: {
      'transcripts.versions': {
        versions: [
          { revision: 1, kind: 'now', atMs: 5, name: null, label: null, editCount: 1 },
          { revision: 0, kind: 'before', atMs: 4, name: null, label: 'convert', editCount: 0 },
        ],
      },
      'transcripts.version': { ofRevision: 1, change: packChange([{ type: 'set', segments: [first] }]) },
    },
  });
  await convert(page, 'Cyrillic');
  await expect.poll(() => texts.first().textContent()).toBe(inCyrillic[0]);
  expect((await texts.allTextContents()).join(' ')).not.toMatch(/[a-z]/iu);
  expect(await texts.first().getAttribute('lang')).toBe('uz-Cyrl');
  await page.getByText('Дилноза Каримова').first().waitFor();
  // The title is no part of the text, whose undo would not bring it back.
  await page.getByText('Margʻilon: adras ustasi bilan suhbat').first().waitFor();
  await expect.poll(async () => (await onDisk(page, transcript)).segments[1]?.text).toBe(inCyrillic[1]);
  const timesOf = ({ segments }: Transcript) =>
    segments.map(({ startMs, endMs, words }) => [startMs, endMs, words.map((word) => [word.startMs, word.endMs])]);
  expect(timesOf(await onDisk(page, transcript))).toEqual(timesOf(transcript));
  expect(await callsOf(page, 'transcripts.edit')).toHaveLength(1);
  await seek(page, (second.words[3]?.startMs ?? 0) + 20);
  await expect.poll(() => markedWord(page)).toBe('кулолчилик');
  await page.keyboard.press('Control+Shift+h');
  await page.getByRole('button', { name: 'Before “Change the alphabet”' }).waitFor();
  await expect.poll(() => page.locator('del').allTextContents()).toEqual([first.text]);
  await pressKeys(page, 'Escape', 'Control+z');
  await expect.poll(() => texts.allTextContents()).toEqual(said);
  await expect.poll(() => onDisk(page, transcript)).toEqual(transcript);
  await page.keyboard.press('Control+y');
  await expect.poll(() => texts.first().textContent()).toBe(inCyrillic[0]);
  await convert(page, 'Latin');
  await expect.poll(() => texts.allTextContents()).toEqual(said);
});
