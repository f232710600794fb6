import { expect, test } from 'vitest';
import { requestIdentity, type SpeechRequest } from '../../../../shared/domain/speech/blocks.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { emptyDocument } from '../../../../shared/domain/speech/speech-document.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { SpeechPart, SpeechPlayer } from '../../../audio/speech-player.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { isOldVoice } from './block-status.ts';
import { createSpeakStore } from './speak-store.ts';

async function openStore() {
  const defaults = { language: 'en', voiceId: 'voice_a', speed: 1, otherVoices: {} } as const;
  const answers: Readonly<Record<string, unknown>> = {
    'speak.open': {
      document: emptyDocument('d1', defaults as never),
      documents: [],
      takes: [],
      pronunciations: {},
      voiceMarks: { favourites: [], recent: [] },
    },
    'speak.findTakes': { takes: [] },
  };
  const refused = new Set<string>();
  const sent: string[] = [];
  const studio = {
    request: async (method: string) =>
      refused.has(method) ? err(makeFailure('internal-error')) : ok(answers[method] ?? {}),
    open: async (_stream: string, { orders }: { readonly orders: readonly { readonly request: SpeechRequest }[] }) => {
      sent.push(...orders.map(({ request }) => `${request.voiceId}: ${request.text}`));
      return err(makeFailure('internal-error'));
    },
  } as unknown as StudioClient;
  const played: (readonly SpeechPart[])[] = [];
  const heard: { status: string; heardId: string | null; heardMs: number; startedMs: number; resumeCount: number } = {
    status: 'paused',
    heardId: null,
    heardMs: 0,
    startedMs: 0,
    resumeCount: 0,
  };
  const player = {
    getState: () => heard,
    stop: () => undefined,
    start(parts: readonly SpeechPart[], fromMs = 0) {
      played.push(parts);
      heard.startedMs = fromMs;
    },
    resume: () => (heard.resumeCount += 1),
    finish: () => undefined,
  };
  const store = createSpeakStore(studio, player as unknown as SpeechPlayer);
  await store.load();
  store.setText('One is here. Two is here. Three is here.', { isTyping: false });
  /** Sentences by their index get the audio that their words, voice and speed need now. */
  const addAudio = (...indexes: readonly number[]) =>
    store.addTakes(
      indexes.flatMap((index) => {
        const request = store.getState().requests[index];
        if (request === undefined) return [];
        const id = `take-${String(index)}`;
        const take: ShownTake = {
          ...request,
          id,
          identity: requestIdentity(request),
          state: 'made',
          createdAtMs: 1,
          durationMs: 1000,
          mediaUrl: `/media/${id}`,
          failure: null,
          bars: '',
        };
        return [take];
      }),
    );
  const ids = () => store.getState().document?.blocks.map(({ id }) => id) ?? [];
  return { store, refused, sent, played, heard, addAudio, ids, words: () => store.getState().document?.text };
}

test('undo of a removed sentence is offered until the text is changed in any way, and takes back nothing else', async () => {
  const { store, words } = await openStore();
  const [first, second] = store.getState().document?.blocks ?? [];
  const ended: string[] = [];
  const offer = (name: string) => onceChanged(store, ({ steps }) => steps)(() => void ended.push(name));
  store.editBlock(first?.id ?? '', '');
  offer('first');
  // Audio that arrives is no change of the text.
  const request = store.getState().requests[0];
  if (request === undefined) throw new Error('no request');
  const take = { id: 't1', identity: requestIdentity(request), state: 'made', createdAtMs: 1 };
  store.addTakes([take as unknown as ShownTake]);
  expect(store.getState().document?.blocks[0]?.takeId).toBe('t1');
  expect(ended).toEqual([]);
  store.editBlock(second?.id ?? '', '');
  expect(ended).toEqual(['first']);
  offer('second');
  store.undo();
  expect(words()).toBe('Two is here. Three is here.');
  expect(ended).toEqual(['first', 'second']);
  store.undo();
  expect(words()).toBe('One is here. Two is here. Three is here.');
  store.redo();
  store.redo();
  expect(words()).toBe('Three is here.');
  expect([store.getState().steps.length, store.getState().undone.length]).toEqual([3, 0]);
  store.undo();
  store.setText('Four is here.', { isTyping: false });
  expect(store.getState().undone).toEqual([]);
});

test('a shared pronunciation that changes is in the requests at once', async () => {
  const { store } = await openStore();
  store.setText('Two is here.', { isTyping: false });
  expect(store.getState().requests[0]?.text).toContain('Two');
  void store.setPronunciations({ en: [{ written: 'Two', spoken: 'Tou' }] } as never);
  expect(store.getState().requests[0]?.text).toContain('Tou');
});

test('a text that could not be saved is not left for another until it can be', async () => {
  const { store, words, refused } = await openStore();
  refused.add('speak.save');
  await store.save();
  expect(await store.open('d2')).toBe(false);
  expect(await store.create()).toBe(false);
  expect(words()).toBe('One is here. Two is here. Three is here.');
  expect(store.getState().failure?.kind).toBe('internal-error');
  refused.clear();
  expect(await store.open('d2')).toBe(true);
  expect([words(), store.getState().failure]).toEqual(['', null]);
});

test('listening sends nothing: it plays what exists and ends before the first sentence without audio', async () => {
  const { store, sent, played, addAudio, ids } = await openStore();
  addAudio(0, 1);
  const [first, second, third] = ids();
  store.play(0);
  store.play(1, { count: 1 });
  store.play(2, { count: 1 });
  expect(played.map((parts) => parts.map(({ id }) => id))).toEqual([[first, second], [second]]);
  expect([sent, store.getState().gapId, store.getState().isGenerating]).toEqual([[], third, false]);
  // Changed words have no audio; at the beginning of a text they are passed over.
  store.editBlock(first ?? '', 'One was here.');
  addAudio(2);
  store.play(0);
  expect(played.at(-1)?.map(({ id }) => id)).toEqual([second, third]);
  expect([sent, store.getState().gapId]).toEqual([[], null]);
});

test('what is spoken is heard from the first sentence that had no audio, and nothing else is sent', async () => {
  const { store, sent, played, addAudio, ids } = await openStore();
  addAudio(0, 2);
  store.speak(0);
  expect(sent).toEqual(['voice_a: Two is here.']);
  expect(played.at(-1)?.map(({ id }) => id)).toEqual(ids().slice(1));
});

test('a speed is made here and sent to nobody: no sentence is changed by it, and a locked one keeps its own', async () => {
  const { store, sent, played, addAudio, ids } = await openStore();
  addAudio(0, 1, 2);
  store.patchBlock(ids()[1] ?? '', { isLocked: true });
  store.setDefaults({ speed: 1.05 });
  store.speak(0);
  expect(sent).toEqual([]);
  expect(played.at(-1)?.map(({ tempo }) => tempo)).toEqual([1.05, 1, 1.05]);
  store.setDefaults({ speed: 2 });
  store.speak(0);
  expect(played.at(-1)?.map(({ tempo }) => tempo)).toEqual([2, 1, 2]);
  expect([sent, store.getState().requests.map(({ speed }) => speed)]).toEqual([[], [1, 1, 1]]);
});

test('audio that was once asked for at another speed is found, and heard at the speed of the text', async () => {
  const { store, sent, played } = await openStore();
  store.setDefaults({ speed: 1.2 });
  const request = { ...store.getState().requests[0]!, speed: 1.2 };
  const known = { ...request, id: 't1', identity: requestIdentity(request), mediaUrl: '/media/t1' };
  store.addTakes([{ ...known, state: 'made', createdAtMs: 1, durationMs: 1000, failure: null, bars: '' }]);
  store.speak(0, { count: 1 });
  store.setDefaults({ speed: 1.8 });
  store.speak(0, { count: 1 });
  expect([sent, played.map(([part]) => part?.tempo)]).toEqual([[], [1, 1.8 / 1.2]]);
});

test('a reading that its sentence lost is not lost silently, and can be given back', async () => {
  const { store, words } = await openStore();
  const readings = () => store.getState().document?.blocks.map(({ readAs }) => readAs);
  store.patchBlock(store.getState().document?.blocks[1]?.id ?? '', { readAs: 'Number two is here.' });
  store.setText('One is here. Two was here. Three is here.', { isTyping: true });
  expect([readings(), store.getState().lostReading]).toEqual([[null, 'Number two was here.', null], null]);
  store.setText('One is here. Four was here. Three is here.', { isTyping: true });
  expect(store.getState().lostReading?.readAs).toBe('Number two was here.');
  store.answerLostReading(true);
  expect([readings(), words()]).toEqual([
    [null, 'Number two was here.', null],
    'One is here. Four was here. Three is here.',
  ]);
  expect(store.getState().lostReading).toBeNull();
});

const mixed = 'Please keep your ticket. Bugun havo juda ochiq. Мы уже готовы.';

test('nothing is sent while it is open which voice reads a language, and the last answer sends each sentence once', async () => {
  const { store, sent } = await openStore();
  store.setText(mixed, { isTyping: false });
  store.speak(0);
  expect([sent, store.getState().held === null, store.getState().isGenerating]).toEqual([[], false, false]);
  store.answerLanguage('uz', 'voice_lola');
  expect(sent).toEqual([]);
  store.answerLanguage('ru', '');
  await expect
    .poll(() => sent)
    .toEqual(['voice_a: Please keep your ticket.', 'voice_lola: Bugun havo juda ochiq.', 'voice_a: Мы уже готовы.']);
  expect(store.getState().held).toBeNull();
});

test('what would divide a sentence waits while it is typed, and is not lost when its screen goes', async () => {
  const { store, words, ids } = await openStore();
  const [first = ''] = ids();
  store.typeInBlock(first, 'One is here. Four is here.');
  expect(words()).toBe('One is here. Two is here. Three is here.');
  store.keepTyped();
  expect(words()).toBe('One is here. Four is here. Two is here. Three is here.');
  store.keepTyped();
  store.undo();
  expect(words()).toBe('One is here. Two is here. Three is here.');
});

test('a sentence that may be charged already is sent again only when that is said', async () => {
  const { store, sent } = await openStore();
  const request = store.getState().requests[1];
  if (request === undefined) throw new Error('no request');
  const failure = makeFailure('job-not-found', { code: 'old_request' });
  const take = { ...request, id: 't1', identity: requestIdentity(request), state: 'asked', createdAtMs: 1, failure };
  store.addTakes([take as unknown as ShownTake]);
  store.speak(0);
  await expect.poll(() => sent).toEqual(['voice_a: One is here.', 'voice_a: Three is here.']);
  store.speak(1, { count: 1, sendsAgain: true });
  await expect.poll(() => sent.at(-1)).toBe('voice_a: Two is here.');
  expect(sent).toHaveLength(3);
});

test('a sentence with another voice is not said to have other words', async () => {
  const { store, addAudio } = await openStore();
  addAudio(0);
  const isOld = () => {
    const [status, request] = [store.statusOf(0), store.getState().requests[0]];
    return status !== null && request !== undefined && [status.state, isOldVoice(status, request)];
  };
  store.setDefaults({ voiceId: 'voice_b' });
  expect(isOld()).toEqual(['changed', true]);
  store.patchBlock(store.getState().document?.blocks[0]?.id ?? '', { readAs: 'Number one is here.' });
  expect(isOld()).toEqual(['changed', false]);
});
