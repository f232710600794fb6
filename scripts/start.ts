import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, hasDisplay } from '../tests/electron-host/src/find-browser.ts';
import { buildIfStale } from './build.ts';
import { electronBinary, electronPackage, hostShell, type Shell } from './find-shell.ts';
import { prepareMachine } from './prepare-machine.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const longestFetch = 120_000;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

function fetchElectron(): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(electronPackage, 'install.js')], { stdio: 'ignore' });
    const slow = setTimeout(() => say('Fetching Electron…'), 2000);
    const tooSlow = setTimeout(() => child.kill(), longestFetch);
    child.on('error', () => {});
    child.on('close', () => {
      clearTimeout(slow);
      clearTimeout(tooSlow);
      resolve(electronBinary());
    });
  });
}

async function chooseShell(): Promise<Shell> {
  const shell = process.env['OVOZ_SHELL'];
  if (shell === 'host') return hostShell;
  const executable = electronBinary() ?? (await fetchElectron());
  if (executable !== null && (shell === 'electron' || hasDisplay())) return { kind: 'electron', executable };
  if (shell === 'electron') {
    say(
      'Electron is not installed and could not be fetched. Run "npx install-electron" with a network, or start without OVOZ_SHELL.',
    );
    process.exit(1);
  }
  return hostShell;
}

async function announceHost(): Promise<void> {
  await prepareMachine({ need: ['browser'] });
  const where = hasDisplay()
    ? `opening the studio in ${findBrowser()}`
    : `running the studio in ${findBrowser()} without a window, because there is no display`;
  const why = electronBinary() === null ? 'Electron is not here and could not be fetched' : 'Electron is not used';
  say(process.env['OVOZ_SHELL'] === 'host' ? `As OVOZ_SHELL asks: ${where}.` : `${why}: ${where}.`);
}

const asked = process.env['OVOZ_SHELL'];
if (asked !== undefined && asked !== '' && asked !== 'electron' && asked !== 'host') {
  say(`OVOZ_SHELL is "${asked}"; it can be "electron" or "host".`);
  process.exit(1);
}
await buildIfStale();
const shell = await chooseShell();
if (shell.kind === 'host') await announceHost();
// Chromium refuses to run as root with its sandbox; the host handles that itself.
const asRoot =
  shell.kind === 'electron' && process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const child = spawn(shell.executable, [...asRoot, root, ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
  shell: process.platform === 'win32' && shell.kind === 'host',
});
// The child shuts down in its own order; this process waits for it and exits with its code.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal));
child.on('error', (error) => {
  say(`The studio could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
