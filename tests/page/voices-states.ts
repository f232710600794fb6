import { newDraft, type CloneDraft } from '../../shared/domain/voices/clone-draft.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { someSpeech, someVoices } from '../support/some-speech.ts';
import { toneWav } from '../support/wav-files.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

const some: CloneDraft = {
  ...newDraft('draft-1', 'uz', Date.UTC(2026, 10, 22, 9)),
  enrollmentId: 'enr_1',
  reference: { fileName: 'a.wav', durationMs: 21_000, sizeBytes: 2_000_000, name: null },
  transcript:
    'Men bolaligimdan radio eshitib katta boʻlganman. Kechqurunlari buvim bilan hovlida oʻtirib, ertaklar tinglardik. Oʻsha ovozlar hali ham qulogʻimda jaranglaydi.',
  details: {
    name: 'Kechki eshittirish',
    description: 'Podkast kirishi uchun sokin ovoz',
    gender: 'female',
    age: 'middle-aged',
    accent: 'Fargʻona',
    palette: 'calm',
  },
};
const reading =
  'Bugun havo ochiq, togʻlar orqasidan quyosh asta koʻtarilmoqda. Bozor yoʻlida odamlar koʻp, koʻcha boʻylab yangi non hidi taraladi.';

const planOf = (draft: CloneDraft | null, isEligible = true) =>
  planStudio({
    answers: {
      ...someSpeech(),
      'voices.removing': { voiceIds: ['voice_old'] },
      'clone.read': {
        draft: draft === null ? null : { ...draft, referenceUrl: '/media/reference', readingUrl: null },
        capabilities: { eligible: isEligible, available: true },
      },
      'speak.voices': {
        ...someVoices,
        voices: [
          ...someVoices.voices,
          {
            id: 'voice_old',
            name: 'Buvijon',
            languages: ['uz'],
            gender: 'female',
            isOwn: true,
            description: null,
            palette: 'storytelling',
          },
        ],
      },
    },
  });
const inStep = (name: string, draft: CloneDraft, proof: ScreenState['proof'], isEligible = true): ScreenState => ({
  name: `voices, ${name}`,
  plan: planOf(draft, isEligible),
  location: '/voices/clone',
  proof,
});

/** The Voices section, and the clone wizard in its steps. */
export const voicesStates: readonly ScreenState[] = [
  {
    name: 'voices, two own ones of which one is being deleted, and two to compare',
    isSeenInEveryRun: true,
    plan: planOf(null),
    location: '/voices',
    reach: async (page) => {
      for (const name of ['Madina', 'Nigora']) {
        const card = page.getByRole('listitem', { name });
        await card.getByRole('button').last().click();
        await page.getByRole('menuitem').nth(1).click();
      }
    },
    proof: (page) => page.getByRole('listitem', { name: 'Claire' }),
  },
  {
    name: 'voices, a draft, and a service that can’t be reached',
    plan: planStudio({
      answers: {
        ...someSpeech(),
        'voices.removing': { voiceIds: [] },
        'speak.voices': { ...someVoices, failure: makeFailure('E-001') },
        'clone.read': { draft: { ...some, step: 'details', referenceUrl: null, readingUrl: null }, capabilities: null },
      },
    }),
    location: '/voices',
    proof: (page) => page.getByRole('listitem', { name: 'Kechki eshittirish' }),
  },
  {
    name: 'voices, recording the first seconds',
    isSeenInEveryRun: true,
    plan: planOf(null),
    location: '/voices/clone',
    proof: (page) => page.getByRole('dialog').getByRole('timer'),
  },
  {
    name: 'voices, a part of a chosen file',
    plan: planStudio({
      answers: {
        ...someSpeech(),
        'clone.read': { draft: null, capabilities: { eligible: true, available: true } },
        'clone.chooseFile': { file: { name: 'buvim.wav', mediaUrl: '/media/chosen' } },
      },
    }),
    location: '/voices/clone',
    reach: async (page) => {
      const body = toneWav(180, 24);
      await page.route('**/media/chosen', async (route) => {
        const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/u.exec(route.request().headers()['range'] ?? '') ?? [];
        const end = to === '' ? body.length - 1 : Math.min(body.length - 1, Number(to));
        await route.fulfill({
          status: 206,
          body: body.subarray(Number(from), end + 1),
          headers: {
            'content-type': 'audio/wav',
            'accept-ranges': 'bytes',
            'content-range': `bytes ${from}-${String(end)}/${String(body.length)}`,
          },
        });
      });
      const dialog = page.getByRole('dialog');
      await dialog
        .locator('label')
        .filter({ has: page.locator('input[value="file"]') })
        .click();
      await dialog.locator('button:has(svg.lucide-file-audio)').click();
    },
    proof: (page) => page.getByRole('dialog').getByRole('slider').nth(1),
  },
  inStep(
    'the words of a recording on a free plan',
    { ...some, step: 'transcript' },
    (page) => page.getByRole('dialog').getByRole('textbox'),
    false,
  ),
  inStep('details with consent', { ...some, step: 'details', hasConsent: true }, (page) =>
    page.getByRole('dialog').getByRole('checkbox', { checked: true }),
  ),
  inStep(
    'a text to read after a try that did not match',
    {
      ...some,
      step: 'read',
      attempts: 1,
      // Far in the future, so that pictures are always the same.
      challenge: { text: reading, expiresAtMs: null },
      failure: makeFailure('E-094', { status: 422, code: 'speaker_mismatch' }),
    },
    (page) => page.getByText(reading),
  ),
  inStep('a voice that is ready', { ...some, step: 'ready', score: 0.84, voiceId: 'voice_new' }, (page) =>
    page.getByRole('dialog').getByText(/0[.,]84/u),
  ),
];
