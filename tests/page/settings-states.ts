import type { Page } from '@playwright/test';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { RequestOutput } from '../../shared/ipc/derive.ts';
import type { ConnectionReport } from '../../shared/ipc/schemas.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

/** Opens a page of the settings like its link. */
export const turnTo = async (page: Page, name: string) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/settings/${name}`);
  await page.locator('[data-pane="settings"] [aria-current="page"]').waitFor();
};

export const keyRefused: ConnectionReport = {
  service: 'reached',
  key: 'refused',
  products: [],
  failure: makeFailure('E-032', { status: 401, code: 'invalid_api_key', requestId: 'req_7d11' }),
};

const atMs = Date.UTC(2026, 10, 20, 9, 30);
const automationLines: RequestOutput<Contract, 'automation.log'>['entries'] = [
  { kind: 'copy', atMs, name: 'Suhbat.txt', outcome: 'done', failure: null },
  { kind: 'copy', atMs, name: 'Suhbat.srt', outcome: 'skipped', failure: null },
  {
    kind: 'watch',
    atMs,
    name: 'hujjat.pdf',
    outcome: 'failed',
    failure: makeFailure('E-211', { code: 'not_audio', params: { name: 'hujjat.pdf' } }),
  },
  { kind: 'watch', atMs, name: 'Uzun majlis.wav', outcome: 'skipped', failure: null },
];

const movedParts: RequestOutput<Contract, 'storage.describe'>['parts'] = [
  { part: 'library', bytes: 41_200_000, removableBytes: 0 },
  { part: 'prepared', bytes: 4_310_000_000, removableBytes: 4_280_000_000 },
];

/** The pages of the settings, each in the state that shows the most. */
export const settingsStates: readonly ScreenState[] = [
  {
    name: 'settings: dictation, with rules for programs',
    isSeenInEveryRun: true,
    plan: planStudio({
      settings: {
        dictationTarget: 'app',
        dictationLanguageRules: [
          { program: 'Telegram', language: 'uz' },
          { program: 'Visual Studio Code', language: 'en' },
        ],
      },
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
    reach: (page) => turnTo(page, 'dictation'),
    proof: (page) => page.locator('[data-setting="overlay"]'),
  },
  {
    name: 'settings: editor',
    plan: planStudio(),
    reach: (page) => turnTo(page, 'editor'),
    proof: (page) => page.locator('[data-setting="jump"]'),
  },
  {
    name: 'settings: connection, tested and refused',
    plan: planStudio({ settings: { mode: 'practice' }, answers: { 'connection.check': keyRefused } }),
    reach: async (page) => {
      await turnTo(page, 'connection');
      await page.getByRole('button', { name: 'Test now' }).click();
      await page.getByText('The service does not accept the key.').waitFor();
    },
    proof: (page) => page.getByRole('main').locator('dl'),
  },
  {
    name: 'settings: what happens by itself, with its log',
    plan: planStudio({
      settings: {
        copyFolderName: 'Matnlar',
        savesCopies: true,
        copyFormats: ['txt', 'srt'],
        copyTemplate: '{date} {name}',
        watchFolderName: 'Yozuvlar',
      },
      answers: { 'automation.log': { entries: automationLines } },
    }),
    reach: async (page) => {
      await turnTo(page, 'automation');
      await page.getByRole('listitem').filter({ hasText: 'Suhbat.txt' }).waitFor();
    },
    proof: (page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'Suhbat.txt' }),
  },
  {
    name: 'settings: shortcuts, with a conflict',
    isSeenInEveryRun: true,
    plan: planStudio({ settings: { shortcuts: { 'playback.replay': 'F8' } } }),
    reach: async (page) => {
      await turnTo(page, 'shortcuts');
      await page.getByRole('button', { name: 'Change the keys: Add files…' }).click();
      await page.keyboard.press('Control+KeyK');
    },
    proof: (page) => page.getByRole('main').getByRole('status').filter({ hasText: 'Ctrl K' }),
  },
  {
    name: 'settings: storage, after cleaning',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await page.getByRole('button', { name: /Waveforms/ }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('7.3 MB freed.').waitFor();
    },
    proof: (page) => page.getByRole('main').getByRole('list').last(),
  },
  {
    name: 'settings: storage, library moved and old rows removed',
    plan: planStudio({
      answers: { 'storage.describe': { parts: movedParts, freeBytes: 212_000_000_000, movedTo: '2026' } },
    }),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await page.getByRole('button', { name: /Old items/ }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
    proof: (page) => page.getByRole('main').getByRole('status').last(),
  },
  {
    name: 'settings: storage, before old rows and their texts are deleted',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await page.getByRole('button', { name: /Old items/ }).click();
      await page.getByText('Delete their transcripts for good too').click();
    },
    proof: (page) => page.getByRole('alertdialog').getByRole('switch').nth(1),
  },
  {
    name: 'settings: storage, while the library moves',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await emitEvent(page, 'storage.moving', {
        step: 'copying',
        copiedBytes: 50,
        totalBytes: 200,
        failure: null,
        leftBytes: 0,
      });
    },
    proof: (page) => page.getByRole('main').getByRole('progressbar'),
  },
  {
    name: 'settings: storage, the library was not moved',
    plan: planStudio({ failures: { 'storage.move': makeFailure('E-239', { code: 'move_no_room' }) } }),
    reach: async (page) => {
      await turnTo(page, 'storage');
      await page.getByRole('button', { name: 'Move…', exact: true }).click();
    },
    proof: (page) => page.getByRole('main').getByRole('alert'),
  },
  {
    name: 'settings: privacy',
    isSeenInEveryRun: true,
    plan: planStudio(),
    reach: (page) => turnTo(page, 'privacy'),
    proof: (page) => page.getByRole('switch'),
  },
  {
    name: 'settings: before everything is erased',
    plan: planStudio(),
    reach: async (page) => {
      await turnTo(page, 'privacy');
      await page.getByRole('button', { name: 'Erase everything…' }).click();
    },
    proof: (page) => page.getByRole('alertdialog'),
  },
];
