import type { Page } from '@playwright/test';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ScreenState } from './screens.ts';

import {
  changedInAccount,
  comparing,
  estimated,
  heardTwice,
  interview,
  misspelt,
  namedInText,
  planEditor,
  savingEdits,
} from './editor-plans.ts';

const location = '/transcripts/t1';

const hear = (page: Page) => page.locator('[data-peaks="ready"]').waitFor();

/** One transcript: with its audio and without, opened and not. */
export const editorStates: readonly ScreenState[] = [
  {
    name: 'editor',
    isSeenInEveryRun: true,
    location,
    plan: planEditor(),
    reach: hear,
    proof: (page) => page.locator('[data-peaks="ready"]'),
  },
  {
    name: 'editor: a version beside the text as it is',
    isSeenInEveryRun: true,
    location,
    plan: comparing,
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('Control+Shift+KeyH');
      await page.locator('del').first().waitFor();
    },
    proof: (page) => page.locator('ins').first(),
  },
  {
    name: 'editor: the text was changed in the account too',
    location,
    plan: changedInAccount,
    reach: (page) => page.locator('del').first().waitFor(),
    proof: (page) => page.locator('ins').first(),
  },
  {
    name: 'editor: what of the text is in the account',
    location,
    plan: {
      ...changedInAccount,
      answers: {
        ...changedInAccount.answers,
        'transcripts.sync': { state: 'waiting', sentAtMs: null, failure: makeFailure('E-018') },
      },
    },
    reach: async (page) => {
      await hear(page);
      await page.getByRole('tab').last().click();
    },
    proof: (page) => page.locator('[data-pane="inspector"] [role="switch"]').last(),
  },
  {
    name: 'editor: captions that can’t be read in time, and what mends them',
    isSeenInEveryRun: true,
    location,
    plan: planEditor({ settings: { checksCaptions: true, exportChoices: { srt: { charactersPerSecond: 10 } } } }),
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('F8');
    },
    proof: (page) => page.locator('article button svg').first(),
  },
  {
    name: 'editor: exact times and problems of captions without speakers',
    location,
    plan: planEditor({
      sourceName: 'talk.srt',
      transcript: {
        ...interview,
        speakers: [],
        segments: interview.segments.map((segment) => ({ ...segment, speakerId: null })),
      },
      settings: {
        checksCaptions: true,
        showsExactTimes: true,
        exportChoices: { srt: { charactersPerSecond: 10, cuesFrom: 'segments' } },
      },
    }),
    reach: hear,
    proof: (page) => page.locator('[data-exact-times]').first(),
  },
  {
    name: 'editor: names in captions that have no recording',
    location,
    plan: planEditor({
      sourceName: 'talk.srt',
      transcript: namedInText,
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { code: 'no_recording', params: { name: 'talk.srt' } }),
    }),
    reach: (page) => page.locator('[data-text]').first().waitFor(),
    proof: (page) => page.getByRole('toolbar').getByRole('button', { name: 'MUXLISA' }),
  },
  {
    name: 'editor: what was heard the second time',
    location,
    plan: heardTwice,
    reach: async (page) => {
      await hear(page);
      await page.locator('[data-text]').nth(2).click();
      await page.keyboard.press('Control+Shift+KeyL');
      await page.locator('del').first().waitFor();
    },
    proof: (page) => page.locator('ins').first(),
  },
  {
    name: 'editor: the menu of a misspelt word',
    isSeenInEveryRun: true,
    location,
    plan: planEditor({ transcript: misspelt, title: 'Какие доказательства он принял' }),
    reach: async (page) => {
      await hear(page);
      await page.waitForFunction(() => (CSS.highlights.get('ovoz-misspelt')?.size ?? 0) > 0);
      await page
        .locator('[data-text]')
        .nth(2)
        .click({ button: 'right', position: { x: 230, y: 12 } });
    },
    proof: (page) => page.getByRole('menuitem').first(),
  },
  {
    name: 'editor: practice, estimated words, other letters, title being written',
    isSeenInEveryRun: true,
    location,
    plan: planEditor({ transcript: estimated, isPractice: true, settings: { transcriptScript: 'cyrillic' } }),
    reach: async (page) => {
      await hear(page);
      await page.locator('h1 button').click();
      await page.locator('header input, main input[maxlength]').first().waitFor();
    },
    proof: (page) => page.getByText('Ассалому алайкум, уста!').first(),
  },
  {
    name: 'editor: the recording is gone and was not found',
    isSeenInEveryRun: true,
    location,
    plan: planEditor({
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { params: { name: 'suhbat.mp3' } }),
      failures: { 'transcripts.locateMedia': makeFailure('E-010', { params: { name: 'suhbat.mp3' } }) },
    }),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Locate the recording' }).click();
      await page.getByText('suhbat.mp3').waitFor();
    },
    proof: (page) => page.getByText('suhbat.mp3'),
  },
  {
    name: 'editor: the sound of the video was removed',
    location,
    plan: planEditor({
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { code: 'sound_removed', params: { name: 'suhbat.mp3' } }),
    }),
    proof: (page) => page.getByRole('status').filter({ has: page.getByRole('button') }),
  },
  {
    name: 'editor: how fast it is played',
    location,
    plan: planEditor(),
    reach: async (page) => {
      await hear(page);
      await page.getByRole('button', { name: /speed/i }).click();
    },
    proof: (page) => page.getByRole('menuitemradio', { checked: true }),
  },
  {
    name: 'editor: how loud it is played',
    location,
    plan: planEditor(),
    reach: async (page) => {
      await hear(page);
      await page.getByRole('button', { name: /volume/i }).click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('slider'),
  },
  {
    name: 'editor: no speech was heard',
    location,
    plan: planEditor({ transcript: { ...interview, segments: [], speakers: [] } }),
    reach: hear,
    proof: (page) => page.locator('main h2').first(),
  },
  {
    name: 'editor: could not be opened',
    location,
    plan: planEditor({ failures: { 'transcripts.open': makeFailure('E-182') } }),
    reach: (page) => page.locator('main section button').waitFor(),
    proof: (page) => page.locator('main section button'),
  },
  {
    name: 'editor: too long to be shown, saved as a file',
    location,
    plan: planEditor({ failures: { 'transcripts.open': makeFailure('E-211', { code: 'transcript_too_long' }) } }),
    reach: async (page) => {
      await page.getByRole('button', { name: /\.srt/ }).click();
      await page.getByText('suhbat.srt').waitFor();
    },
    proof: (page) => page.getByText('suhbat.srt'),
  },
  {
    name: 'editor: found words, and a word that was written into the text',
    location,
    plan: savingEdits(planEditor()),
    reach: async (page) => {
      await hear(page);
      await page.locator('[data-text]').nth(1).click();
      await page.keyboard.press('End');
      await page.keyboard.type(' va yangi soʻz');
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').fill('yangi');
      await page.locator('[role="tabpanel"] mark').first().waitFor();
      await page.keyboard.press('Enter');
    },
    proof: (page) => page.locator('[role="tabpanel"] mark').first(),
  },
  {
    name: 'editor: what is found is replaced',
    isSeenInEveryRun: true,
    location,
    plan: planEditor({ settings: { replacesInFind: true } }),
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('Control+f');
      await page.getByRole('searchbox').fill('alaykum');
      await page.locator('[role="tabpanel"] mark').first().waitFor();
    },
    proof: (page) => page.locator('[data-replace] input'),
  },
  {
    name: 'editor: nobody is named, and a time that is none was typed',
    location,
    plan: planEditor({
      transcript: {
        ...interview,
        speakers: [],
        segments: interview.segments.map((one) => ({ ...one, speakerId: null })),
      },
    }),
    reach: async (page) => {
      await hear(page);
      await page.keyboard.press('Control+Shift+KeyJ');
      await page.keyboard.type('later');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
    proof: (page) => page.locator('[role="tabpanel"] h2'),
  },
  {
    name: 'editor: without its inspector',
    location,
    plan: planEditor({ settings: { isInspectorOpen: false, isRailOpen: false } }),
    reach: hear,
    proof: (page) => page.locator('[data-peaks="ready"]'),
  },
];
