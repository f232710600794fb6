/** Facts about a caller, taken from Electron's event, never from the message. */
export interface SenderFacts {
  /** Id of the web contents; 0 when it is gone. */
  readonly windowId: number;
  /** Address of the calling frame as main sees it; empty when the frame is gone. */
  readonly frameUrl: string;
  readonly isMainFrame: boolean;
}

/** Pages that have windows. Each has its own channels. */
export type PageName = 'studio' | 'key' | 'overlay';

const pagePaths: Readonly<Record<PageName, readonly string[]>> = {
  studio: ['/', '/index.html'],
  key: ['/key.html'],
  overlay: ['/overlay.html'],
};

/** True only for the top frame of a window that we created for `page` and that still shows that page. */
export function isTrustedSender(
  sender: SenderFacts,
  page: PageName,
  pageOfWindow: (windowId: number) => PageName | undefined,
): boolean {
  if (!sender.isMainFrame || pageOfWindow(sender.windowId) !== page) return false;
  const url = URL.canParse(sender.frameUrl) ? new URL(sender.frameUrl) : null;
  return (
    url !== null &&
    url.protocol === 'app:' &&
    url.host === 'studio' &&
    url.username === '' &&
    url.password === '' &&
    pagePaths[page].includes(url.pathname)
  );
}
