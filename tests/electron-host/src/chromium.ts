import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Cdp } from './cdp.ts';

export interface ChromiumOptions {
  readonly executable: string;
  readonly profile: string;
  readonly headless: boolean;
  /** `MAP *.app.localhost 127.0.0.1:PORT`, one for each scheme. */
  readonly hostRules: readonly string[];
  /** The app's own `commandLine.appendSwitch`es and the arguments before the app's path. */
  readonly switches: ReadonlyMap<string, string>;
}

export interface Chromium {
  readonly cdp: Cdp;
  readonly product: string;
  /** Resolves when the browser has exited, for whatever reason. */
  readonly ended: Promise<void>;
  /** Opens a window of the running browser without tabs and address bar. */
  readonly openAppWindow: (url: string, inMemory: boolean) => void;
  readonly close: () => Promise<void>;
  readonly kill: () => void;
}

const ours = new Set(['no-sandbox', 'headless', 'enable-features', 'disable-features', 'inspect', 'user-data-dir']);
const features = [
  'Translate',
  'BackForwardCache',
  'LocalNetworkAccessChecks',
  'MediaRouter',
  'OptimizationHints',
  // Pages behind the browser's address field, which no window here has; they start two processes.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

function argumentsOf(options: ChromiumOptions, withoutSandbox: boolean): string[] {
  const { switches } = options;
  const disabled = [...features, ...(switches.get('disable-features') ?? '').split(',')].filter((name) => name !== '');
  const enabled = switches.get('enable-features');
  return [
    `--user-data-dir=${options.profile}`,
    '--remote-debugging-pipe',
    '--no-startup-window',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disable-component-update',
    '--disable-background-networking',
    '--disable-sync',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-breakpad',
    '--disable-background-timer-throttling',
    '--disable-dev-shm-usage',
    '--autoplay-policy=no-user-gesture-required',
    `--disable-features=${disabled.join(',')}`,
    ...(enabled === undefined ? [] : [`--enable-features=${enabled}`]),
    `--host-resolver-rules=${options.hostRules.join(',')}`,
    '--test-type',
    ...(withoutSandbox ? ['--no-sandbox'] : []),
    ...(options.headless ? ['--headless=new', '--hide-scrollbars', '--screen-info={1440x900}'] : []),
    ...[...switches]
      .filter(([name]) => !ours.has(name) && !name.startsWith('inspect'))
      .map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`)),
  ];
}

/**
 * Under a locale that is not installed Chromium accepts only ASCII names of files and silently drops the others.
 * C.UTF-8 is part of every Linux C library; the language of messages is set beside it.
 */
function browserEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (process.platform !== 'linux') return env;
  const messages = [env['LANGUAGE'], env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((name) => name);
  return { ...env, LANGUAGE: messages ?? 'en', LC_ALL: 'C.UTF-8' };
}

/**
 * Starts the browser without a window and takes its DevTools pipe. Its messages about buses and graphics stay out of
 * the terminal.
 */
export async function startChromium(options: ChromiumOptions): Promise<Chromium> {
  const withoutSandbox = options.switches.has('no-sandbox') || process.getuid?.() === 0;
  const child = spawn(options.executable, argumentsOf(options, withoutSandbox), {
    env: browserEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const lastWords: string[] = [];
  createInterface({ input: child.stderr as Readable }).on('line', (line) => {
    lastWords.push(line);
    if (lastWords.length > 20) lastWords.shift();
    // Test runners wait for this line; anything else is noise except when debugging the host.
    if (line.startsWith('DevTools listening') || process.env['ELECTRON_HOST_DEBUG']) process.stderr.write(`${line}\n`);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const cdp = new Cdp(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const failed = ended.then(() => {
    throw new Error(`${options.executable} ended before it was ready\n${lastWords.join('\n')}`);
  });
  failed.catch(() => {});
  const { product } = await Promise.race([cdp.send<{ product: string }>('Browser.getVersion'), failed]);
  return {
    cdp,
    product,
    ended,
    openAppWindow: (url, inMemory) => {
      const handover = [
        `--user-data-dir=${options.profile}`,
        ...(withoutSandbox ? ['--no-sandbox'] : []),
        ...(inMemory ? ['--incognito'] : []),
        '--test-type',
        `--app=${url}`,
      ];
      spawn(options.executable, handover, { env: browserEnvironment(process.env), stdio: 'ignore' }).on(
        'error',
        () => {},
      );
    },
    close: () => close(child, cdp),
    kill: () => void child.kill('SIGKILL'),
  };
}

const longestGoodbye = 600;

async function close(child: ChildProcess, cdp: Cdp): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  cdp.send('Browser.close').catch(() => {});
  const hurry = setTimeout(() => child.kill('SIGKILL'), longestGoodbye);
  await gone;
  clearTimeout(hurry);
}
