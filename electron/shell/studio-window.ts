import { nativeTheme, type BrowserWindow } from 'electron';
import type { EventHub } from '../ipc/events.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { KeyService } from '../services/secrets/key-service.ts';
import type { SettingsStore } from '../services/settings/settings-store.ts';
import type { WindowInside } from './windows/create-window.ts';
import { offerFieldMenu } from './field-menu.ts';
import { openMainWindow } from './windows/main-window.ts';
import { followZoom } from './zoom.ts';

export interface StudioWindowOptions {
  readonly inside: WindowInside;
  readonly icon: string | null;
  readonly hasOwnControls: boolean;
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly events: EventHub<Contract>;
}

/** The studio's window with everything that follows it: its place, its state for the page, its keys. */
export function openStudioWindow(options: StudioWindowOptions): BrowserWindow {
  const { settings, keys, events } = options;
  const window = openMainWindow({
    inside: options.inside,
    icon: options.icon,
    hasOwnControls: options.hasOwnControls,
    saved: settings.get().window,
    isDark: nativeTheme.shouldUseDarkColors,
    onMoved: (place) => void settings.update({ window: place }),
  });
  const tell = () =>
    events.emit('window.changed', { isMaximized: window.isMaximized(), isFocused: window.isFocused() });
  for (const event of ['maximize', 'unmaximize', 'focus', 'blur'] as const) window.on(event as 'focus', tell);
  // A keychain that was locked may have been opened meanwhile; asking it again shows nothing (E-191).
  window.on('focus', () => {
    if (keys.describe().keychain === 'locked') void keys.load();
  });
  followZoom(window.webContents, settings);
  offerFieldMenu(window, () => settings.get().interfaceLanguage);
  return window;
}
