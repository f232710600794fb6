import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a program in PATH, or null. */
export function findOnPath(program: string): string | null {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, program + ending);
      if (folder !== '' && isExecutable(path)) return path;
    }
  }
  return null;
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];
    return apps.flatMap((name) =>
      ['/Applications', join(homedir(), 'Applications')].map((root) => `${root}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (process.platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name] ?? '');
    const tails = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return tails.flatMap((tail) => roots.filter((root) => root !== '').map((root) => join(root, tail)));
  }
  // The real binaries first: the wrapper scripts on PATH add flags of their own and print to the terminal.
  return ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser', '/opt/google/chrome/chrome'];
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** A Chromium or Chrome of this machine, or null. `OVOZ_BROWSER` names one. */
export function findBrowser(): string | null {
  const chosen = process.env['OVOZ_BROWSER'];
  if (chosen !== undefined && chosen !== '') return isExecutable(chosen) ? chosen : findOnPath(chosen);
  const found = usualPlaces().find(isExecutable);
  if (found !== undefined) return found;
  for (const name of names) {
    const path = findOnPath(name);
    if (path !== null) return path;
  }
  return null;
}

/** Chromium without windows, or null. It starts and draws in less time, and cannot show the app. */
export const findHeadlessShell = (): string | null =>
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib64/chromium-browser/headless_shell'].find(isExecutable) ??
  null;

/** Whether a window can be shown. */
export const hasDisplay = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
