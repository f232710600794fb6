import type Electron from 'electron';
import { app } from './api/app.ts';
import { BaseWindow, BrowserWindow } from './api/browser-window.ts';
import { clipboard, ClipboardItem } from './api/clipboard.ts';
import {
  crashReporter,
  globalShortcut,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  systemPreferences,
  Tray,
} from './api/desktop.ts';
import { dialog } from './api/dialog.ts';
import { ipcMain } from './api/ipc-main.ts';
import { Menu, MenuItem } from './api/menu.ts';
import { nativeImage } from './api/native-image.ts';
import { nativeTheme } from './api/native-theme.ts';
import { net } from './api/net.ts';
import { defaultSession, session } from './api/session.ts';
import { shell } from './api/shell.ts';
import { utilityProcess } from './api/utility-process.ts';
import { WebContents } from './api/web-contents.ts';
import { MessageChannelMain } from './ports.ts';
import { missingModule } from './unsupported.ts';

const missing = [
  'autoUpdater',
  'BrowserView',
  'View',
  'WebContentsView',
  'ImageView',
  'contentTracing',
  'desktopCapturer',
  'inAppPurchase',
  'netLog',
  'pushNotifications',
  'ServiceWorkerMain',
  'sharedTexture',
  'ShareMenu',
  'TouchBar',
  'webFrameMain',
] as const;
type Missing = Record<(typeof missing)[number], object>;

/** What `import … from 'electron'` gives in the main process. `electron.cjs` must list the same names; a test compares. */
export const electronApi = {
  app,
  BaseWindow,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  crashReporter,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol: defaultSession.protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
  webContents: WebContents,
  ...(Object.fromEntries(missing.map((name) => [name, missingModule(name)])) as Missing),
} satisfies Partial<Record<keyof typeof Electron, unknown>>;
