import type { Page } from '@playwright/test';
import { interview, planEditor, savingEdits } from './editor-plans.ts';
import { runCommand } from '../page-editor/support/speakers-rig.ts';
import type { ScreenState } from './screens.ts';

const location = '/transcripts/t1';
const names = ['Dilnoza Karimova', 'Usta Rahmatillo'] as const;
const speakers = interview.speakers.map((speaker, at) => ({ ...speaker, name: names[at] ?? null }));
const plan = savingEdits(planEditor({ transcript: { ...interview, speakers } }));
const hear = (page: Page) => page.locator('[data-peaks="ready"]').waitFor();

/** What asks or tells while a transcript is changed. */
export const editorChangeStates: readonly ScreenState[] = [
  {
    name: 'editor: silences were cut',
    location,
    plan,
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('Control+Shift+KeyX');
      const panel = page.getByRole('complementary', { name: 'Silences' });
      await panel.getByRole('slider', { name: 'Shortest silence' }).fill('0.3');
      await panel.getByRole('button', { name: /^Cut/u }).click();
      await panel.getByText('shorter now').waitFor();
    },
    proof: (page) => page.locator('[data-pane="inspector"]').getByRole('slider').first(),
  },
  {
    name: 'editor: a speaker is renamed to somebody who is here',
    location,
    plan,
    reach: async (page) => {
      await hear(page);
      await runCommand(page, `Rename ${names[0]}…`);
      await page.getByRole('textbox', { name: 'Name' }).fill(names[1]);
    },
    proof: (page) => page.getByRole('dialog').locator('footer').getByRole('button').nth(2),
  },
  {
    name: 'editor: question before segments of two speakers become one',
    location,
    plan,
    reach: async (page) => {
      await hear(page);
      const place = interview.segments.findIndex(({ speakerId }) => speakerId !== interview.segments[0]?.speakerId);
      await page.locator('[data-text]').nth(place).click();
      await page.keyboard.press('Home');
      await page.keyboard.press('Backspace');
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
];
