import type { BrowserWindow } from 'electron';
import type { PageName } from '../../ipc/sender-policy.ts';

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
