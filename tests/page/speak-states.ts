import { updateBlocks } from '../../shared/domain/speech/blocks.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { someSpeech, someVoices } from '../support/some-speech.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

const speech = someSpeech();
const opened = speech['speak.open'];
const nothing = {
  ...opened,
  document: { ...opened.document, id: 'empty', title: '', text: '', blocks: [] },
  documents: [],
  takes: [],
};

const inLanguages =
  'Kitob\n\nBir odam keldi.\n\nIkkinchi bob\n\nСегодня на лекции мы говорим о решении суда. Oxirgi gap.';
let number = 0;
const foreign = {
  ...opened.document,
  text: inLanguages,
  blocks: updateBlocks([], inLanguages, {
    language: 'uz',
    limit: 5000,
    newId: () => `own-${String((number += 1))}`,
  }).map((block, index) => ({ ...block, takeIds: [], takeId: index === 1 ? 'take-0' : null, isLocked: index === 1 })),
};

/** The Speak section with a text, by sentences, with nothing, without a service, and without a speech program. */
export const speakStates: readonly ScreenState[] = [
  {
    name: 'speak, a text of which a part is spoken',
    isSeenInEveryRun: true,
    plan: planStudio({ answers: speech }),
    location: '/speak',
    proof: (page) => page.getByRole('textbox').and(page.locator('[aria-multiline]')),
  },
  {
    name: 'speak, with the voices of the legacy API',
    plan: planStudio({
      answers: { ...speech, 'speak.voices': { ...someVoices, voices: [] } },
      connection: { legacyKey: { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' } },
    }),
    location: '/speak',
    proof: (page) => page.getByRole('button').filter({ hasText: /16/u }).nth(2),
  },
  {
    name: 'speak, sentence by sentence',
    isSeenInEveryRun: true,
    plan: planStudio({ answers: speech }),
    location: '/speak',
    reach: async (page) => {
      await page
        .locator('label')
        .filter({ has: page.locator('input[value="blocks"]') })
        .click();
      await page.locator('ol > li').nth(1).getByRole('button').first().click();
    },
    proof: (page) => page.locator('ol > li').nth(6),
  },
  {
    name: 'speak, nothing written and no speech program in practice mode',
    plan: planStudio({
      settings: { mode: 'practice' },
      answers: {
        'speak.open': nothing,
        'speak.findTakes': { takes: [] },
        'speak.voices': { ...someVoices, canSpeak: false },
        'speak.history': { takes: [], remote: [], hasMore: false, failure: null, texts: [] },
      },
    }),
    location: '/speak',
    proof: (page) => page.getByText('espeak-ng', { exact: false }).first(),
  },
  {
    name: 'speak, the whole history while the service is away',
    plan: planStudio({
      answers: {
        ...speech,
        'speak.voices': { ...someVoices, failure: makeFailure('E-001') },
        'speak.history': { ...speech['speak.history'], failure: makeFailure('E-001') },
      },
    }),
    location: '/speak/history',
    proof: (page) => page.getByRole('main').locator('ul > li').nth(3),
  },
  {
    name: 'speak, words that are read in another way',
    plan: planStudio({
      answers: {
        ...speech,
        'speak.open': {
          ...opened,
          document: { ...opened.document, pronunciations: [{ written: 'adras', spoken: 'adrás', matchCase: false }] },
          pronunciations: { uz: [{ written: 'Mirzaahmedov', spoken: 'Mirza-Ahmedov', matchCase: true }] },
        },
      },
    }),
    location: '/speak',
    reach: (page) => page.getByRole('button').and(page.locator('[aria-label$="…"]')).first().click(),
    proof: (page) => page.getByRole('dialog').locator('tbody > tr').nth(1),
  },
  {
    name: 'speak, subtitles that are imported into a text',
    plan: planStudio({
      answers: {
        ...speech,
        'speak.importText': {
          imported: { name: 'zal.srt', text: 'Bir. Ikki.', cues: [{ startMs: 0, endMs: 900, text: 'Bir.' }] },
        },
      },
    }),
    location: '/speak',
    reach: (page) => page.locator('button:has(svg.lucide-file-up)').click(),
    proof: (page) => page.getByRole('dialog').getByRole('switch'),
  },
  {
    name: 'speak, sentences of another language, and chapters to save',
    plan: planStudio({
      answers: { ...speech, 'speak.open': { ...opened, document: foreign as never, takes: opened.takes } },
    }),
    location: '/speak',
    reach: async (page) => {
      await page.locator('button:has(svg.lucide-download):has(svg.lucide-chevron-down)').click();
      await page
        .locator('select')
        .filter({ has: page.locator('option[value="chapters"]') })
        .selectOption('chapters');
    },
    proof: (page) => page.locator('select').filter({ has: page.locator('option[value="chapters"]') }),
  },
];
