import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';
import { keyRefused, turnTo } from './settings-states.ts';
import { listedTranscript } from '../support/listed-transcript.ts';

const legacyKey = { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } as const;
const stopped = [
  someJob('a', { tag: 'blocked', by: 'permission', failure: makeFailure('E-037', { status: 403 }) }),
  someJob('b', { tag: 'blocked', by: 'disk', failure: makeFailure('E-180') }),
];

/** Menus, questions and dialogs that no other state shows. */
export const layerStates: readonly ScreenState[] = [
  {
    name: 'queue stopped by a missing right and a full disk',
    plan: planStudio({ jobs: stopped }),
    proof: (page) => page.getByRole('main').getByRole('status').nth(1),
  },
  {
    name: 'menu of a row',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem').nth(1).waitFor();
    },
    proof: (page) => page.getByRole('menuitem').nth(1),
  },
  {
    name: 'menu of the queue, how it is sorted',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Sort by' }).click();
      await page.getByRole('menuitemradio').nth(1).waitFor();
    },
    proof: (page) => page.getByRole('menuitemradio').nth(1),
  },
  {
    name: 'rows selected, question before all of them are cancelled',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Control+KeyA');
      await page.getByRole('toolbar').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'rows selected',
    isSeenInEveryRun: true,
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Control+KeyA');
      await page.getByRole('toolbar').waitFor();
    },
    proof: (page) => page.getByRole('toolbar').getByRole('status'),
  },
  {
    name: 'credits explained',
    plan: planStudio({ answers: { 'usage.today': { credits: '184.25', actionCount: 7, unreportedCount: 2 } } }),
    reach: async (page) => {
      await page
        .getByRole('banner')
        .getByRole('button', { name: /credits/i })
        .click();
      await page.getByRole('dialog').waitFor();
    },
    proof: (page) => page.getByRole('dialog'),
  },
  {
    name: 'settings: question before the key is forgotten',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'connection');
      await page.getByRole('button', { name: 'Forget key' }).click();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'settings: a key of the legacy API in the wrong place, a proxy that can’t be one',
    plan: planStudio({
      settings: { proxy: { mode: 'manual', server: '', port: 8080 } },
      connection: { legacyKey },
      answers: { 'connection.check': { ...keyRefused, key: 'legacy-generation', failure: null } },
    }),
    reach: async (page) => {
      await turnTo(page, 'connection');
      await page.getByRole('button', { name: 'Keep it as the legacy key' }).waitFor();
      await page.getByLabel('Port').fill('70000');
      await page.getByLabel('Proxy address').fill('@');
      await page.keyboard.press('Enter');
      await page.getByText('The port is a number').waitFor();
    },
    proof: (page) => page.getByRole('main').getByRole('textbox').nth(2),
  },
  {
    name: 'settings: question before the legacy key is forgotten',
    plan: planStudio({ connection: { legacyKey } }),
    reach: async (page) => {
      await turnTo(page, 'connection');
      await page.getByRole('button', { name: 'Forget legacy key' }).click();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'settings: the limit for an hour was not loosened',
    plan: planStudio({ failures: { 'settings.update': makeFailure('E-238') } }),
    reach: async (page) => {
      await turnTo(page, 'connection');
      await page.getByText('Never ask').click();
    },
    proof: (page) => page.getByRole('main').getByRole('alert'),
  },
  {
    name: 'settings: question before all shortcuts are reset',
    plan: planStudio({ settings: { shortcuts: { 'playback.replay': 'F8' } } }),
    reach: async (page) => {
      await turnTo(page, 'shortcuts');
      await page.getByRole('button', { name: 'Reset all' }).click();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'settings: question before practice is deleted',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await page.getByRole('button', { name: /practice data/i }).click();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'settings: which transcript is deleted for good',
    plan: planStudio({ answers: { 'transcripts.list': { transcripts: [] } } }),
    reach: async (page) => {
      await turnTo(page, 'privacy');
      await page.getByRole('button', { name: 'Choose a transcript…' }).click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('combobox'),
  },
  {
    name: 'settings: question before a transcript is deleted for good',
    plan: planStudio({
      answers: {
        'transcripts.list': {
          transcripts: [listedTranscript('t-1', { title: 'Ustaxonada suhbat', createdAtMs: 1, credits: null })],
        },
      },
      failures: { 'transcripts.delete': makeFailure('E-180') },
    }),
    reach: async (page) => {
      await turnTo(page, 'privacy');
      await page.getByRole('button', { name: 'Choose a transcript…' }).click();
      await page.getByRole('option').click();
      await page.getByRole('switch').last().press('Space');
      await page.getByRole('button', { name: 'Delete for good' }).click();
      await page.getByRole('alertdialog').getByRole('alert').waitFor();
    },
    proof: (page) => page.getByRole('alertdialog').getByRole('alert'),
  },
];
