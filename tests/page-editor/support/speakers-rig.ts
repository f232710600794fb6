import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { onDisk } from './editor-page.ts';
import { editorRig } from './editor-rig.ts';
import { detailOf, longTranscript, sample } from './transcripts.ts';

/** Two named speakers in turns, and a third. */
export const alternating = longTranscript(6);

/** For tests of speakers. */
export function speakersRig() {
  const rig = editorRig();
  /** The editor with the menu of the first speaker open; `saved` waits for what main was told to save. */
  async function openMenu(transcript = alternating, speaker = 'Dilnoza') {
    const detail = detailOf(transcript, rig.server.addRecording(sample('interview-uz.mp3')));
    const { page, close } = await rig.open({
      detail,
      answers: { 'transcripts.edit': { revision: 0 } },
    });
    await page.getByRole('button', { name: speaker, exact: true }).first().click();
    const saved = async <T>(pick: (text: Transcript) => T, expected: T) => {
      await expect.poll(async () => pick(await onDisk(page, transcript))).toEqual(expected);
    };
    const undo = async () => {
      await page.locator('[data-text]').first().click();
      await page.keyboard.press('Control+z');
      await saved((text) => text, transcript);
    };
    return { page, saved, undo, close };
  }
  return { rig, openMenu };
}

/** Runs a command by its name in the palette. */
export async function runCommand(page: Page, name: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(`> ${name}`);
  await page.getByRole('option', { name, exact: true }).waitFor();
  await page.keyboard.press('Enter');
}
