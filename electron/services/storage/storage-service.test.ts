import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { defaultSettings, type StoredSettings } from '../settings/stored-settings.ts';
import { createStorageService } from './storage-service.ts';
import type { StorageUse } from '../../storage/storage-folder.ts';

function build(answers: { readonly forget?: Result<null>; readonly erase?: Result<null> } = {}) {
  const story: string[] = [];
  let bytes = 100;
  let settings: StoredSettings = { ...defaultSettings, mode: 'service', interfaceLanguage: 'ru', keepsLog: false };
  const sizes = (): StorageUse => ({
    parts: [{ part: 'peaks', bytes, removableBytes: bytes }],
    freeBytes: null,
    movedTo: null,
  });
  const storage = createStorageService({
    files: {
      measure: async () => sizes(),
      remove: async (part, kept) => {
        story.push(`removes ${part}${kept === null ? '' : ` except ${[...kept].join()}`}`);
        bytes = 30;
        return ok(null);
      },
      judgeMove: async (chosen) => ok({ path: chosen, isNetwork: false }),
      move: async (path) => {
        story.push(`move to ${path}`);
        return ok({ leftBytes: 0 });
      },
      removeEverything: async () => {
        story.push('removes everything');
        return answers.erase ?? ok(null);
      },
    },
    workspaces: { current: () => ok({ keptAudio: async () => ok(new Set(['a.ogg'])) }) },
    connection: {
      whileClosed: async (which, work) => {
        story.push(`closes ${which}`);
        const done = await work();
        story.push(`opens ${settings.mode}`);
        return done;
      },
    },
    forgetKeys: async () => {
      story.push('forgets the key');
      return answers.forget ?? ok(null);
    },
    settings: {
      wasReset: false,
      get: () => settings,
      update: (change) => (settings = { ...settings, ...change }),
      onChanged: () => () => undefined,
    },
    clearBrowserData: async () => void story.push('clears the browser'),
  });
  return { storage, story, settings: () => settings, practise: () => (settings = { ...settings, mode: 'practice' }) };
}

it('reports what cleaning has freed, and closes the library only for practice mode', async () => {
  const { storage, story, practise } = build();
  expect(await storage.clean('peaks')).toMatchObject({ ok: true, value: { freedBytes: 70 } });
  await storage.clean('practice');
  expect(story.splice(0)).toEqual(['removes peaks', 'closes practice', 'removes practice', 'opens service']);
  await storage.clean('prepared');
  practise();
  // The library that is open is another one, so nothing is known about this audio.
  await storage.clean('prepared');
  expect(story).toEqual(['removes prepared except a.ogg', 'removes prepared']);
});

it.each(['', 'стереть всё'])('does nothing for %j instead of the word', async (typed) => {
  const { storage, story } = build();
  expect(await storage.eraseEverything(typed, 'стереть')).toMatchObject({ ok: false, error: { kind: 'ipc-refused' } });
  expect(story).toEqual([]);
});

it.each(["o'chirish", 'OʻCHIRISH'])('takes %j of any keyboard for the word', async (typed) => {
  expect((await build().storage.eraseEverything(typed, 'oʻchirish')).ok).toBe(true);
});

it('erases with everything closed, the key first, and returns to the first screen in the same language', async () => {
  const { storage, story, settings } = build();
  expect((await storage.eraseEverything(' Стереть ', 'стереть')).ok).toBe(true);
  expect(story).toEqual(['closes any', 'forgets the key', 'removes everything', 'clears the browser', 'opens unset']);
  expect(settings()).toEqual({ ...defaultSettings, interfaceLanguage: 'ru' });
});

it('changes nothing if the keychain keeps the key, and keeps the settings if they can’t be deleted', async () => {
  const locked = build({ forget: err(makeFailure('keychain-locked')) });
  expect(await locked.storage.eraseEverything('стереть', 'стереть')).toMatchObject({
    ok: false,
    error: { kind: 'keychain-locked' },
  });
  expect(locked.story).toEqual(['closes any', 'forgets the key', 'opens service']);
  expect(locked.settings().mode).toBe('service');
  const { storage, settings } = build({ erase: err(makeFailure('data-folder-unwritable')) });
  expect(await storage.eraseEverything('стереть', 'стереть')).toMatchObject({
    ok: false,
    error: { kind: 'data-folder-unwritable' },
  });
  expect(settings().mode).toBe('service');
});
