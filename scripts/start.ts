import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, hasDisplay } from '../tests/electron-host/src/find-browser.ts';
import { buildIfStale } from './build.ts';
import { electronBinary, electronPackage, hostShell, type Shell } from './find-shell.ts';
import { prepareMachine } from './prepare-machine.ts';
import { explainDownload, explainEnd, explainRefusal } from './shell-troubles.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const longestFetch = 120_000;
const longestMemory = 16_384;
// As Electron's own package does, it takes Electron from another folder when it is told to.
const findElectron = () => electronBinary(process.env['ELECTRON_OVERRIDE_DIST_PATH']);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

// The installer prints an error without its cause, and the cause says what to do.
const sayCause = `const get = globalThis.fetch;
  globalThis.fetch = (...given) => get(...given).catch((error) => {
    for (let cause = error; cause; cause = cause.cause) console.error(cause.code, cause.message);
    throw error;
  });`;

/** Null when it is there, else why not. */
function fetchElectron(): Promise<string | null> {
  return new Promise((resolve) => {
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(sayCause)}`];
    const child = spawn(process.execPath, [...hook, join(electronPackage, 'install.js')], {
      // Node reads the variables for a proxy only when it is told to.
      env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const slow = setTimeout(() => say('Fetching Electron…'), 2000);
    const tooSlow = setTimeout(() => {
      said = 'too slow';
      child.kill();
    }, longestFetch);
    child.on('error', () => {});
    child.on('close', () => {
      clearTimeout(slow);
      clearTimeout(tooSlow);
      resolve(findElectron() === null ? explainDownload(said) : null);
    });
  });
}

async function chooseShell(): Promise<Shell> {
  const shell = process.env['OVOZ_SHELL'];
  if (shell === 'host') return hostShell;
  const why = findElectron() === null ? await fetchElectron() : null;
  if (why !== null) say(why);
  const executable = findElectron();
  if (executable !== null && (shell === 'electron' || hasDisplay())) return { kind: 'electron', executable };
  if (shell === 'electron') process.exit(1);
  return hostShell;
}

async function announceHost(): Promise<void> {
  await prepareMachine({ need: ['browser'] });
  const where = hasDisplay()
    ? `opening the studio in ${findBrowser()}`
    : `running the studio in ${findBrowser()} without a window, because there is no display`;
  const why = findElectron() === null ? 'Without Electron' : 'Electron is not used';
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
  // What Electron prints is read as well as shown, to explain why it did not start.
  stdio: ['inherit', 'inherit', shell.kind === 'electron' ? 'pipe' : 'inherit'],
  cwd: root,
  shell: process.platform === 'win32' && shell.kind === 'host',
});
let said = '';
child.stderr?.setEncoding('utf8').on('data', (text: string) => {
  process.stderr.write(text);
  said = (said + text).slice(-longestMemory);
});
// The child shuts down in its own order; this process waits for it and exits with its code.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal));
child.on('error', (error) => {
  say(shell.kind === 'electron' ? explainRefusal(error) : `The studio could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  const end = () => {
    const why = shell.kind === 'host' ? null : explainEnd({ said, code, signal, executable: shell.executable });
    if (why !== null) say(why);
    process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
  };
  // Its last words may still be on their way; a process that it left behind can hold them open for ever.
  child.on('close', end);
  setTimeout(end, 500);
});
