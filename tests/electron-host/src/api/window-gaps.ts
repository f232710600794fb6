import type Electron from 'electron';
import { warnOnce } from '../unsupported.ts';

type Options = Electron.BrowserWindowConstructorOptions;
const ignored: readonly (keyof Options)[] = [
  'transparent',
  'vibrancy',
  'kiosk',
  'skipTaskbar',
  'alwaysOnTop',
  'simpleFullscreen',
  'opacity',
  'icon',
  'titleBarStyle',
  'titleBarOverlay',
];

/** Warns about requested properties of a window that are impossible here. */
export function sayIgnoredOptions(options: Options): void {
  for (const name of ignored) if (options[name]) warnOnce(`BrowserWindow option ${name}`);
  if (options.frame === false) warnOnce('BrowserWindow option frame: false');
}

/** The appearance and order of windows: calling one of these warns by name and changes nothing. */
export const cosmeticWindowMethods = [
  'setVibrancy',
  'setBackgroundMaterial',
  'setBackgroundColor',
  'setIcon',
  'setOverlayIcon',
  'setProgressBar',
  'setSkipTaskbar',
  'setOpacity',
  'setHasShadow',
  'setShape',
  'setIgnoreMouseEvents',
  'setContentProtection',
  'setVisibleOnAllWorkspaces',
  'setAlwaysOnTop',
  'setResizable',
  'setMovable',
  'setMinimizable',
  'setMaximizable',
  'setFullScreenable',
  'setClosable',
  'setMaximumSize',
  'setAspectRatio',
  'setTitleBarOverlay',
  'setThumbarButtons',
  'setAutoHideCursor',
  'flashFrame',
  'setEnabled',
  'setKiosk',
  'setWindowButtonVisibility',
  'setDocumentEdited',
  'setRepresentedFilename',
  'setAppDetails',
  'setAccentColor',
  'setFocusable',
] satisfies (keyof Electron.BrowserWindow)[];
