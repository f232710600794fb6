import type { Page } from '@playwright/test';
import type { TakeSummary } from '../../shared/domain/dictation/take-view.ts';
import type { WrittenRewriting } from '../../shared/domain/dictation/rewriting.ts';
import {
  textOfPhrases,
  type WrittenCleanUp,
  type WrittenPhrase,
} from '../../shared/domain/dictation/written-phrases.ts';

const startedAtMs = new Date(2026, 10, 22, 13, 38).getTime();

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

export const phrasesInEveryState: readonly WrittenPhrase[] = [
  somePhrase(1, {
    text: 'Tumanlararo sudga daʼvo arizasi. Daʼvogar: Yoʻldosheva Nargiza Baxtiyorovna.',
    raw: 'eee tumanlararo sudga daʼvo arizasi, daʼvogar Yoʻldosheva Nargiza Baxtiyorovna',
    cleanUp: cleanedUp({ style: 'email', credits: '0.25', isChanged: true, isShown: true }),
  }),
  somePhrase(4, {
    language: 'ru',
    text: 'Ответчик возражает против приобщения копий без подписи.',
    cleanUp: cleanedUp({ style: 'toUz', fault: 'different', credits: '0.25' }),
    firstTry: { language: 'uz', text: 'Otvetchik vozrajaet' },
  }),
  somePhrase(10, { text: 'Ertaga soat oʻnda kelaman', cleanUp: cleanedUp({ style: 'notes', isArriving: true }) }),
  somePhrase(6, { state: 'failed', failure: { row: 'E-130', code: 'invalid_audio' } }),
  somePhrase(8, { state: 'waiting' }),
  somePhrase(9, { state: 'speaking', endMs: null }),
];

/** What is said in a letter, with a replacement in it. */
export const aLetter: readonly WrittenPhrase[] = [
  'Assalomu alaykum. Yetkazib berish shartnomasi boʻyicha yozyapman. Birinchi partiya 17-aprelda yetib keldi, ikkinchisi esa haligacha kelgani yoʻq.',
  'Ombor mudiri qutilarni sanab chiqdi: 60 ta oʻrniga 20 ta. Dalolatnoma MChJ vakili ishtirokida tuzilgan.',
  'Iltimos, qolgan qutilar qachon joʻnatilishini yozib yuboring.',
].map((text, at) => somePhrase(at + 1, { text, raw: text, used: at === 1 ? ['MChJ'] : [] }));

export const rewritten = (more: Partial<WrittenRewriting> = {}): WrittenRewriting => ({
  id: 'rewriting-1',
  style: 'email',
  from: 1,
  to: 3,
  said: textOfPhrases(aLetter),
  written:
    'Assalomu alaykum!\n\nYetkazib berish shartnomasi boʻyicha murojaat qilyapman. Birinchi partiya 17-aprelda yetib keldi, biroq 60 ta quti oʻrniga 20 ta qabul qilindi.\n\nHurmat bilan',
  edited: null,
  fault: null,
  credits: '0.38',
  isShown: true,
  isArriving: false,
  ...more,
});

export const readTake = (phrases: readonly WrittenPhrase[], rewritings: readonly WrittenRewriting[] = []) => ({
  summary: someTake('take-1', {}),
  phrases: [...phrases],
  rewritings: [...rewritings],
  mediaToken: null,
});

export const someTake = (id: string, more: Partial<TakeSummary>): TakeSummary => ({
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
  discardedMs: 0,
  deliveredTo: null,
  lostMs: 0,
  ...more,
});

export const someTakes: readonly TakeSummary[] = [
  someTake('now', {
    text: phrasesInEveryState[0]?.text ?? '',
    mode: 'hands-free',
    phraseCount: 214,
    isRecording: true,
  }),
  someTake('kept', { text: 'Отправьте, пожалуйста, акт сверки до пятницы.', language: 'ru', waitingCount: 3 }),
  someTake('old', {
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

/** Presses the microphone, and main has begun the take. */
export async function speak(page: Page): Promise<void> {
  await answerMicrophone(page);
  await page.locator('footer button[aria-pressed="false"]').click();
  await sayTake(page, 'take-1', 0);
  await page.locator('footer button[aria-pressed="true"]').waitFor();
}

export const changeOf = (id: string, all: readonly WrittenPhrase[]) =>
  ({
    takeId: id,
    startedAtMs,
    phrases: all,
    rewritings: [],
    sending: null,
    isRecording: true,
    hasDiskTrouble: false,
  }) as const;
