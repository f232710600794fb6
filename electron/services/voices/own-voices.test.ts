import { expect, test } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { createOwnVoices } from './clone-service.ts';
import type { CloneApi } from '../../service/speak.ts';

/** Voices at a service that answers each deletion with the next of `answers`. */
function voicesWith(isFull: boolean, ...answers: readonly Result<null>[]) {
  const notes = new Map<string, string>();
  const asked: string[] = [];
  const store = {
    note: (name: string) => ok(notes.get(name) ?? null),
    saveNote: (name: string, value: string) => {
      if (isFull) return err(makeFailure('disk-full'));
      notes.set(name, value);
      return ok(null);
    },
  };
  const remove: CloneApi['remove'] = async (voiceId) => answers[asked.push(voiceId) - 1] ?? ok(null);
  return { voices: createOwnVoices({ store, api: { remove } as CloneApi }), asked };
}
const cleaningUp = err(makeFailure('voice-being-deleted'));

test.each([
  ['offline', makeFailure('offline', { outcome: 'not_sent' })],
  ['with a refused key', makeFailure('key-refused', { outcome: 'refused' })],
  ['while the service is unavailable', makeFailure('product-unavailable', { outcome: 'refused' })],
])('the recordings of a removed voice are deleted in the end, though a repeat met %s', async (_when, failure) => {
  const { voices, asked } = voicesWith(false, cleaningUp, err(failure), ok(null));
  expect(await voices.remove('mine')).toEqual(ok({ isCleaningUp: true }));
  await voices.goOn();
  expect(voices.beingRemoved()).toEqual(['mine']);
  await voices.goOn();
  expect(voices.beingRemoved()).toEqual([]);
  expect(asked).toHaveLength(3);
});

test('a deletion without an answer is repeated; one that was never sent or was refused is not', async () => {
  const lost = voicesWith(false, err(makeFailure('connection-dropped', { outcome: 'unknown' })));
  await lost.voices.remove('mine');
  expect(lost.voices.beingRemoved()).toEqual(['mine']);
  const offline = voicesWith(false, err(makeFailure('offline', { outcome: 'not_sent' })));
  expect(await offline.voices.remove('mine')).toMatchObject({ ok: false });
  expect(offline.voices.beingRemoved()).toEqual([]);
});

test('a deletion that can not be noted is not asked for, so that it is never left half done', async () => {
  const { voices, asked } = voicesWith(true);
  expect(await voices.remove('mine')).toMatchObject({ ok: false, error: { kind: 'disk-full' } });
  expect(asked).toEqual([]);
});
