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

/** The Speak section with a text, by sentences, with nothing, without a service, and without a speech program. */
export const speakStates: readonly ScreenState[] = [
  {
    name: 'speak, a text of which a part is spoken',
    plan: planStudio({ answers: speech }),
    location: '/speak',
    proof: (page) => page.getByRole('textbox').and(page.locator('[aria-multiline]')),
  },
  {
    name: 'speak, sentence by sentence',
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
        'speak.history': { takes: [], remote: [], hasMore: false, failure: null },
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
];
