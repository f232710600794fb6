import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Shell =
  | { readonly kind: 'electron'; readonly executable: string }
  | { readonly kind: 'host'; readonly executable: string; readonly distPath: string };

const require = createRequire(import.meta.url);
export const electronPackage: string = dirname(require.resolve('electron/package.json'));
const hostDist = fileURLToPath(new URL('../tests/electron-host/dist', import.meta.url));

/** Electron's program, by default the one in its package. */
export function electronBinary(folder: string = join(electronPackage, 'dist')): string | null {
  const pathFile = join(electronPackage, 'path.txt');
  const executable = join(folder, existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron');
  return existsSync(executable) ? executable : null;
}

export const hostShell: Shell = {
  kind: 'host',
  executable: join(hostDist, process.platform === 'win32' ? 'electron.cmd' : 'electron'),
  distPath: hostDist,
};

/** `OVOZ_SHELL=host` chooses the host even if Electron is present. Downloads nothing. */
export function findShell(): Shell {
  const executable = process.env['OVOZ_SHELL'] === 'host' ? null : electronBinary();
  return executable === null ? hostShell : { kind: 'electron', executable };
}

export function shellEnvironment(): Record<string, string> {
  const shell = findShell();
  return shell.kind === 'host' ? { ELECTRON_OVERRIDE_DIST_PATH: shell.distPath } : {};
}
