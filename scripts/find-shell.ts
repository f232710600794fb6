import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The runtime of the app's windows: Electron, or our host on top of the system's Chromium. */
export type Shell =
  | { readonly kind: 'electron'; readonly executable: string }
  | { readonly kind: 'host'; readonly executable: string; readonly distPath: string };

const require = createRequire(import.meta.url);
export const electronPackage: string = dirname(require.resolve('electron/package.json'));
const hostDist = fileURLToPath(new URL('../tests/electron-host/dist', import.meta.url));

/** The executable of Electron, or null if it has not been downloaded. */
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

/**
 * The available shell, without downloading anything. `OVOZ_SHELL=host` chooses the host even if Electron is present.
 */
export function findShell(): Shell {
  const executable = process.env['OVOZ_SHELL'] === 'host' ? null : electronBinary();
  return executable === null ? hostShell : { kind: 'electron', executable };
}

/** Environment for `npx electron` and Playwright's `_electron.launch`: uses the host if Electron is missing. */
export function shellEnvironment(): Record<string, string> {
  const shell = findShell();
  return shell.kind === 'host' ? { ELECTRON_OVERRIDE_DIST_PATH: shell.distPath } : {};
}
