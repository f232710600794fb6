import { beforeEach, expect, it, vi } from 'vitest';
import { dictateAnywhere } from '../../electron/entries/compose/dictate-anywhere.ts';
import { playbackAnywhere } from '../../electron/entries/compose/playback-anywhere.ts';
import type { Delivery } from '../../electron/services/dictation/deliver-text.ts';
import type { SettingsStore } from '../../electron/services/settings/stored-settings.ts';
import type { WorkspaceSwitch } from '../../electron/workspace/workspace-switch.ts';
import { defaultSettings, type StoredSettings } from '../../shared/domain/settings/settings.ts';

// A desktop with another program in front.
const desktop = vi.hoisted(() => ({
  keys: new Map<string, () => void>(),
  ourWindow: null as object | null,
  events: new Map<string, (() => void)[]>(),
}));
vi.mock('electron', () => ({
  default: { clipboard: {} },
  app: {
    on: (event: string, run: () => void) => desktop.events.set(event, [...(desktop.events.get(event) ?? []), run]),
  },
  BrowserWindow: { getFocusedWindow: () => desktop.ourWindow },
  globalShortcut: {
    register: (key: string, run: () => void) => desktop.keys.set(key, run).has(key),
    unregister: (key: string) => desktop.keys.delete(key),
  },
}));
vi.mock('../../electron/platform/node/x11-target.ts', () => ({
  openX11Target: async () => ({ current: async () => null, layout: async () => null }),
}));

/** Another program or our window comes to the front. */
const toFront = (isOurs: boolean) => {
  desktop.ourWindow = isOurs ? {} : null;
  for (const run of desktop.events.get(isOurs ? 'browser-window-focus' : 'browser-window-blur') ?? []) run();
};
const heldKeys = () => [...desktop.keys.keys()].toSorted();
const settingsWith = (own: Partial<StoredSettings>) =>
  ({ get: () => ({ ...defaultSettings, ...own }) }) as SettingsStore;

beforeEach(() => {
  desktop.keys.clear();
  desktop.events.clear();
  desktop.ourWindow = null;
});

function dictating(own: Partial<StoredSettings> = {}) {
  const delivered: Delivery[] = [];
  const discard = vi.fn<() => void>();
  const anywhere = dictateAnywhere({
    settings: settingsWith(own),
    workspaces: {} as WorkspaceSwitch,
    toggle: () => undefined,
    discard,
    onBegun: () => undefined,
    onDelivered: (one) => void delivered.push(one),
    hasGlobalKeys: true,
  });
  anywhere.refresh();
  return { anywhere, delivered, discard };
}

it('Esc discards from the program in front while the microphone is on, and belongs to that program otherwise', () => {
  const { anywhere, discard } = dictating();
  const change = {
    takeId: 'one',
    startedAtMs: 0,
    phrases: [],
    rewritings: [],
    sending: null,
    hasDiskTrouble: false,
  };
  expect(desktop.keys.has('Escape')).toBe(false);
  anywhere.follow({ ...change, isRecording: true });
  desktop.keys.get('Escape')?.();
  expect(discard).toHaveBeenCalledTimes(1);
  anywhere.follow({ ...change, isRecording: false });
  expect(desktop.keys.has('Escape')).toBe(false);
  desktop.ourWindow = {};
  anywhere.follow({ ...change, isRecording: true });
  expect(desktop.keys.has('Escape')).toBe(false);
});

it('a key of playback pressed in another program runs its command while something is open, and ours keeps its keys', () => {
  const run = vi.fn<(command: string) => void>();
  const opened = ['playback.toggle', 'playback.pause', 'playback.back', 'playback.forward', 'text.find'];
  const ours = ['CommandOrControl+Space', 'F1', 'F2'];
  const begin = (playsFromOtherPrograms: boolean) =>
    playbackAnywhere({ settings: settingsWith({ playsFromOtherPrograms }), hasGlobalKeys: true, run });
  const playback = begin(true);
  playback.refresh();
  expect(heldKeys()).toEqual([]);
  playback.setAvailable(opened);
  expect(heldKeys()).toEqual(ours);
  desktop.keys.get('CommandOrControl+Space')?.();
  desktop.keys.get('F1')?.();
  expect(run.mock.calls).toEqual([['playback.toggle'], ['playback.back']]);
  toFront(true);
  expect(heldKeys()).toEqual([]);
  toFront(false);
  expect(heldKeys()).toEqual(ours);
  playback.setAvailable(['text.find']);
  expect(heldKeys()).toEqual([]);
  playback.setAvailable(opened);
  for (const quit of desktop.events.get('will-quit') ?? []) quit();
  expect(heldKeys()).toEqual([]);
  begin(false).setAvailable(opened);
  expect(heldKeys()).toEqual([]);
});
