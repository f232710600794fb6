import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';

type Look = Omit<BrowserWindowConstructorOptions, 'webPreferences'>;

export interface WindowInside {
  readonly preload: string;
  /** A session of its own, in memory only; absent: the app's session. */
  readonly partition?: string;
  /** Runs from source only. */
  readonly devTools: boolean;
}

/** The only place where a window is made, so that none is made with less protection (S-01). */
export function createWindow(look: Look, inside: WindowInside): BrowserWindow {
  return new BrowserWindow({
    ...look,
    webPreferences: {
      preload: inside.preload,
      ...(inside.partition === undefined ? {} : { partition: inside.partition }),
      devTools: inside.devTools,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
}
