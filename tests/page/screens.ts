import type { Page } from '@playwright/test';
import type { ConnectionReport } from '../../renderer/bridge/types.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newDraft } from '../../shared/domain/voices/clone-draft.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { listedTranscript } from '../support/listed-transcript.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { someModel } from '../support/some-model.ts';
import { someSpeech } from '../support/some-speech.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { signedIn } from './account-plans.ts';
import { askAnswers } from './ask-states.ts';
import {
  aLetter,
  answerMicrophone,
  changeOf,
  phrasesInEveryState,
  readTake,
  rewritten,
  someTakes,
  speak,
} from './dictation-states.ts';
import type { WrittenRewriting } from '../../shared/domain/dictation/rewriting.ts';
import { beingCleaned, isolatedAudio, isolatedJobs, openDone, restingJobs } from './isolate-states.ts';
import { changedByImport } from './library-dialog-states.ts';
import { libraryPlan } from './library-states.ts';

/** A screen in the state that shows most of it, and how to get there. */
interface ScreenState {
  readonly name: string;
  readonly plan: StudioPlan;
  /** The part of the address after `#`; the queue when absent. */
  readonly location?: string;
  readonly reach: (page: Page) => Promise<unknown>;
}

const letterPlan = (rewritings: readonly WrittenRewriting[]) =>
  planStudio({
    settings: {
      dictationSession: 'take-1',
      replacements: ['em che je MChJ', 'stir STIR', 'Rishton Rishtan', 'Toshkent Тошкент'].map((pair) => ({
        language: 'uz',
        say: pair.slice(0, pair.lastIndexOf(' ')),
        write: pair.slice(pair.lastIndexOf(' ') + 1),
        kind: 'word',
        isCaseSensitive: false,
      })),
    },
    answers: {
      'dictation.read': readTake(aLetter, rewritings),
      'dictation.cleanUpCost': { model: 'large', credits: '1.2', usual: '0.38' },
    },
  });

const products = (['transcribe', 'dictate', 'speak', 'isolate', 'voices', 'ask'] as const).map((product, index) => ({
  product,
  access: index === 5 ? ('denied' as const) : index % 3 === 1 ? ('unknown' as const) : ('allowed' as const),
  permission: null,
}));
export const workingKey: ConnectionReport = { service: 'reached', key: 'accepted', products, failure: null };
export const refusedKey: ConnectionReport = {
  service: 'reached',
  key: 'refused',
  products: [],
  failure: makeFailure('key-refused', { status: 401, code: 'invalid_api_key', requestId: 'req_7d11' }),
};
export const noKey = { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' } as const;
export const legacyKey = { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } as const;

/** A library restored from its newest copy. */
export const restoredLibrary = {
  notice: makeFailure('library-damaged', { code: 'library_restored', params: { date: Date.UTC(2026, 10, 19, 18, 2) } }),
  isDamagedFileKept: true,
};

/** Main's answers to a page that clones a voice. */
export const cloning = (draft: object | null): StudioPlan['answers'] => ({
  ...someSpeech(),
  'voices.removing': { voiceIds: [] },
  'clone.read': { draft: draft as never, capabilities: { eligible: true, available: true } },
});

const blocked = [
  someJob('a', { tag: 'blocked', by: 'key', failure: makeFailure('key-refused', { status: 401 }) }),
  someJob('b', { tag: 'blocked', by: 'credits', failure: makeFailure('credits-exhausted', { status: 402 }) }),
  someJob('c', { tag: 'blocked', by: 'offline', failure: makeFailure('offline') }),
  someJob('d', { tag: 'blocked', by: 'disk', failure: makeFailure('disk-full') }),
  someJob('e', { tag: 'needs-user', failure: makeFailure('job-not-found', { status: 404 }) }),
];
const excerpt = { startMs: 410_000, endMs: 440_000, index: null, count: 0, isJoinable: false, wholeMs: 1_104_000 };

/** Opens the nth entry of the menu of the library. */
const openFromLibrary = (nth: number) => async (page: Page) => {
  await page.locator('header[data-pane="header"]').getByRole('button').nth(-2).click();
  await page.getByRole('menuitem').nth(nth).click();
  await page.getByRole('dialog').waitFor();
};

export const screenStates: readonly ScreenState[] = [
  {
    name: 'first run: this computer, an address and a key, both missing',
    plan: planStudio({
      settings: { mode: 'unset', serviceAddress: '' },
      connection: { mode: 'unset', serviceAddress: '', key: noKey },
      answers: { 'models.list': { models: [someModel], refused: [], hasOwn: false } },
    }),
    reach: async (page) => {
      await page.getByText(someModel.source).waitFor();
      await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
      await page.getByRole('button', { name: 'Open the studio' }).click();
      await page.getByText(/^Add a key first\./u).waitFor();
    },
  },
  {
    name: 'queue: empty, in practice mode that failed',
    plan: planStudio({ settings: { mode: 'practice' }, connection: { practice: 'failed' } }),
    reach: (page) => page.getByRole('button', { name: 'Try the samples' }).waitFor(),
  },
  {
    name: 'queue: a row in every state, all selected',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Control+KeyA');
      await page.getByRole('toolbar').getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'queue: everything that stops it',
    plan: planStudio({ jobs: blocked, connection: { isOnline: false } }),
    reach: (page) => page.getByRole('main').getByRole('status').nth(3).waitFor(),
  },
  {
    name: 'queue: details of a failed row',
    plan: planStudio({ jobs: jobsInEveryState() }),
    reach: async (page) => {
      await page.getByRole('row').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'palette: nothing asked yet',
    plan: planStudio({
      jobs: jobsInEveryState(),
      answers: { 'transcripts.list': { transcripts: [listedTranscript('t-1')] } },
    }),
    reach: async (page) => {
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  {
    name: 'list of the keys',
    plan: planStudio(),
    reach: async (page) => {
      await page.keyboard.press('Control+Slash');
      await page.getByRole('dialog').getByRole('heading').nth(3).waitFor();
    },
  },
  {
    name: 'library restored, settings reset too',
    plan: planStudio({ recovery: { areSettingsReset: true, library: restoredLibrary, failure: null } }),
    reach: (page) => page.getByRole('heading', { level: 2 }).waitFor(),
  },
  {
    name: 'library: everything by day, with a preview',
    plan: libraryPlan(),
    location: '/library',
    reach: async (page) => {
      await page.getByRole('row', { name: 'Buxoro gilamlari' }).click();
      await page.getByRole('complementary', { name: 'Preview' }).getByText('Assalomu alaykum!').waitFor();
    },
  },
  {
    name: 'library: words found',
    plan: libraryPlan(),
    location: '/library',
    reach: async (page) => {
      await page.getByRole('searchbox').fill('boʻyoq anor');
      await page.locator('mark').first().waitFor();
    },
  },
  {
    name: 'library: what an import changed',
    plan: libraryPlan({ 'transcripts.import': changedByImport }),
    location: '/library',
    reach: async (page) => {
      await openFromLibrary(0)(page);
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByText('meeting.json').waitFor();
    },
  },
  {
    name: 'ask: an answer with its passages, and one that broke off',
    plan: planStudio({ answers: askAnswers }),
    location: '/ask/talk',
    reach: (page) => page.getByRole('log').getByRole('article').nth(1).waitFor(),
  },
  {
    name: 'dictation: hands-free without a network, with phrases in every state',
    plan: planStudio({ settings: { dictationMode: 'hands-free', dictationStyle: 'email' } }),
    location: '/dictate',
    reach: async (page) => {
      await speak(page);
      await emitEvent(page, 'dictation.changed', {
        ...changeOf('take-1', phrasesInEveryState),
        sending: { kind: 'stopped', failure: makeFailure('offline'), triesAgainMs: 5000 },
      });
      await page.locator('[data-state="failed"]').waitFor();
    },
  },
  {
    name: 'dictation: nothing said yet',
    plan: planStudio(),
    location: '/dictate',
    reach: answerMicrophone,
  },
  {
    name: 'dictation: a letter with its styles and replacements',
    plan: letterPlan([]),
    location: '/dictate',
    reach: async (page) => {
      await page.locator('main button[aria-expanded]:not([aria-haspopup])').nth(1).click();
      await page.getByRole('radiogroup').nth(1).waitFor();
    },
  },
  {
    name: 'dictation: a letter that was rewritten',
    plan: letterPlan([rewritten()]),
    location: '/dictate',
    reach: (page) => page.locator('[data-rewritten]').waitFor(),
  },
  {
    name: 'dictation: a letter as a document',
    plan: letterPlan([]),
    location: '/dictate/document/take-1',
    reach: (page) => page.locator('[data-phrase="3"]').waitFor(),
  },
  {
    name: 'dictation: its history',
    plan: planStudio({ answers: { 'dictation.list': { takes: [...someTakes] } } }),
    location: '/dictate/history',
    reach: (page) => page.getByRole('listitem').nth(2).waitFor(),
  },
  {
    name: 'isolate: rows in every state',
    plan: planStudio({
      jobs: [...isolatedJobs, ...restingJobs],
      answers: {
        'isolation.list': { audio: [{ audioId: 'audio-1', jobId: 'done', credits: '19' }] },
        'isolation.hidden': { jobs: [{ jobId: 'long-ago', name: 'Eski yozuv.wav', durationMs: 61_000 }] },
      },
    }),
    location: '/isolate',
    reach: (page) => page.getByRole('row', { name: 'Ovoz 012.m4a' }).waitFor(),
  },
  {
    name: 'isolate: a trial, with what else there is',
    plan: planStudio({
      jobs: [...isolatedJobs, beingCleaned],
      answers: {
        'isolation.open': isolatedAudio({ ...excerpt, wholeUrl: '/media/noisy' }),
        'isolation.list': { audio: [] },
      },
    }),
    reach: async (page) => {
      await openDone(page);
      await page.getByRole('slider').first().waitFor();
      await page.locator('main button[aria-expanded]:not([aria-haspopup])').first().click();
      await page.getByText(/LUFS/u).first().waitFor({ timeout: 20_000 });
    },
  },
  {
    name: 'isolate: a blend, and what can be saved of a video',
    plan: planStudio({
      jobs: isolatedJobs,
      answers: {
        'isolation.open': { ...isolatedAudio(null), video: 'mp4' },
        'isolation.list': { audio: [] },
      },
    }),
    reach: async (page) => {
      await openDone(page);
      await page.getByRole('slider').first().waitFor();
      await page.keyboard.press('3');
      await page.locator('main [aria-haspopup]:enabled').first().click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'speak: sentence by sentence',
    plan: planStudio({ answers: someSpeech() }),
    location: '/speak',
    reach: async (page) => {
      await page.locator('ol > li').nth(6).waitFor();
      await page.locator('ol > li').nth(2).getByRole('textbox').click();
    },
  },
  {
    name: 'voices: a text to read, after a try that did not match',
    plan: planStudio({
      answers: cloning({
        ...newDraft('draft-1', 'uz', 1),
        enrollmentId: 'enr_1',
        step: 'read',
        attempts: 1,
        challenge: { text: 'Bugun havo ochiq.', expiresAtMs: null },
        failure: makeFailure('reading-mismatch', { status: 422, code: 'speaker_mismatch' }),
        referenceUrl: null,
        readingUrl: null,
      }),
    }),
    location: '/voices/clone',
    reach: (page) => page.getByText('Bugun havo ochiq.').waitFor(),
  },
  {
    name: 'account: a key that was just made',
    plan: signedIn,
    location: '/account/keys',
    reach: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByRole('textbox').first().fill('Newsroom laptop');
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByText('••••pJ1u', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'settings: general',
    plan: planStudio(),
    location: '/settings/general',
    reach: (page) => page.getByRole('slider').waitFor(),
  },
  {
    name: 'settings: connection, a key that is refused and one of the legacy API',
    plan: planStudio({ connection: { legacyKey }, answers: { 'connection.check': refusedKey } }),
    location: '/settings/connection',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Test now' }).click();
      await page.getByText('The service does not accept the key.').waitFor();
    },
  },
  {
    name: 'settings: dictation, with rules for programs',
    plan: planStudio({
      settings: { dictationTarget: 'app', dictationLanguageRules: [{ program: 'Telegram', language: 'uz' }] },
      answers: {
        'dictation.reach': {
          key: 'works',
          canOverlay: true,
          programs: 'reached',
          tellsRelease: true,
          tellsLayout: true,
        },
      },
    }),
    location: '/settings/dictation',
    reach: (page) => page.locator('[data-setting="overlay"]').waitFor(),
  },
  {
    name: 'settings: shortcuts, with a conflict',
    plan: planStudio({ settings: { shortcuts: { 'playback.replay': 'F8' } } }),
    location: '/settings/shortcuts',
    reach: async (page) => {
      await page.getByText(/actions and their keys$/).click();
      await page.getByRole('button', { name: 'Change the keys: Add files…' }).click();
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('main').getByRole('status').filter({ hasText: 'Ctrl K' }).waitFor();
    },
  },
  {
    name: 'settings: privacy, before everything is erased',
    plan: planStudio(),
    location: '/settings/privacy',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Erase everything…' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
];
