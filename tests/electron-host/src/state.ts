import type { Chromium } from './chromium.ts';
import type { Server } from './server.ts';

/** The state of one run of the host; filled by `boot.ts` and `start.ts`. */
export interface HostState {
  executable: string;
  appPath: string;
  appName: string;
  appVersion: string;
  headless: boolean;
  ready: boolean;
  browser: Chromium | null;
  server: Server | null;
}

export const host: HostState = {
  executable: process.execPath,
  appPath: process.cwd(),
  appName: 'Electron',
  appVersion: '0.0.0',
  headless: false,
  ready: false,
  browser: null,
  server: null,
};

export function browser(): Chromium {
  if (host.browser === null) throw new Error('electron-host: not before the app is ready');
  return host.browser;
}

/** An event with Electron's `preventDefault`. */
export function preventable<T extends object>(
  extra: T = {} as T,
): T & { defaultPrevented: boolean; preventDefault(): void } {
  return {
    ...extra,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}
