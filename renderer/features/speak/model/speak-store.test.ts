import { expect, test } from 'vitest';
import { requestIdentity } from '../../../../shared/domain/speech/blocks.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { emptyDocument } from '../../../../shared/domain/speech/speech-document.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { SpeechPlayer } from '../../../audio/speech-player.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { blockStatus } from './block-status.ts';
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
  const studio = {
    request: async (method: string) => (refused.has(method) ? err(makeFailure('E-230')) : ok(answers[method] ?? {})),
  } as unknown as StudioClient;
  const store = createSpeakStore(studio, { stop: () => undefined } as unknown as SpeechPlayer);
  await store.load();
  store.setText('One is here. Two is here. Three is here.', { isTyping: false });
  return { store, refused, words: () => store.getState().document?.text };
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
});

test('a sentence whose earlier request was never answered and can not be repeated says so', async () => {
  const { store } = await openStore();
  const { document, requests } = store.getState();
  const [block, request] = [document?.blocks[0], requests[0]];
  if (block === undefined || request === undefined) throw new Error('no sentence');
  const failure = makeFailure('E-041', { code: 'old_request' });
  const take = { ...request, state: 'asked', failure } as unknown as ShownTake;
  const byIdentity = new Map([[requestIdentity(request), take]]);
  expect(blockStatus(block, request, { takes: new Map(), byIdentity, work: new Map() })).toMatchObject({
    state: 'failed',
    failure,
  });
});

test('a new text that could not be made leaves the open one as it is', async () => {
  const { store, words, refused } = await openStore();
  refused.add('speak.create');
  expect(await store.create()).toBe(false);
  expect(words()).toBe('One is here. Two is here. Three is here.');
  const { status, failure, saving } = store.getState();
  expect([status, failure?.row, saving]).toEqual(['ready', 'E-230', 'saved']);
});

test('a text that could not be saved is not left for another until it can be', async () => {
  const { store, words, refused } = await openStore();
  refused.add('speak.save');
  await store.save();
  expect(await store.open('d2')).toBe(false);
  expect(await store.create()).toBe(false);
  expect(words()).toBe('One is here. Two is here. Three is here.');
  expect(store.getState().failure?.row).toBe('E-230');
  refused.clear();
  expect(await store.open('d2')).toBe(true);
  expect([words(), store.getState().failure]).toEqual(['', null]);
});

test('after a text was deleted, its unsaved letters hold up no other text', async () => {
  const { store, refused } = await openStore();
  refused.add('speak.open');
  store.setText('Typed and deleted.', { isTyping: true });
  await store.remove();
  refused.clear();
  expect(await store.open('d2')).toBe(true);
  expect(store.getState().document?.id).toBe('d1');
});
