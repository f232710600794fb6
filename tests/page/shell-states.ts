import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';
import { listedTranscript } from '../support/listed-transcript.ts';

/** A row in an unknown state: code that counts the rows breaks on it. */
export const brokenJob = {
  ...jobsInEveryState()[0],
  id: 'broken',
  name: 'Maxfiy yozuv.wav',
  state: { tag: 'no-such-state' },
} as never;

/** A library restored from its newest backup. */
export const restoredLibrary = {
  atMs: Date.UTC(2026, 10, 20, 9, 14),
  restoredFromMs: Date.UTC(2026, 10, 19, 18, 2),
  jobCount: 214,
  transcriptCount: 198,
  damagedTranscriptCount: 203,
  isDamagedFileKept: true,
  salvaged: { readCount: 400, jobCount: 17, transcriptCount: 12, unsureCount: 3, refetchCount: 2, lostJobCount: 1 },
};

/** What the shell shows over the screens. */
/** Their titles are texts of the user, listed in the plan to distinguish them from the app's strings. */
export const fewTranscripts = {
  'transcripts.list': {
    transcripts: Array.from({ length: 4 }, (_, index) =>
      listedTranscript(`t-${index}`, { title: `Ustaxonada suhbat ${index + 1}` }),
    ),
  },
};

export const shellStates: readonly ScreenState[] = [
  {
    name: 'command palette, nothing asked yet',
    plan: planStudio({
      settings: { recentActions: ['appearance.dark'] },
      jobs: jobsInEveryState(),
      answers: fewTranscripts,
    }),
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
      await page.getByRole('combobox').fill('>Ctrl');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    },
    proof: (page) => page.getByRole('combobox'),
  },
  {
    name: 'list of shortcuts',
    isSeenInEveryRun: true,
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
    name: 'library restored, settings reset too',
    plan: planStudio({ recovery: { areSettingsReset: true, library: restoredLibrary, failure: null } }),
    proof: (page) => page.getByRole('main').getByRole('region').nth(2),
  },
  {
    name: 'library that can’t be opened',
    isSeenInEveryRun: true,
    plan: planStudio({ recovery: { areSettingsReset: false, library: null, failure: makeFailure('E-185') } }),
    proof: (page) => page.getByRole('main').getByRole('region'),
  },
  {
    name: 'sections hidden',
    plan: planStudio({ settings: { isRailOpen: false, mode: 'practice' }, jobs: jobsInEveryState() }),
    proof: (page) => page.getByRole('banner').getByRole('button').nth(2),
  },
];
