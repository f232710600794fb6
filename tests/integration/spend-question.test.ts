import { expect, it, onTestFinished, vi } from 'vitest';
import { audioOf, type SpendQuestion } from '../../electron/services/spend/spend-guard.ts';
import { askSpend } from '../../electron/shell/ask-user.ts';
import type { App } from '../../electron/sections/context.ts';
import { askStreams } from '../../electron/sections/ask.ts';
import { speakStreams } from '../../electron/sections/speak.ts';
import type { PaidAsked } from '../../shared/domain/ledger/paid-action.ts';
import { ok } from '../../shared/result/result.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { minuteMs, type CreditRate } from '../../shared/domain/ledger/expected-cost.ts';
import {
  addEstimates,
  estimateAudio,
  type AudioWork,
  type SpendEstimate,
} from '../../shared/domain/spend/spend-limit.ts';

const { shown, pressed, dialog } = vi.hoisted(() => {
  const pressed = { at: 0 };
  const all: {
    message: string;
    detail: string;
    buttons: string[];
    checkboxLabel?: string;
    checkboxChecked?: boolean;
    cancelId?: number;
  }[] = [];
  return {
    shown: all,
    pressed,
    dialog: {
      showMessageBox: async (question: (typeof all)[number]) => (all.push(question), { response: pressed.at }),
    },
  };
});
vi.mock('electron', () => ({ dialog }));

const perMinute: CreditRate = { sampleCount: 1, creditsPerHour: '5400', creditsPerGigabyte: null, stepMs: 60_000 };
const perSecond: CreditRate = { sampleCount: 1, creditsPerHour: '3600', creditsPerGigabyte: null };
const unknown: CreditRate = { sampleCount: 0, creditsPerHour: null, creditsPerGigabyte: null };

async function ask(
  audioMs: number,
  rate: CreditRate | ((work: AudioWork) => CreditRate),
  question: Partial<SpendQuestion> = {},
  said: 'uz' | 'ru' | 'en' = 'en',
) {
  const rateOf = typeof rate === 'function' ? rate : () => rate;
  const estimate = estimateAudio('transcribe', [audioMs]);
  await askSpend(undefined, { tag: 'ask', estimate, spentMs: 0, limitMs: 0, ...question }, said, rateOf);
  return shown.at(-1)!;
}

it('the question names seconds, the cost that is charged, and started minutes only where they are counted', async () => {
  const short = await ask(29_000, perMinute);
  expect(short.detail).toContain(
    'Counted: 1 minute (29 seconds of audio; a started minute of a recording counts in full).',
  );
  expect(short.detail).toContain('about 90 credits');
  // By which the hour is counted, too, whether or not the price is known.
  const clips = estimateAudio(
    'transcribe',
    Array.from({ length: 8 }, () => 5000),
  );
  for (const limitMs of [0, 3_600_000])
    expect((await ask(0, unknown, { estimate: clips, limitMs })).detail).toContain('8 minutes (40 seconds of audio;');
  expect((await ask(120_000, perMinute)).detail).toContain('2 minutes of audio in total.');
  const isolated = await ask(16_400, perSecond, { estimate: estimateAudio('isolate', [16_400]) });
  expect(isolated.detail).toContain('about 17 credits');
  expect(isolated.detail).toContain('16 seconds of audio in total.');
  expect(isolated.detail).not.toContain('minute');
});

it('each of several recordings is charged by its own started minutes', async () => {
  const estimate = addEstimates(
    [6000, 6000, 61_000].map((durationMs) => audioOf({ sizeBytes: 1, durationMs }, 'transcribe')),
  );
  expect((await ask(0, perMinute, { estimate })).detail).toContain('about 360 credits');
});

it.each([
  ['uz', 'Nutq tili: oʻzbekcha.', 'Nutq tili: oʻzbekcha va ruscha.'],
  ['ru', 'Язык речи: узбекский.', 'Язык речи: узбекский и русский.'],
  ['en', 'Spoken language: Uzbek.', 'Spoken language: Uzbek and Russian.'],
] as const)('the language that speech is sent in is said, and each where they differ: %s', async (said, one, two) => {
  const inLanguages = (...languages: readonly SpeechLanguage[]) =>
    addEstimates(languages.map((language) => audioOf({ sizeBytes: 1, durationMs: minuteMs, language }, 'transcribe')));
  expect((await ask(0, unknown, { estimate: inLanguages('uz', 'uz') }, said)).detail).toContain(one);
  expect((await ask(0, unknown, { estimate: inLanguages('uz', 'ru', 'uz') }, said)).detail).toContain(two);
  expect((await ask(0, unknown, { estimate: estimateAudio('isolate', [1000]) }, said)).detail).not.toContain(one);
});

it('with speakers a recording costs what such recordings cost, also among others', async () => {
  const estimate = addEstimates([estimateAudio('speakers', [30_000]), estimateAudio('transcribe', [30_000])]);
  const rateOf = (work: AudioWork) => ({ ...perMinute, creditsPerHour: work === 'speakers' ? '5400' : '3600' });
  expect((await ask(0, rateOf, { estimate })).detail).toContain('about 150 credits');
  const isHalfKnown = (work: AudioWork) => (work === 'speakers' ? unknown : perMinute);
  expect((await ask(0, isHalfKnown, { estimate })).detail).toContain('The cost is unknown');
});

it('the question names the service that is to have it instead, and promises nothing at once while the queue is paused', async () => {
  const asked = await ask(1000, perMinute, { newAddress: 'https://other.example', isHeld: true });
  expect(asked.message).toBe('Send this when the queue goes on?');
  expect(asked.detail).toMatch(
    /^The key or the address .+ will be sent to https:\/\/other\.example and charged there\./u,
  );
});

it('a length is told as it is, beside the minutes that are charged', async () => {
  const { detail } = await ask(70_000, perMinute);
  expect(detail).toContain('2 minutes (1 minute 10 seconds of audio;');
  expect(detail).toContain('about 180 credits');
  // The list calls the same recording 0:17.
  expect((await ask(17_340, perMinute)).detail).toContain('17 seconds');
  const hours = { estimate: estimateAudio('isolate', [2 * 3_600_000 + 61_000]) };
  expect((await ask(0, perSecond, hours)).detail).toContain('2 hours 1 minute of audio');
});

it.each([
  [{ usual: '0.517', most: '2' }, 'about 0.52 credits.'],
  [{ usual: null, most: '21' }, 'at most 21 credits.'],
  [{ usual: null, most: null }, 'The cost is unknown'],
  [undefined, 'The cost is unknown'],
])('what has no audio has its price too, or it is said to be unknown: %j', async (price, said) => {
  const estimate = { requests: 1, audioMs: 0, characters: 40, price, isRough: false };
  expect((await ask(0, unknown, { estimate })).detail).toContain(said);
});

it('Speak and Ask give the question what is known of their price', async () => {
  const asked: SpendEstimate[] = [];
  const app = {
    workspaces: {
      opened: async () =>
        ok({
          ledger: { expectedCredits: (route: string, { characters }: PaidAsked) => `${route} ${String(characters)}` },
          speechTakes: { findByRequests: async () => ok([]) },
          conversations: { estimate: async () => ok({ requests: 3, credits: '21', usual: '5' }) },
        }),
    },
    keys: { isInText: () => false },
    settings: { get: () => ({ interfaceLanguage: 'en' }) },
    paid: {
      start: async (_asker: unknown, estimate: SpendEstimate | Promise<SpendEstimate>) => (
        asked.push(await estimate),
        ok(false)
      ),
    },
  } as unknown as App;
  const run = (stream: { readonly handle: unknown }, input: object) =>
    (stream.handle as (...given: readonly unknown[]) => Promise<unknown>)(input, {}, { windowId: 1 });
  const request = { text: 'Salom dunyo', voiceId: 'v', language: 'uz', speed: 1 };
  await run(speakStreams(app)['speak.generate'], { orders: [{ blockId: 'a', request }], isNewTake: true });
  await run(askStreams(app)['ask.answer'], { question: 'Qachon?', files: [], task: 'question' });
  expect(asked).toMatchObject([
    { characters: 11, isByCharacters: true, price: { usual: 'speak.generate 11', most: null } },
    { requests: 3, price: { usual: '5', most: '21' } },
  ]);
});

it('a text names the characters that are charged beside its requests, a question to the assistant does not', async () => {
  const estimate = { requests: 2, audioMs: 0, characters: 113, isRough: false };
  expect((await ask(0, unknown, { estimate: { ...estimate, isByCharacters: true } })).detail).toMatch(
    /^113 characters in 2 requests$/mu,
  );
  expect((await ask(0, unknown, { estimate })).detail).toMatch(/^2 requests$/mu);
});

it('of an unknown price nothing is promised, and consent for later is never ticked beforehand', async () => {
  const asked = await ask(29_000, unknown, { limitMs: 3_600_000, isUnpriced: true, waits: true });
  expect(asked.detail).toContain('The cost is unknown');
  expect(asked.detail).not.toMatch(/Expected cost|at most/u);
  // Only an unknown cost is a reason to enter the account token.
  const where = 'With an account token, the app learns prices from what was charged: enter it under “Account”.';
  expect(asked.detail).not.toContain(where);
  expect((await ask(29_000, unknown, { lacksToken: true })).detail).toContain(where);
  expect((await ask(29_000, perMinute, { lacksToken: true })).detail).not.toContain(where);
  expect(asked).toMatchObject({ message: 'Send this now?', checkboxChecked: false });
  expect(asked.buttons).toEqual(['Send', 'Send later', 'Don’t send']);
  expect(asked.cancelId).toBe(1);
  expect((await ask(29_000, unknown, { isUnpriced: true })).buttons).toEqual(['Send', 'Don’t send']);
});

it('what waits in the queue is sent, kept for later or not wanted; elsewhere later is no answer', async () => {
  onTestFinished(() => void (pressed.at = 0));
  const estimate = estimateAudio('transcribe', [1000]);
  const answers = async (waits: boolean) => {
    const all = [];
    for (pressed.at = 0; pressed.at < (waits ? 3 : 2); pressed.at += 1)
      all.push(
        await askSpend(undefined, { tag: 'ask', estimate, spentMs: 0, limitMs: 0, waits }, 'en', () => perMinute),
      );
    return all.map(({ admitted }) => admitted);
  };
  expect(await answers(true)).toEqual([true, 'waits', false]);
  expect(await answers(false)).toEqual([true, false]);
});
