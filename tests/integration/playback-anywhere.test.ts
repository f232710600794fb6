import { beforeEach, expect, it, vi } from 'vitest';
import { playbackAnywhere } from '../../electron/entries/compose/playback-anywhere.ts';
import type { SettingsStore } from '../../electron/services/settings/settings-store.ts';
import { keyPresets, overridesOf } from '../../shared/domain/commands/key-presets.ts';
import { defaultSettings, type StoredSettings } from '../../shared/domain/settings/settings.ts';

const desktop = vi.hoisted(() => ({
  keys: new Map<string, () => void>(),
  taken: new Set<string>(),
  ourWindow: null as object | null,
  events: new Map<string, (() => void)[]>(),
}));
vi.mock('electron', () => ({
  app: {
    on: (event: string, run: () => void) => desktop.events.set(event, [...(desktop.events.get(event) ?? []), run]),
  },
  BrowserWindow: { getFocusedWindow: () => desktop.ourWindow },
  globalShortcut: {
    register: (key: string, run: () => void) => {
      if (desktop.taken.has(key)) return false;
      desktop.keys.set(key, run);
      return true;
    },
    unregister: (key: string) => desktop.keys.delete(key),
  },
}));

/** Another program or our window comes to the front. */
const toFront = (isOurs: boolean) => {
  desktop.ourWindow = isOurs ? {} : null;
  for (const run of desktop.events.get(isOurs ? 'browser-window-focus' : 'browser-window-blur') ?? []) run();
};
const heldKeys = () => [...desktop.keys.keys()].toSorted();
const opened = ['playback.toggle', 'playback.pause', 'playback.back', 'playback.forward', 'text.find'];

beforeEach(() => {
  desktop.keys.clear();
  desktop.taken.clear();
  desktop.events.clear();
  desktop.ourWindow = null;
});

function begin(own: Partial<StoredSettings> = {}) {
  const settings: StoredSettings = { ...defaultSettings, playsFromOtherPrograms: true, ...own };
  const run = vi.fn<(command: string) => void>();
  const store = { get: () => settings } as unknown as SettingsStore;
  return { run, playback: playbackAnywhere({ settings: store, hasGlobalKeys: true, run }) };
}

it('a key of playback pressed in another program runs its command, and ours keeps its keys to itself', () => {
  const { playback, run } = begin();
  playback.setAvailable(opened);
  expect(heldKeys()).toEqual(['CommandOrControl+Space', 'F1', 'F2']);
  desktop.keys.get('CommandOrControl+Space')?.();
  desktop.keys.get('F1')?.();
  expect(run.mock.calls).toEqual([['playback.toggle'], ['playback.back']]);
  toFront(true);
  expect(heldKeys()).toEqual([]);
  toFront(false);
  expect(heldKeys()).toEqual(['CommandOrControl+Space', 'F1', 'F2']);
});

it('other programs keep their keys while nothing is open, unless the user wants it, and when the app quits', () => {
  const { playback } = begin();
  playback.refresh();
  expect(heldKeys()).toEqual([]);
  playback.setAvailable(opened);
  expect(heldKeys()).not.toEqual([]);
  playback.setAvailable(['text.find']);
  expect(heldKeys()).toEqual([]);
  playback.setAvailable(opened);
  for (const run of desktop.events.get('will-quit') ?? []) run();
  expect(heldKeys()).toEqual([]);
  const off = begin({ playsFromOtherPrograms: false });
  off.playback.setAvailable(opened);
  expect(heldKeys()).toEqual([]);
});

it('a key that another program holds stays there, and is taken as soon as it is free', () => {
  desktop.taken.add('F1');
  const { playback } = begin();
  playback.setAvailable(opened);
  expect(heldKeys()).toEqual(['CommandOrControl+Space', 'F2']);
  desktop.taken.clear();
  playback.refresh();
  expect(heldKeys()).toEqual(['CommandOrControl+Space', 'F1', 'F2']);
});

it('no preset takes a key that types, or Esc, from other programs', () => {
  for (const preset of keyPresets) {
    desktop.keys.clear();
    const { playback } = begin({ shortcuts: { ...overridesOf[preset], 'range.clear': 'KeyQ' } });
    playback.setAvailable([...opened, 'range.clear']);
    expect(heldKeys().length).toBeGreaterThanOrEqual(3);
    for (const key of heldKeys()) expect(key).toMatch(/^(F\d+|(CommandOrControl|Alt)\+.+)$/);
  }
});
