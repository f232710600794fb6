import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';

type Look = Omit<BrowserWindowConstructorOptions, 'webPreferences'>;

export interface WindowInside {
  /** Absent: a page that makes no requests to the app. */
  readonly preload?: string;
  /** A page that is only displayed: no script runs in it. */
  readonly isInert?: true;
  /** A separate session, in memory only; absent: the app's session. */
  readonly partition?: string;
  /** Runs from source only. */
  readonly devTools: boolean;
}

/** The only place where a window is created, so that none has less protection (S-01). */
export function createWindow(look: Look, inside: WindowInside): BrowserWindow {
  return new BrowserWindow({
    ...look,
    webPreferences: {
      ...(inside.preload === undefined ? {} : { preload: inside.preload }),
      ...(inside.isInert === true ? { javascript: false } : {}),
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
