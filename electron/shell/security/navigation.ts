import type { App, WebContents } from 'electron';

/**
 * Nothing leads a window away from our page (S-17). Moves within the document (the hash) don't raise these events,
 * and main's own `loadURL` does not either, so everything that arrives here is refused.
 */
export function refuseNavigation(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Applies to every web contents that is ever made, ours or not. */
export function guardNavigation(app: App): void {
  app.on('web-contents-created', (_event, contents) => refuseNavigation(contents));
}
