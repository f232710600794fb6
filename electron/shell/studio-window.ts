import { nativeTheme, type BrowserWindow, Menu } from 'electron';
import type { EventHub } from '../ipc/events.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { KeyService } from '../services/secrets/key-service.ts';
import type { SettingsStore } from '../services/settings/settings-store.ts';
import type { WindowInside } from './windows/create-window.ts';
import { openMainWindow } from './windows/main-window.ts';
import { followZoom } from './windows/place-window.ts';
import { fieldMenu } from '../../shared/domain/commands/field-menu.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { translate } from './words.ts';

export interface StudioWindowOptions {
  readonly inside: WindowInside;
  readonly icon: string | null;
  readonly hasOwnControls: boolean;
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly events: EventHub<Contract>;
}

/** The main window with everything attached to it: its place, its state for the page, its shortcuts. */
export function openStudioWindow(options: StudioWindowOptions): BrowserWindow {
  const { settings, keys, events } = options;
  const window = openMainWindow({
    inside: options.inside,
    icon: options.icon,
    hasOwnControls: options.hasOwnControls,
    saved: settings.get().window,
    reopens: settings.get().mode !== 'unset',
    isDark: nativeTheme.shouldUseDarkColors,
    onMoved: (place) => void settings.update({ window: place }),
  });
  const publish = () =>
    events.emit('window.changed', { isMaximized: window.isMaximized(), isFocused: window.isFocused() });
  for (const event of ['maximize', 'unmaximize', 'focus', 'blur'] as const) window.on(event as 'focus', publish);
  // A locked keychain may have been opened meanwhile; asking it again shows no prompt (E-191).
  window.on('focus', () => {
    if (keys.describe().keychain === 'locked') void keys.load();
  });
  followZoom(window.webContents, settings);
  offerFieldMenu(window, () => settings.get().interfaceLanguage);
  return window;
}

/** The page draws its own menus where it has any; text fields would have none without this. */
function offerFieldMenu(window: BrowserWindow, language: () => InterfaceLanguage): void {
  window.webContents.on('context-menu', (_event, pressed) => {
    const entries = fieldMenu(pressed);
    if (entries.length === 0) return;
    const template = entries.map((entry) => ({ ...entry, label: translate(language(), `menu.roles.${entry.role}`) }));
    Menu.buildFromTemplate(template).popup({ window });
  });
}

/** The system's own parts (frames, dialogs, `prefers-color-scheme`) follow the appearance that the user chose. */
export function followAppearance(settings: SettingsStore): void {
  const apply = () => {
    nativeTheme.themeSource = settings.get().appearance;
  };
  apply();
  settings.onChanged(apply);
}
