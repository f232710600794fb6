import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type Electron from 'electron';
import { findOnPath } from '../find-browser.ts';
import { host } from '../state.ts';
import { sayGaps, warnOnce } from '../unsupported.ts';

const opener = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';

function run(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
    child.unref();
  });
}

export const shell = sayGaps(
  {
    async openExternal(url: string, _options?: object): Promise<void> {
      if (host.headless || findOnPath(opener) === null)
        warnOnce('shell.openExternal', `could not open ${new URL(url).protocol} here`);
      else await run(opener, [url]);
    },
    async openPath(path: string): Promise<string> {
      if (host.headless || findOnPath(opener) === null) return `No program here opens ${path}`;
      return (await run(opener, [path])) === 0 ? '' : `Failed to open ${path}`;
    },
    showItemInFolder(path: string): void {
      void shell
        .openPath(dirname(path))
        .then((failure) => failure && warnOnce('shell.showItemInFolder', `failed: ${failure}`));
    },
    async trashItem(path: string): Promise<void> {
      if (findOnPath('gio') === null || (await run('gio', ['trash', path])) !== 0)
        throw new Error('Failed to move item to trash');
    },
    beep(): void {
      process.stdout.write('\u0007');
    },
  } satisfies Pick<Electron.Shell, 'openExternal' | 'openPath' | 'showItemInFolder' | 'trashItem' | 'beep'>,
  'shell',
);
