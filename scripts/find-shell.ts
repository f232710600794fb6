import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the app's window lives in: Electron itself, or our stand-in over the system's Chromium. */
export type Shell =
  | { readonly kind: 'electron'; readonly executable: string }
  | { readonly kind: 'host'; readonly executable: string; readonly distPath: string };

const require = createRequire(import.meta.url);
export const electronPackage: string = dirname(require.resolve('electron/package.json'));
const hostDist = fileURLToPath(new URL('../tests/electron-host/dist', import.meta.url));

/** Electron's own executable, or null when its package has not fetched it. */
export function electronBinary(): string | null {
  try {
    const executable = join(electronPackage, 'dist', readFileSync(join(electronPackage, 'path.txt'), 'utf8'));
    return existsSync(executable) ? executable : null;
  } catch {
    return null;
  }
}

export const hostShell: Shell = {
  kind: 'host',
  executable: join(hostDist, process.platform === 'win32' ? 'electron.cmd' : 'electron'),
  distPath: hostDist,
};

/** The shell that is here now, without fetching anything. `OVOZ_SHELL=host` asks for the stand-in even where Electron is. */
export function findShell(): Shell {
  const executable = process.env['OVOZ_SHELL'] === 'host' ? null : electronBinary();
  return executable === null ? hostShell : { kind: 'electron', executable };
}

/** Environment for `npx electron` and Playwright's `_electron.launch`: points them at the stand-in where Electron is absent. */
export function shellEnvironment(): Record<string, string> {
  const shell = findShell();
  return shell.kind === 'host' ? { ELECTRON_OVERRIDE_DIST_PATH: shell.distPath } : {};
}
