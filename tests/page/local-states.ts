import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { LocalModelView } from '../../shared/ipc/contract-models.ts';
import { someJob } from '../support/some-jobs.ts';
import { someModel } from '../support/some-model.ts';
import { planStudio } from '../support/studio-plan.ts';
import { planEditor } from './editor-plans.ts';
import type { ScreenState } from './screens.ts';

const size = someModel.totalBytes;
const named = (name: string, part: Partial<LocalModelView>): LocalModelView => ({
  ...someModel,
  id: name,
  name: `GigaAM ${name}`,
  wordErrors: [{ language: 'uz', least: 10, most: 14 }],
  ...part,
});
/** A model in each state, and files that were refused. */
export const modelsInEveryState = {
  models: [
    named('absent', {}),
    named('coming', { state: 'downloading', bytes: 0.42 * size, bytesPerSecond: 3_100_000 }),
    named('paused', {
      state: 'partial',
      bytes: 137_000_000,
      failure: makeFailure('E-252', { code: 'other_checksum' }),
    }),
    named('checked', { state: 'checking', bytes: size }),
    named('ready', { state: 'here', bytes: size, measuredFactor: 1 / 6 }),
    named('heavy', { state: 'too-little-memory', totalBytes: 592_000_000, leastMemoryBytes: 8e9 }),
    named('Russian', { languages: ['ru'], hasPunctuation: true, wordErrors: [] }),
  ],
  refused: [
    { name: 'other.onnx', sha256: 'cd'.repeat(32), published: null, missing: null },
    { name: 'changed.onnx', sha256: 'cd'.repeat(32), published: 'ef'.repeat(32), missing: null },
    { name: 'half.onnx', sha256: 'ab'.repeat(32), published: 'ab'.repeat(32), missing: 'letters.txt' },
  ],
  hasOwn: false,
};
const oneModel = (part: Partial<LocalModelView>) => ({
  'models.list': { models: [{ ...someModel, ...part }], refused: [], hasOwn: false },
});
const firstRun = (part: Partial<LocalModelView>) =>
  planStudio({
    settings: { mode: 'unset', serviceAddress: '' },
    connection: {
      mode: 'unset',
      serviceAddress: '',
      key: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
    },
    answers: oneModel(part),
  });

/** Recognition on this computer. */
export const localStates: readonly ScreenState[] = [
  {
    name: 'on this computer: first run',
    isSeenInEveryRun: true,
    plan: firstRun({}),
    proof: (page) => page.getByRole('main').getByText(someModel.source),
  },
  {
    name: 'on this computer: first run, the model comes',
    plan: firstRun({ state: 'downloading', bytes: 0.42 * size, bytesPerSecond: 3_100_000 }),
    proof: (page) => page.getByRole('main').getByRole('progressbar'),
  },
  {
    name: 'on this computer: first run, the model is here',
    plan: firstRun({ state: 'here', bytes: size }),
    proof: (page) => page.getByRole('main').getByRole('button').first(),
  },
  {
    name: 'on this computer: models in every state',
    isSeenInEveryRun: true,
    location: '/settings/local',
    plan: planStudio({ settings: { mode: 'local' }, answers: { 'models.list': modelsInEveryState } }),
    proof: (page) => page.getByText('half.onnx', { exact: true }),
  },
  {
    name: 'on this computer: a recording waits for the model',
    plan: planStudio({
      settings: { mode: 'local' },
      answers: oneModel({}),
      jobs: [someJob('a', { tag: 'blocked', by: 'model', failure: makeFailure('E-250', { code: 'model_missing' }) })],
    }),
    proof: (page) => page.getByRole('main').getByText(someModel.source),
  },
  {
    name: 'on this computer: at work',
    isSeenInEveryRun: true,
    plan: planStudio({
      settings: { mode: 'local' },
      jobs: [
        someJob(
          'a',
          {
            tag: 'processing',
            sinceMs: 0,
            rawStatus: null,
            heard: { share: 0.38, latestText: 'ustalar har bir qatorni', leftMs: 360_000, isUsual: false },
          },
          { durationMs: 3_130_000 },
        ),
        someJob('b', { tag: 'queued-at-service', sinceMs: 0 }, { durationMs: 3_130_000 }),
      ],
    }),
    proof: (page) => page.getByText('ustalar har bir qatorni'),
  },
  {
    name: 'on this computer: a text that was made here',
    location: '/transcripts/t1',
    plan: planEditor({
      settings: { mode: 'local' },
      madeBy: { origin: 'local', model: 'GigaAM Multilingual e08e27ae' },
      isAtService: false,
      recordingName: 'suhbat.mp3',
    }),
    reach: async (page) => {
      await page.locator('[data-peaks="ready"]').waitFor();
      await page.getByRole('tab').last().click();
    },
    proof: (page) => page.getByText('GigaAM Multilingual e08e27ae'),
  },
  {
    name: 'on this computer: what a key adds',
    location: '/account',
    plan: planStudio({ settings: { mode: 'local' } }),
    proof: (page) => page.getByRole('main').getByRole('listitem').nth(3),
  },
];
