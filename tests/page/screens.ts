import type { Locator, Page } from '@playwright/test';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ConnectionReport } from '../../shared/ipc/schemas.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { accountStates } from './account-states.ts';
import { askStates } from './ask-states.ts';
import { crashStates } from './crash-states.ts';
import { dictationStates } from './dictation-states.ts';
import { editorChangeStates } from './editor-change-states.ts';
import { editorStates } from './editor-states.ts';
import { exportStates } from './export-states.ts';
import { isolateStates } from './isolate-states.ts';
import { layerStates } from './layer-states.ts';
import { libraryDialogStates } from './library-dialog-states.ts';
import { libraryStates } from './library-states.ts';
import { localStates } from './local-states.ts';
import { queueStates } from './queue-states.ts';
import { settingsStates } from './settings-states.ts';
import { speakStates } from './speak-states.ts';
import { voicesStates } from './voices-states.ts';
import { shellStates } from './shell-states.ts';

/** A screen in a typical state, and how to get there. */
export interface ScreenState {
  readonly name: string;
  /** The states that tell most of their screen; the others are left to the long run. */
  readonly isSeenInEveryRun?: true;
  readonly plan: StudioPlan;
  /** The part of the address after `#`; the queue when absent. */
  readonly location?: string;
  /** A defect was planted, so the page logs an error. If it broke the whole page, no language can be changed. */
  readonly isDefect?: 'whole' | 'part';
  readonly reach?: (page: Page) => Promise<void>;
  /** What distinguishes the state from others; it must stay while language, theme and size change. */
  readonly proof: (page: Page) => Locator;
}

const products = (['transcribe', 'dictate', 'speak', 'isolate', 'voices', 'ask'] as const).map((product, index) => ({
  product,
  access: index === 5 ? ('denied' as const) : index === 4 ? ('unknown' as const) : ('allowed' as const),
  permission: null,
}));
export const workingKey: ConnectionReport = { service: 'reached', key: 'accepted', products, failure: null };
export const refusedKey: ConnectionReport = {
  service: 'reached',
  key: 'refused',
  products: [],
  failure: makeFailure('E-032', { status: 401, code: 'invalid_api_key' }),
};
export const noKey = { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } as const;
const firstRun = { mode: 'unset', serviceAddress: '' } as const;

const blocked = [
  someJob('a', { tag: 'blocked', by: 'key', failure: makeFailure('E-032', { status: 401 }) }),
  someJob('b', {
    tag: 'blocked',
    by: 'credits',
    failure: makeFailure('E-034', { status: 402, code: 'insufficient_credits' }),
  }),
  someJob('c', { tag: 'blocked', by: 'offline', failure: makeFailure('E-001') }),
  someJob('d', { tag: 'blocked', by: 'service', failure: makeFailure('E-003') }),
];

export const screenStates: readonly ScreenState[] = [
  {
    name: 'first run, nothing given yet',
    plan: planStudio({ settings: firstRun, connection: { ...firstRun, key: noKey } }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
      await page.getByRole('button', { name: 'Open the studio' }).click();
    },
    proof: (page) => page.getByRole('alert'),
  },
  {
    name: 'first run, key checked, kept for the session',
    plan: planStudio({
      settings: { mode: 'unset' },
      connection: { key: { present: true, maskedSuffix: '3kQ9', store: 'session', keychain: 'no-service' } },
      answers: { 'connection.check': workingKey },
    }),
    reach: (page) => page.getByText('Works', { exact: true }).waitFor(),
    proof: (page) => page.getByRole('main').getByRole('list'),
  },
  {
    name: 'first run, a proxy that can’t be one',
    plan: planStudio({ settings: firstRun, connection: { ...firstRun, key: noKey } }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
      await page.getByRole('button', { name: 'Use a proxy…' }).click();
      await page.getByRole('dialog').getByRole('radio').last().press('Space');
      await page.getByRole('dialog').getByRole('button').last().click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('textbox').nth(1),
  },
  {
    name: 'first run, key refused',
    plan: planStudio({ settings: { mode: 'unset' }, answers: { 'connection.check': refusedKey } }),
    proof: (page) => page.getByRole('main').getByRole('status'),
  },
  {
    name: 'empty queue in practice mode',
    isSeenInEveryRun: true,
    plan: planStudio({ settings: { mode: 'practice' } }),
    proof: (page) => page.locator('main h2').last(),
  },
  {
    name: 'a row in every state',
    isSeenInEveryRun: true,
    plan: planStudio({ jobs: jobsInEveryState() }),
    proof: (page) => page.getByRole('row').nth(11),
  },
  {
    name: 'everything that stops the queue',
    isSeenInEveryRun: true,
    plan: planStudio({ jobs: blocked, connection: { isOnline: false } }),
    proof: (page) => page.getByRole('main').getByRole('status').nth(3),
  },
  {
    name: 'practice mode that failed, with an action that was refused',
    plan: planStudio({
      settings: { mode: 'practice' },
      connection: { practice: 'failed' },
      failures: { 'jobs.addSamples': makeFailure('E-230', { params: { bugId: 'b-17' } }) },
    }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Try the samples' }).click();
      await page.getByRole('alert').nth(1).waitFor();
    },
    proof: (page) => page.getByRole('alert').nth(1),
  },
  {
    name: 'files that were left out',
    isSeenInEveryRun: true,
    plan: planStudio({
      answers: {
        'jobs.addPicked': {
          jobIds: [],
          addedCount: 0,
          leftCount: 0,
          repeated: [],
          repeatedCount: 0,
          refusedCount: 2,
          refused: [
            { name: 'notes.pdf', failure: makeFailure('E-211', { code: 'not_audio', params: { name: 'notes.pdf' } }) },
            {
              name: 'Boʻsh yozuv.wav',
              failure: makeFailure('E-211', { code: 'empty_file', params: { name: 'Boʻsh yozuv.wav' } }),
            },
          ],
        },
      },
    }),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyO');
      await page.getByRole('alert').getByRole('button').first().click();
    },
    proof: (page) => page.getByRole('alert').getByRole('listitem').nth(1),
  },
  {
    name: 'details of a failed row',
    isSeenInEveryRun: true,
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    },
    proof: (page) => page.getByRole('dialog'),
  },
  {
    name: 'files held over the window',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.evaluate(() => {
        const held = new DataTransfer();
        held.items.add(new File(['a'], 'a.wav'));
        held.items.add(new File(['b'], 'b.wav'));
        // Keys repeat while they are held, as in a browser.
        setInterval(() => dispatchEvent(new DragEvent('dragover', { dataTransfer: held })), 300);
      });
      await page.getByText('Drop to add 2 files').waitFor();
    },
    proof: (page) => page.locator('main'),
  },
  {
    name: 'question before a cancel',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.locator('[data-key="processing"]').focus();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').waitFor();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'settings',
    isSeenInEveryRun: true,
    plan: planStudio({ answers: { 'connection.check': workingKey } }),
    reach: async (page) => {
      await page.keyboard.press('Control+Comma');
      await page.getByRole('slider').waitFor();
    },
    proof: (page) => page.getByRole('slider'),
  },
  ...accountStates,
  ...askStates,
  ...libraryStates,
  ...libraryDialogStates,
  ...dictationStates,
  ...isolateStates,
  ...localStates,
  ...queueStates,
  ...settingsStates,
  ...speakStates,
  ...voicesStates,
  ...shellStates,
  ...editorStates,
  ...editorChangeStates,
  ...exportStates,
  ...crashStates,
  ...layerStates,
];
