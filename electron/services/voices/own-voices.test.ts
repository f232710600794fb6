import { expect, test } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { CloneApi } from '../../api/resources/clone.ts';
import { createOwnVoices } from './own-voices.ts';

/** Voices at a service that answers each deletion with the next of `answers`. */
function voicesWith(...answers: readonly Result<null>[]) {
  const notes = new Map<string, string>();
  const asked: string[] = [];
  const store = {
    note: (name: string) => ok(notes.get(name) ?? null),
    saveNote: (name: string, value: string) => {
      notes.set(name, value);
      return ok(null);
    },
  };
  const remove: CloneApi['remove'] = async (voiceId) => answers[asked.push(voiceId) - 1] ?? ok(null);
  return { voices: createOwnVoices({ store, api: { remove } as CloneApi }), asked };
}
const cleaningUp = err(makeFailure('E-097'));

test.each([
  ['offline', makeFailure('E-001', { outcome: 'not_sent' })],
  ['with a refused key', makeFailure('E-032', { outcome: 'refused' })],
  ['while the service is unavailable', makeFailure('E-058', { outcome: 'refused' })],
])('the recordings of a removed voice are deleted in the end, though a repeat met %s', async (_when, failure) => {
  const { voices, asked } = voicesWith(cleaningUp, err(failure), ok(null));
  expect(await voices.remove('mine')).toEqual(ok({ isCleaningUp: true }));
  await voices.goOn();
  expect(voices.beingRemoved()).toEqual(['mine']);
  await voices.goOn();
  expect(voices.beingRemoved()).toEqual([]);
  expect(asked).toHaveLength(3);
});

test('a deletion without an answer is repeated; one that was never sent or was refused is not', async () => {
  const lost = voicesWith(err(makeFailure('E-012', { outcome: 'unknown' })));
  await lost.voices.remove('mine');
  expect(lost.voices.beingRemoved()).toEqual(['mine']);
  const offline = voicesWith(err(makeFailure('E-001', { outcome: 'not_sent' })));
  expect(await offline.voices.remove('mine')).toMatchObject({ ok: false });
  expect(offline.voices.beingRemoved()).toEqual([]);
});
