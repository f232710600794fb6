import { jobsInEveryState, planStudio } from '../support/fake-studio.ts';
import type { ScreenState } from './screens.ts';

/** A row that no version of the app knows: what counts the rows breaks at it. */
export const brokenJob = {
  ...jobsInEveryState()[0],
  id: 'broken',
  name: 'Maxfiy yozuv.wav',
  state: { tag: 'no-such-state' },
} as never;

/** What the shell lays over the screens. */
export const shellStates: readonly ScreenState[] = [
  {
    name: 'command palette, nothing asked yet',
    plan: planStudio({ settings: { recentActions: ['appearance.dark'] }, jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('option').first().waitFor();
    },
    proof: (page) => page.getByRole('option').nth(3),
  },
  {
    name: 'command palette, nothing found',
    plan: planStudio(),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('combobox').fill('Ctrl');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    },
    proof: (page) => page.getByRole('combobox'),
  },
  {
    name: 'list of shortcuts',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.keyboard.press('Control+Slash');
      await page.getByRole('dialog').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('heading').nth(3),
  },
  {
    name: 'list of jobs',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyJ');
      await page.getByRole('dialog').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('listitem').nth(4),
  },
  {
    name: 'menu of the app',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('banner').getByRole('button').first().click();
      await page.getByRole('menuitem').nth(3).click();
      await page.getByRole('menu').nth(1).waitFor();
    },
    proof: (page) => page.getByRole('menu').nth(1),
  },
  {
    name: 'sections hidden',
    plan: planStudio({ settings: { isRailOpen: false, mode: 'practice' }, jobs: jobsInEveryState() }),
    proof: (page) => page.getByRole('banner').getByRole('button').nth(2),
  },
];
