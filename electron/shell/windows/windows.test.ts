import { expect, it, vi } from 'vitest';
import type { KeyDescription } from '../../services/secrets/key-service.ts';
import { defaultSettings } from '../../services/settings/stored-settings.ts';
import { createKeyWindow } from './key-window.ts';
import { createReopening, createRestartLimit, placeWindow } from './place-window.ts';

vi.mock('electron', () => ({ session: {}, BrowserWindow: {} }));

const left = { x: 0, y: 0, width: 1920, height: 1080 };
const right = { x: 1920, y: 0, width: 1280, height: 800 };

const onRight = { x: 2000, y: 10, width: 1000, height: 700 };

it.each([
  ['on the second display', onRight, [left, right], onRight],
  ['centred, when that display is gone', onRight, [left], { width: 1000, height: 700 }],
  ['no smaller than the least', { width: 10, height: 10 }, [left], { width: 960, height: 640 }],
])('a window opens %s', (_name, saved, displays, expected) => {
  expect(placeWindow(saved, displays)).toEqual(expected);
});

it('a transcript that ends the app soon after a start opened it is not opened by the start after that', () => {
  vi.useFakeTimers();
  try {
    const kept: string[] = [];
    const keep = (location: string) => kept.push(location);
    const reopening = createReopening('/transcripts/t-1', keep);
    expect(kept.at(-1)).toBe('');
    vi.advanceTimersByTime(9000);
    expect(kept.at(-1)).toBe('');
    vi.advanceTimersByTime(1000);
    expect(kept.at(-1)).toBe('/transcripts/t-1');
    reopening.end();
    // Closed by somebody, it is not to blame.
    createReopening('/transcripts/t-2', keep).end();
    expect(kept.at(-1)).toBe('/transcripts/t-2');
    // And chosen again it is not in doubt.
    const other = createReopening('/transcripts/t-3', keep);
    other.go('/transcribe');
    other.go('/transcripts/t-3');
    expect(kept.at(-1)).toBe('/transcripts/t-3');
    vi.advanceTimersByTime(20_000);
    expect(kept.at(-1)).toBe('/transcripts/t-3');
  } finally {
    vi.useRealTimers();
  }
});

it('a failing page is reloaded three times in five minutes, and again after that', () => {
  let nowMs = 0;
  const limit = createRestartLimit(() => nowMs);
  expect([limit.mayRestart(), limit.mayRestart(), limit.mayRestart(), limit.mayRestart()]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  nowMs = 5 * 60_000;
  expect(limit.mayRestart()).toBe(true);
});

it('the key window says where the key will be: in the keychain, or without one only until the app quits', async () => {
  const save = () => Promise.reject(new Error('nothing is saved'));
  const hintWith = async (keychain: KeyDescription['keychain']) => {
    const window = createKeyWindow({
      preload: '',
      keys: {
        current: { save, describe: () => ({ keychain }) },
        legacy: { save },
        account: { save },
        signing: { save },
      },
      isRefused: () => Promise.resolve(false),
      settings: { get: () => ({ ...defaultSettings, interfaceLanguage: 'en' }) },
      parent: () => undefined,
      prepareSession: () => undefined,
      onOpened: () => undefined,
    });
    return window.answer({ type: 'words' });
  };
  expect(await hintWith('absent')).toMatchObject({
    hint: expect.stringMatching(/^It is kept in the system keychain\./u),
  });
  expect(await hintWith('no-service')).toMatchObject({ hint: expect.stringContaining('forgotten when you quit') });
});
