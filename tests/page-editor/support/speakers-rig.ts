import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { onDisk } from './editor-page.ts';
import { editorRig } from './editor-rig.ts';
import { longTranscript } from './transcripts.ts';

/** Two named speakers in turns, and a third. */
export const alternating = longTranscript(6);

/** Names in other recordings; all but the first are of somebody here, in other letters. */
const known = ['Nodira', 'usta  rahmatillo', 'Уста Раҳматилло', 'Dilnoza'];

/** For tests of speakers. */
export function speakersRig() {
  const rig = editorRig();
  /** The editor; `saved` waits for what main was told to save, `undo` for the state in which the text was opened. */
  async function openSpeakers(transcript = alternating) {
    const { page } = await rig.open({
      detail: rig.detailOf(transcript),
      answers: { 'library.speakers': { speakers: known.map((name) => ({ name, colour: null, count: 1 })) } },
    });
    const openMenu = (speaker: string) => page.getByRole('button', { name: speaker, exact: true }).first().click();
    const saved = async <T>(pick: (text: Transcript) => T, expected: T) => {
      await expect.poll(async () => pick(await onDisk(page, transcript))).toEqual(expected);
    };
    const undo = async () => {
      await page.locator('[data-text]').first().click();
      await page.keyboard.press('Control+z');
      await saved((text) => text, transcript);
    };
    return { page, openMenu, saved, undo };
  }
  return { openSpeakers };
}

/** Runs a command by its name in the palette. */
export async function runCommand(page: Page, name: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(`> ${name}`);
  await page.getByRole('option', { name, exact: true }).waitFor();
  await page.keyboard.press('Enter');
}
