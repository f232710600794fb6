import { screen, type BrowserWindow } from 'electron';
import { overlayChannel, type OverlayAction, type OverlayMessage, type OverlayView } from '../../ipc/overlay.ts';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';
import { createWindow } from './create-window.ts';

const size = { width: 400, height: 56 };
const marginPx = 24;

export interface OverlayOptions {
  readonly preload: string;
  readonly settings: SettingsStore;
  readonly onOpened: (window: BrowserWindow) => void;
  readonly onStop: () => void;
  readonly onDiscard: () => void;
  readonly onAction: (does: OverlayAction) => void;
  readonly onHide: () => void;
}

/** It never takes the focus, because the text goes to the program that has it. */
export function createOverlay({ preload, settings, onOpened, onStop, onDiscard, onAction, onHide }: OverlayOptions) {
  let window: BrowserWindow | null = null;
  let view: OverlayView | null = null;

  /** Where it was left, on a display that exists; otherwise at the bottom centre of the display with the pointer. */
  const place = () => {
    const saved = settings.get().overlayPlace;
    if (saved !== null) {
      const { workArea } = screen.getDisplayNearestPoint(saved);
      return {
        x: Math.max(workArea.x, Math.min(saved.x, workArea.x + workArea.width - size.width)),
        y: Math.max(workArea.y, Math.min(saved.y, workArea.y + workArea.height - size.height)),
      };
    }
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    return {
      x: Math.round(workArea.x + (workArea.width - size.width) / 2),
      y: workArea.y + workArea.height - size.height - marginPx,
    };
  };

  const close = (): void => {
    window?.destroy();
    window = null;
  };

  const open = (title: string): void => {
    const opened = createWindow(
      {
        ...size,
        ...place(),
        title,
        frame: false,
        transparent: true,
        focusable: false,
        // A panel of macOS does not bring its app to the front when it is pressed.
        ...(process.platform === 'darwin' && { type: 'panel' }),
        alwaysOnTop: true,
        skipTaskbar: true,
        resizable: false,
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        show: false,
      },
      { preload, devTools: false },
    );
    window = opened;
    opened.setAlwaysOnTop(true, 'screen-saver');
    // Otherwise macOS hides the Dock and our windows for a moment each time.
    opened.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    opened.once('ready-to-show', () => opened.showInactive());
    opened.on('moved', () => {
      const { x, y } = opened.getBounds();
      void settings.update({ overlayPlace: { x, y } });
    });
    opened.on('closed', () => {
      if (window === opened) window = null;
    });
    onOpened(opened);
    void opened.loadURL('app://studio/overlay.html');
  };

  return {
    show(next: OverlayView): void {
      view = next;
      if (window === null) open(next.words.title);
      else window.webContents.send(overlayChannel, next);
    },
    close,
    answer(message: OverlayMessage): null {
      if (message.type === 'stop') onStop();
      if (message.type === 'discard') onDiscard();
      if (message.type === 'act') onAction(message.does);
      if (message.type === 'ready' && view !== null) window?.webContents.send(overlayChannel, view);
      if (message.type === 'hide') {
        onHide();
        // Closed after the answer was sent, because a closed window can't receive it.
        setImmediate(close);
      }
      return null;
    },
  };
}
