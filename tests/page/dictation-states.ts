import type { Page } from '@playwright/test';
import type { TakeSummary } from '../../shared/domain/dictation/take-view.ts';
import type { WrittenCleanUp, WrittenPhrase } from '../../shared/domain/dictation/written-phrases.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { ScreenState } from './screens.ts';

const startedAtMs = new Date(2026, 10, 22, 13, 38).getTime();
const takeId = 'take-1';

export const somePhrase = (id: number, more: Partial<WrittenPhrase>): WrittenPhrase => ({
  id,
  startMs: id * 12_000,
  endMs: id * 12_000 + 8400,
  spokenAtMs: startedAtMs + id * 12_000,
  language: 'uz',
  state: 'text',
  text: '',
  recognised: '',
  raw: '',
  cleanUp: null,
  isEdited: false,
  used: [],
  firstTry: null,
  isTakenBack: false,
  unanswered: 0,
  failure: null,
  deliveredTo: null,
  ...more,
});

export const cleanedUp = (more: Partial<WrittenCleanUp>): WrittenCleanUp => ({
  style: 'tidy',
  written: null,
  fault: null,
  credits: null,
  isArriving: false,
  isChanged: false,
  isShown: false,
  ...more,
});

const phrases: readonly WrittenPhrase[] = [
  somePhrase(1, {
    text: 'Tumanlararo sudga daʼvo arizasi. Daʼvogar: Yoʻldosheva Nargiza Baxtiyorovna.',
    raw: 'eee tumanlararo sudga daʼvo arizasi, daʼvogar Yoʻldosheva Nargiza Baxtiyorovna',
    cleanUp: cleanedUp({ style: 'email', credits: '0.25', isChanged: true, isShown: true }),
  }),
  somePhrase(2, { text: 'Javobgar: “Ipak Yoʻli Savdo” MChJ, STIR 302 456 118.', used: ['MChJ', 'STIR'] }),
  somePhrase(3, { state: 'silent' }),
  somePhrase(4, {
    language: 'ru',
    text: 'Ответчик возражает против приобщения копий без подписи.',
    cleanUp: cleanedUp({ style: 'toUz', fault: 'different', credits: '0.25' }),
    firstTry: { language: 'uz', text: 'Otvetchik vozrajaet' },
  }),
  somePhrase(5, { text: 'Bu gap keyin oʻchirildi.', isTakenBack: true }),
  somePhrase(10, { text: 'Ertaga soat oʻnda kelaman', cleanUp: cleanedUp({ style: 'notes', isArriving: true }) }),
  somePhrase(6, { state: 'failed', failure: { row: 'E-130', code: 'invalid_audio' } }),
  somePhrase(7, { state: 'discarded' }),
  somePhrase(8, { state: 'waiting' }),
  somePhrase(9, { state: 'speaking', endMs: null }),
];

const take = (id: string, more: Partial<TakeSummary>): TakeSummary => ({
  id,
  title: null,
  startedAtMs,
  durationMs: 7200,
  language: 'uz',
  mode: 'hold',
  device: 'Samson Q2U',
  isRecording: false,
  isPinned: false,
  hasSound: true,
  transcriptId: null,
  text: '',
  phraseCount: 1,
  waitingCount: 0,
  deliveredTo: null,
  lostMs: 0,
  ...more,
});

const takes: readonly TakeSummary[] = [
  take('now', { text: phrases[0]?.text ?? '', mode: 'hands-free', phraseCount: 214, isRecording: true }),
  take('pinned', { text: 'Yigʻilish ertaga soat oʻnda, hujjatlarni olib keling.', isPinned: true }),
  take('kept', { text: 'Отправьте, пожалуйста, акт сверки до пятницы.', language: 'ru', waitingCount: 3 }),
  take('none', { startedAtMs: startedAtMs - 86_400_000, lostMs: 120 }),
  take('old', {
    startedAtMs: startedAtMs - 86_400_000,
    text: 'Haftalik hisobot: loyiha guruhi uchta vazifani yakunladi.',
    hasSound: false,
  }),
];

/** A microphone that records nothing. */
export const answerMicrophone = (page: Page): Promise<void> =>
  page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const { stream } = new AudioContext().createMediaStreamDestination();
      // Otherwise it is named after its class, which a page that hears nothing for long shows.
      for (const track of stream.getTracks()) Object.defineProperty(track, 'label', { value: '', configurable: true });
      return stream;
    };
    const one = { kind: 'audioinput', deviceId: 'default', groupId: '', label: '' } as MediaDeviceInfo;
    navigator.mediaDevices.enumerateDevices = async () => [one];
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
  });

/** Keeps a key down for longer than a tap. */
export async function hold(page: Page): Promise<void> {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() - from > 300, since);
}

/** Main receives the audio of the latest take, which is the nth. */
export async function sayTake(page: Page, id: string, fromMs: number, nth = 1): Promise<void> {
  await page.waitForFunction(
    (count) => window.fakeStudio.calls.filter(({ method }) => method === 'dictation.session').length === count,
    nth,
    // Sound takes long to start where other work has all processors.
    { timeout: 30_000 },
  );
  await page.evaluate(
    (value) => {
      window.fakeStudio.sayInStream('dictation.session', { kind: 'value', value });
    },
    { kind: 'started', takeId: id, fromMs },
  );
}

async function speak(page: Page): Promise<void> {
  await answerMicrophone(page);
  await page.locator('button[aria-pressed="false"]').first().click();
  await sayTake(page, takeId, 0);
  await page.locator('button[aria-pressed="true"]').first().waitFor();
}

export const changeOf = (id: string, all: readonly WrittenPhrase[]) =>
  ({
    takeId: id,
    startedAtMs,
    phrases: all,
    sending: null,
    account: { text: 1, waiting: 1, discarded: 1 },
    isRecording: true,
    hasDiskTrouble: false,
  }) as const;

/** Dictation before, during and after speech. */
export const dictationStates: readonly ScreenState[] = [
  {
    name: 'dictation before anything is said, with replacements',
    location: '/dictate',
    plan: planStudio({
      settings: {
        replacements: [
          { language: 'uz', say: 'em che je', write: 'MChJ', kind: 'word', isCaseSensitive: false },
          { language: 'uz', say: 'stir', write: 'STIR', kind: 'word', isCaseSensitive: false },
        ],
      },
    }),
    proof: (page) => page.locator('button[aria-pressed="false"]').first(),
  },
  {
    name: 'dictation hands-free without a network, with phrases in every state',
    isSeenInEveryRun: true,
    location: '/dictate',
    plan: planStudio({ settings: { dictationMode: 'hands-free', dictationStyle: 'email' } }),
    reach: async (page) => {
      await speak(page);
      await emitEvent(page, 'dictation.changed', {
        ...changeOf(takeId, phrases),
        sending: { kind: 'stopped', failure: makeFailure('E-001'), triesAgainMs: 5000 },
      });
    },
    proof: (page) => page.locator('[data-state="failed"]'),
  },
  {
    name: 'the history of dictation',
    isSeenInEveryRun: true,
    location: '/dictate/history',
    plan: planStudio({ answers: { 'dictation.list': { takes: [...takes] } } }),
    proof: (page) => page.getByRole('listitem').nth(4),
  },
];
