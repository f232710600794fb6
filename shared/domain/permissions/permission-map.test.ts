import { expect, test } from 'vitest';
import { makeFailure } from '../failures/make-failure.ts';
import {
  explainBeforeSending,
  learnRefusal,
  listAccess,
  mapOfList,
  nothingKnown,
  products,
  readPermissions,
} from './permission-map.ts';

const missing = (permission: string) =>
  makeFailure('permission-missing', { code: 'insufficient_scope', params: { permission } });

test('an answered read allows, a missing permission denies by its name, anything else leaves it open', () => {
  const map = readPermissions([
    { product: 'transcribe', permission: 'speech_to_text: read', failure: null },
    { product: 'ask', permission: 'llm: read', failure: missing('llm: read') },
    { product: 'speak', permission: 'text_to_speech: read', failure: makeFailure('not-offered') },
    { product: 'isolate', permission: 'audio_isolation: read', failure: makeFailure('credits-exhausted') },
  ]);
  expect(map).toEqual({
    transcribe: { tag: 'allowed' },
    ask: { tag: 'denied', permission: 'llm: read' },
    speak: { tag: 'unknown' },
    isolate: { tag: 'unknown' },
    dictate: { tag: 'unknown' },
    voices: { tag: 'unknown' },
  });
  expect(mapOfList(listAccess(map))).toEqual(map);
});

test('F-84: nothing is sent with a key that could start the work but not collect it', () => {
  const map = readPermissions([
    { product: 'transcribe', permission: 'speech_to_text: read', failure: missing('speech_to_text: read') },
  ]);
  expect(explainBeforeSending(map, 'transcribe')).toMatchObject({ kind: 'key-cannot-collect', outcome: 'not_sent' });
  for (const product of products) expect(explainBeforeSending(nothingKnown, product)).toBeNull();
});

test('a refused creation is remembered; other failures of the work do not count as a missing permission', () => {
  const allowed = readPermissions([{ product: 'speak', permission: 'text_to_speech: read', failure: null }]);
  const learned = learnRefusal(allowed, 'speak', missing('text_to_speech: write'));
  expect(explainBeforeSending(learned, 'speak')).toMatchObject({
    kind: 'permission-missing',
    params: { permission: 'text_to_speech: write' },
  });
  for (const row of ['key-refused', 'credits-exhausted', 'key-restricted', 'gateway-error'] as const) {
    expect(learnRefusal(allowed, 'speak', makeFailure(row))).toBe(allowed);
  }
  expect(learnRefusal(allowed, 'webhooks', missing('webhooks: access'))).toBe(allowed);
});
