import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { StudioPlan } from '../support/studio-plan.ts';
import { planStudio } from '../support/studio-plan.ts';
import { libraryPlan, someFolders, someItems, someTags } from './library-states.ts';
import type { ScreenState } from './screens.ts';

const location = '/library';

const someSpeakers = [
  { name: 'Dilnoza Karimova', colour: 5, count: 12 },
  { name: 'Usta Rahmatillo', colour: null, count: 2 },
  { name: 'Дилноза', colour: 2, count: 1 },
  { name: 'Yangi mehmon', colour: 3, count: 0 },
];
const someRemote = [
  {
    remoteId: 'r1',
    title: 'Qoʻqon bozori',
    createdAtMs: Date.UTC(2026, 10, 3),
    durationMs: 1_800_000,
    language: 'uz' as const,
    isReady: true,
  },
  { remoteId: 'r2', title: '', createdAtMs: null, durationMs: null, language: null, isReady: true },
  {
    remoteId: 'r3',
    title: 'Судебное заседание',
    createdAtMs: Date.UTC(2026, 10, 1),
    durationMs: 5_400_000,
    language: 'ru' as const,
    isReady: false,
  },
];
const someMissing = [
  { id: 't4', name: 'adras-ustasi.mp3', sizeBytes: 94_000_000, isMoved: true },
  { id: 't5', name: 'buxoro.m4a', sizeBytes: 0, isMoved: true },
  { id: 't3', name: 'ceramicist.srt', sizeBytes: 1200, isMoved: false },
];

/** The library with main's answers to one of its dialogs. */
export const dialogPlan = (changes: Partial<Pick<StudioPlan, 'answers' | 'failures' | 'waits'>> = {}): StudioPlan =>
  planStudio({
    ...changes,
    answers: {
      ...libraryPlan().answers,
      'library.speakers': { speakers: someSpeakers },
      'library.remote': { items: someRemote, deletedCount: 2, isWhole: false },
      'library.missing': { missing: someMissing },
      ...changes.answers,
    },
  });

/** What an import of captions and of another program's JSON changed. */
const manyLines = Array.from({ length: 20 }, (_, at) => at + 40);
const uncounted = { captions: [], changes: [] };
export const changedByImport = {
  imported: [
    {
      transcriptId: 't1',
      name: 'faulty.vtt',
      language: 'en' as const,
      isLanguageOpen: true,
      report: {
        changedCount: 31,
        countedIn: 'lines' as const,
        kinds: [
          { kind: 'unreadable' as const, count: 1, places: [9], ...uncounted },
          {
            kind: 'overlap' as const,
            count: 2,
            places: [13, 17],
            captions: [3, 4],
            changes: [
              { before: { startMs: 8000, endMs: 12_500 }, after: { startMs: 8000, endMs: 12_400 } },
              { before: { startMs: 12_400, endMs: 16_000 }, after: { startMs: 12_400, endMs: 15_000 } },
            ],
          },
          { kind: 'marks' as const, count: 26, places: manyLines, ...uncounted },
          { kind: 'position' as const, count: 2, places: [21, 25], captions: [5, 6], changes: [] },
        ],
      },
    },
    {
      transcriptId: 't2',
      name: 'meeting.json',
      language: 'en' as const,
      isLanguageOpen: false,
      report: {
        changedCount: 3,
        countedIn: 'segments' as const,
        kinds: [
          { kind: 'empty' as const, count: 1, places: [4], ...uncounted },
          { kind: 'untimed' as const, count: 2, places: [5, 8], ...uncounted },
        ],
      },
    },
  ],
  refused: [],
  repeated: [],
};

/** In the menu of the library, from the top. */
const actions = { import: 0, account: 1, book: 2, storage: 3 } as const;
const openDialog = (which: keyof typeof actions) => async (page: Parameters<NonNullable<ScreenState['reach']>>[0]) => {
  await page.locator('header[data-pane="header"]').getByRole('button').nth(-2).click();
  await page.getByRole('menuitem').nth(actions[which]).click();
  await page.getByRole('dialog').waitFor();
};
const inDialog: ScreenState['proof'] = (page) => page.getByRole('dialog');

export const libraryDialogStates: readonly ScreenState[] = [
  {
    name: 'library, what an import changed',
    isSeenInEveryRun: true,
    plan: dialogPlan({ answers: { 'transcripts.import': changedByImport } }),
    location,
    reach: async (page) => {
      await openDialog('import')(page);
      await page.getByRole('dialog').getByRole('button').last().click();
      await page.getByText('meeting.json').waitFor();
      // The notice of how many there were would stay in the language that it was written in.
      const notice = page.locator('[data-pane="notices"]').getByRole('button');
      await notice.click();
      await notice.waitFor({ state: 'detached' });
    },
    proof: inDialog,
  },
  {
    name: 'library, speaker book',
    isSeenInEveryRun: true,
    plan: dialogPlan(),
    location,
    reach: openDialog('book'),
    proof: inDialog,
  },
  {
    name: 'library, speaker book, two names become one',
    plan: dialogPlan(),
    location,
    reach: async (page) => {
      await openDialog('book')(page);
      await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').first().click();
      await page.getByRole('dialog').getByRole('textbox').fill('Usta Rahmatillo');
    },
    proof: (page) => page.getByRole('dialog').getByRole('radio').first(),
  },
  {
    name: 'library, speaker book without names',
    plan: dialogPlan({ answers: { 'library.speakers': { speakers: [] } } }),
    location,
    reach: openDialog('book'),
    proof: inDialog,
  },
  {
    name: 'library, speaker book that can not be read',
    plan: dialogPlan({ failures: { 'library.speakers': makeFailure('E-181') } }),
    location,
    reach: openDialog('book'),
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'library, transcripts of the account',
    isSeenInEveryRun: true,
    plan: dialogPlan(),
    location,
    reach: openDialog('account'),
    proof: inDialog,
  },
  {
    name: 'library, the account is asked',
    plan: dialogPlan({ waits: ['library.remote'] }),
    location,
    reach: openDialog('account'),
    proof: inDialog,
  },
  {
    name: 'library, nothing more in the account',
    plan: dialogPlan({ answers: { 'library.remote': { items: [], deletedCount: 0, isWhole: true } } }),
    location,
    reach: openDialog('account'),
    proof: inDialog,
  },
  {
    name: 'library, the account can not be reached',
    plan: dialogPlan({ failures: { 'library.remote': makeFailure('E-002') } }),
    location,
    reach: openDialog('account'),
    proof: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'library, storage and moved recordings',
    isSeenInEveryRun: true,
    plan: dialogPlan(),
    location,
    reach: openDialog('storage'),
    proof: inDialog,
  },
  {
    name: 'library, storage with every recording in its place',
    plan: dialogPlan({ answers: { 'library.missing': { missing: [] } } }),
    location,
    reach: openDialog('storage'),
    proof: inDialog,
  },
  {
    name: 'library, recordings are looked for',
    plan: dialogPlan(),
    location,
    reach: async (page) => {
      await openDialog('storage')(page);
      await page.evaluate(() => {
        window.fakeStudio.emit('library.finding', {
          checkedCount: 1200,
          totalCount: 4800,
          foundCount: 1,
          isOver: false,
          failure: null,
        });
      });
    },
    proof: (page) => page.getByRole('dialog').getByRole('progressbar'),
  },
  {
    name: 'library, the language of imported texts is asked',
    plan: dialogPlan({
      answers: {
        'transcripts.import': {
          imported: ['subs.srt', 'suhbat, uch soatlik.vtt'].map((name, at) => ({
            transcriptId: `imported-${String(at)}`,
            name,
            language: 'uz' as const,
            isLanguageOpen: true,
          })),
          refused: [],
          repeated: [],
        },
      },
    }),
    location,
    reach: async (page) => {
      await page.locator('header[data-pane="header"]').getByRole('button').nth(-2).click();
      await page.getByRole('menuitem').first().click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('combobox').first(),
  },
  {
    name: 'library, a text without a recording',
    plan: dialogPlan(),
    location,
    reach: (page) => page.getByRole('row', { name: 'Interview with a ceramicist' }).click(),
    proof: (page) => page.getByRole('complementary').last().getByRole('button').nth(1),
  },
  {
    name: 'library, loading',
    plan: planStudio({ waits: ['library.list'] }),
    location,
    proof: (page) => page.locator('section output').first(),
  },
  {
    name: 'library, that can not be read',
    plan: planStudio({ failures: { 'library.list': makeFailure('E-181') } }),
    location,
    proof: (page) => page.locator('section').getByRole('heading', { level: 2 }).last(),
  },
  {
    name: 'library, looking for words',
    plan: { ...libraryPlan(), waits: ['library.search'] },
    location,
    reach: (page) => page.getByRole('searchbox').fill('anor'),
    proof: (page) => page.locator('section output').first(),
  },
  {
    name: 'library, words that can not be looked for',
    plan: { ...libraryPlan(), failures: { 'library.search': makeFailure('E-182') } },
    location,
    reach: (page) => page.getByRole('searchbox').fill('anor'),
    proof: (page) => page.locator('section').getByRole('heading', { level: 2 }).last(),
  },
  {
    name: 'library, by title behind a tag',
    plan: libraryPlan(),
    location,
    reach: async (page) => {
      await page.getByRole('checkbox', { name: 'Tekshirish kerak' }).check();
      await page.locator('header[data-pane="header"]').getByRole('button').first().click();
      await page.getByRole('menuitemradio').nth(2).click();
    },
    proof: (page) => page.getByRole('row').nth(1),
  },
  {
    name: 'library, everything is in the trash',
    plan: planStudio({
      answers: {
        'library.list': {
          items: someItems.map((item) => ({ ...item, trashedAtMs: Date.now() - 3_600_000 })),
          folders: someFolders,
          tags: someTags,
        },
      },
    }),
    location,
    proof: (page) => page.locator('section').getByRole('heading', { level: 2 }).last(),
  },
];
