import type { ShownExport } from '../../electron/services/exports/export-service.ts';
import type { Page } from '@playwright/test';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { beginningOf, planEditor } from './editor-plans.ts';
import type { ScreenState } from './screens.ts';

const location = '/transcripts/t1';

const pressSave = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Export [.]/ })
    .click();
const openExport = async (page: Page) => {
  await page.locator('[data-peaks="ready"]').waitFor();
  await page.keyboard.press('Control+KeyE');
  await page.getByRole('dialog').getByRole('region').waitFor();
};

const heardParts: ShownExport = {
  kind: 'audio',
  spans: [
    { startMs: 0, endMs: 12_400 },
    { startMs: 14_000, endMs: 47_200 },
  ],
  durationMs: 47_200,
  isShortened: false,
};

/** Exports of a transcript. */
export const exportStates: readonly ScreenState[] = [
  {
    name: 'export, saved',
    location,
    plan: planEditor({
      settings: { recentExports: [{ format: 'docx', options: {}, folderName: 'Hujjatlar' }] },
    }),
    reach: async (page) => {
      await openExport(page);
      await pressSave(page);
      await page.getByRole('dialog').getByText('suhbat.srt').first().waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByText('suhbat.srt').first(),
  },
  {
    name: 'export, what the check of captions finds',
    isSeenInEveryRun: true,
    location,
    plan: planEditor(),
    reach: async (page) => {
      await openExport(page);
      await page
        .getByRole('dialog')
        .locator('label')
        .filter({ hasText: /\(\d+\)$/u })
        .click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('listitem').first(),
  },
  {
    name: 'export, a Word document',
    location,
    plan: planEditor({ settings: { lastExportFormat: 'docx' }, shown: beginningOf('docx') }),
    reach: openExport,
    proof: (page) => page.getByRole('dialog').getByRole('article'),
  },
  {
    name: 'export, audio into the folder of the last one',
    isSeenInEveryRun: true,
    plan: planEditor({ settings: { lastExportFormat: 'mp3', exportFolderName: 'Suhbatlar' }, shown: heardParts }),
    location,
    reach: openExport,
    proof: (page) => page.getByRole('heading', { level: 3 }),
  },
  {
    name: 'export, audio of a transcript without a recording',
    plan: planEditor({
      settings: { lastExportFormat: 'mp3' },
      shown: heardParts,
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: makeFailure('E-010', { code: 'no_recording', params: { name: 'suhbat.srt' } }),
    }),
    location,
    // There is no waveform to wait for.
    reach: async (page) => {
      await page.locator('[data-text]').first().waitFor();
      await page.keyboard.press('Control+KeyE');
      await page.getByRole('dialog').getByRole('region').waitFor();
    },
    proof: (page) => page.getByRole('heading', { level: 3 }),
  },
  {
    name: 'export, what the service wrote beside ours',
    plan: planEditor({ shown: beginningOf('srt') }),
    location,
    reach: async (page) => {
      await openExport(page);
      await page.getByRole('dialog').locator('input[type="radio"][value="service"]').check({ force: true });
    },
    proof: (page) => page.getByRole('dialog').locator('section section').nth(1),
  },
  {
    name: 'export, refused',
    location,
    plan: planEditor({
      failures: {
        'exports.save': makeFailure('E-214', { code: 'export_not_writable', params: { name: 'suhbat.srt' } }),
      },
    }),
    reach: async (page) => {
      await openExport(page);
      await pressSave(page);
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
];
