import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dictateAnywhere } from '../../electron/entries/compose/dictate-anywhere.ts';
import { dictationOverlay } from '../../electron/entries/compose/dictation-overlay.ts';
import type { Delivery } from '../../electron/services/dictation/deliver-text.ts';
import type { SettingsStore } from '../../electron/services/settings/settings-store.ts';
import type { WorkspaceSwitch } from '../../electron/workspace/workspace-switch.ts';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import { defaultSettings, type StoredSettings } from '../../shared/domain/settings/settings.ts';
import type { OverlayView } from '../../shared/ipc/overlay.ts';

// A desktop with another program in front.
const keys = vi.hoisted(() => new Map<string, () => void>());
vi.mock('electron', () => ({
  default: { clipboard: {} },
  app: { on: () => undefined },
  BrowserWindow: { getFocusedWindow: () => null },
  globalShortcut: { register: (key: string, run: () => void) => keys.set(key, run).has(key) },
}));
vi.mock('../../electron/platform/node/x11-target.ts', () => ({
  openX11Target: async () => ({ current: async () => null, layout: async () => null }),
}));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const settingsWith = (own: Partial<StoredSettings>) =>
  ({ get: () => ({ ...defaultSettings, ...own }) }) as unknown as SettingsStore;

function openOverlay(own: Partial<StoredSettings> = {}) {
  /** What the window was given; null: it was closed. */
  const shown: (OverlayView | null)[] = [];
  const overlay = dictationOverlay(
    settingsWith(own),
    { show: (view) => void shown.push(view), close: () => void shown.push(null), answer: () => null },
    () => 'Control+Shift+Space',
  );
  const follow = (takeId: string, isRecording: boolean, more: Partial<TakeChange> = {}) =>
    overlay.follow({
      takeId,
      startedAtMs: 0,
      phrases: [],
      sending: null,
      account: { text: 0, waiting: 0, discarded: 0 },
      isRecording,
      hasDiskTrouble: false,
      ...more,
    });
  return { overlay, follow, shown, state: () => shown.at(-1)?.state ?? null };
}
const kept: Delivery = { kind: 'kept', why: 'window-changed' };

it('the global key that pastes the last text reports the outcome, as the button of the overlay does', async () => {
  const delivered: Delivery[] = [];
  const anywhere = dictateAnywhere({
    settings: settingsWith({ shortcuts: { 'dictation.pasteLast': 'Mod+Alt+KeyV' } }),
    workspaces: {} as WorkspaceSwitch,
    toggle: () => undefined,
    onBegun: () => undefined,
    onDelivered: (one) => void delivered.push(one),
    hasGlobalKeys: true,
  });
  anywhere.refresh();
  keys.get('CommandOrControl+Alt+V')?.();
  await anywhere.pasteLast();
  expect(delivered).toEqual([
    { kind: 'kept', why: 'no-window' },
    { kind: 'kept', why: 'no-window' },
  ]);
});

it('a closed overlay stays closed, whatever is still reported while the app quits', () => {
  const { overlay, follow, shown } = openOverlay({ keepsOverlay: true });
  follow('one', true);
  follow('one', false);
  overlay.close();
  shown.length = 0;
  overlay.noteDelivery(kept);
  overlay.refresh();
  vi.advanceTimersByTime(10_000);
  expect(shown.filter((view) => view !== null)).toEqual([]);
});

it('what the user hid stays hidden until the next take, however soon that begins', () => {
  const { overlay, follow, shown, state } = openOverlay();
  follow('one', true);
  follow('one', false);
  overlay.noteDelivery(kept);
  vi.advanceTimersByTime(1000);
  expect(state()).toBe('kept');
  overlay.hide();
  shown.length = 0;
  vi.advanceTimersByTime(5000);
  expect(shown.filter((view) => view !== null)).toEqual([]);
  follow('two', true);
  expect(state()).toBe('listening');
  overlay.hide();
  shown.length = 0;
  follow('two', true);
  vi.advanceTimersByTime(1000);
  expect(shown.filter((view) => view !== null)).toEqual([]);
});

it('what does not move is not drawn ten times a second, and a change of it is drawn at once', () => {
  const { overlay, follow, shown, state } = openOverlay();
  follow('one', true);
  shown.length = 0;
  vi.advanceTimersByTime(1000);
  expect(shown.length).toBeGreaterThanOrEqual(10);
  follow('one', false);
  overlay.noteDelivery(kept);
  expect(state()).toBe('kept');
  vi.advanceTimersByTime(1000);
  shown.length = 0;
  vi.advanceTimersByTime(10_000);
  expect(shown.length).toBeLessThanOrEqual(10);
  overlay.dismiss();
  expect(state()).toBeNull();
  overlay.noteGone('Samson Q2U');
  expect(state()).toBe('error');
});
