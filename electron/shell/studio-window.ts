import { nativeTheme, type BrowserWindow, Menu, screen } from 'electron';
import { fieldMenu } from '../../shared/domain/commands/app-menu.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { EventHub } from '../ipc/listen.ts';
import type { KeyService } from '../services/secrets/key-service.ts';
import type { SettingsStore, StoredSettings } from '../services/settings/stored-settings.ts';
import type { Events } from './events.ts';
import { type WindowInside, createWindow } from './windows/create-window.ts';
import {
  followZoom,
  createReopening,
  minHeight,
  minWidth,
  placeToReopen,
  placeWindow,
} from './windows/place-window.ts';
import { translate } from './words.ts';

const background = { light: '#f1efea', dark: '#12110f' } as const;

export interface StudioWindowOptions {
  readonly inside: WindowInside;
  readonly icon: string | null;
  readonly hasOwnControls: boolean;
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly events: EventHub<Events>;
}

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
  // A locked keychain may have been opened meanwhile; asking it again shows no prompt (keychain-locked).
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

type SavedWindow = StoredSettings['window'];

interface MainWindowOptions {
  readonly inside: WindowInside;
  readonly saved: SavedWindow;
  /** Opens what was open in it; otherwise the page begins where it begins for a new user. */
  readonly reopens: boolean;
  /** Null where the shell cannot give its window one. */
  readonly icon: string | null;
  readonly isDark: boolean;
  readonly hasOwnControls: boolean;
  readonly onMoved: (saved: SavedWindow) => void;
}

/** Opens the main window where it was left, without first showing an empty one. */
function openMainWindow(options: MainWindowOptions): BrowserWindow {
  const { inside, saved } = options;
  const isMac = process.platform === 'darwin';
  const displays = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = createWindow(
    {
      ...placeWindow(saved, displays),
      minWidth,
      minHeight,
      title: 'Ovoz Studio',
      show: false,
      ...(options.icon === null ? {} : { icon: options.icon }),
      backgroundColor: options.isDark ? background.dark : background.light,
      ...(isMac ? { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 16, y: 15 } } : {}),
      ...(!isMac && options.hasOwnControls ? { frame: false } : {}),
    },
    inside,
  );
  if (saved.isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberPlace(window, saved, options.onMoved);
  // The page has its place before it is drawn, so that nothing else is drawn first.
  const { location = '' } = saved;
  void window.loadURL(options.reopens && location !== '' ? `app://studio/#${location}` : 'app://studio/');
  return window;
}

function rememberPlace(window: BrowserWindow, saved: SavedWindow, onMoved: (saved: SavedWindow) => void): void {
  let last = saved;
  let timer: NodeJS.Timeout | undefined;
  const take = () => {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const isMaximized = window.isMaximized();
    last = { ...last, ...(isMaximized ? {} : window.getBounds()), isMaximized };
  };
  const save = () => {
    clearTimeout(timer);
    take();
    onMoved(last);
  };
  const saveSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  };
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', saveSoon);
  const reopening = createReopening(saved.location ?? '', (location) => {
    last = { ...last, location };
    save();
  });
  window.webContents.on('did-navigate-in-page', (_event, address) => {
    reopening.go(placeToReopen(address));
  });
  // The next start does not open what the page may have crashed from.
  window.webContents.on('render-process-gone', () => {
    reopening.go('');
  });
  window.on('close', () => {
    reopening.end();
  });
  window.on('closed', () => {
    clearTimeout(timer);
    reopening.stop();
  });
}
