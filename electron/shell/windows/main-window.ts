import { screen, type BrowserWindow } from 'electron';
import type { StoredSettings } from '../../services/settings/settings-store.ts';
import { createWindow, type WindowInside } from './create-window.ts';
import { createReopening, minHeight, minWidth, placeToReopen, placeWindow } from './place-window.ts';

type SavedWindow = StoredSettings['window'];

export interface MainWindowOptions {
  readonly inside: WindowInside;
  readonly saved: SavedWindow;
  /** Opens what was open in it; otherwise the page begins where it begins for a new user. */
  readonly reopens: boolean;
  /** Null where the shell cannot give its window one. */
  readonly icon: string | null;
  readonly isDark: boolean;
  /** The page draws the title bar and its buttons; otherwise the system's frame stays. */
  readonly hasOwnControls: boolean;
  readonly onMoved: (saved: SavedWindow) => void;
}

const background = { light: '#f1efea', dark: '#12110f' } as const;

/** Opens the main window where it was left, without first showing an empty one. */
export function openMainWindow(options: MainWindowOptions): BrowserWindow {
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
