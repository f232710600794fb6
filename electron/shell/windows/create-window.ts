import type { PdfRenderer } from '../../services/exports/write-request.ts';
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import type { PageName } from '../../ipc/procedure.ts';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';

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

/** The windows we created, by the id of their web contents. Any other sender is foreign. */
export function createOwnWindows() {
  const windows = new Map<number, { readonly page: PageName; readonly window: BrowserWindow }>();
  return {
    add(page: PageName, window: BrowserWindow, onGone: (windowId: number) => void): void {
      const windowId = window.webContents.id;
      windows.set(windowId, { page, window });
      window.on('closed', () => {
        windows.delete(windowId);
        onGone(windowId);
      });
    },
    pageOf: (windowId: number): PageName | undefined => windows.get(windowId)?.page,
    windowOf: (windowId: number): BrowserWindow | undefined => windows.get(windowId)?.window,
    studio: (): BrowserWindow | undefined => [...windows.values()].find(({ page }) => page === 'studio')?.window,
    /** Pages that receive events: the main window's, never the key window. */
    listeners: () =>
      [...windows.values()].filter(({ page }) => page === 'studio').map(({ window }) => window.webContents),
  };
}

/** Prints in an invisible window: no script, no session of the app, closed when the page is printed. */
export const printInWindow: PdfRenderer = async (html) => {
  const path = join(tmpdir(), `ovoz-print-${randomBytes(12).toString('hex')}.html`);
  const window = createWindow({ show: false }, { partition: 'printing', devTools: false, isInert: true });
  try {
    await writeFile(path, html, { mode: 0o600, flag: 'wx' });
    await window.loadFile(path);
    return ok(new Uint8Array(await window.webContents.printToPDF({ preferCSSPageSize: true, printBackground: false })));
  } catch {
    return err(localFailure('export-unfinished', { code: 'print_failed' }));
  } finally {
    window.destroy();
    await rm(path, { force: true }).catch(() => undefined);
  }
};
