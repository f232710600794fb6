import { dirname, join } from 'node:path';
import { findLibraryAdvice } from './prepare-machine.ts';

const isWindows = process.platform === 'win32';
const wayOut = `${isWindows ? 'set "OVOZ_SHELL=host" && npm start' : 'OVOZ_SHELL=host npm start'} starts without Electron.`;

interface Trouble {
  readonly pattern: RegExp;
  readonly why: string;
  readonly next: string;
}

const again = 'then run "npx install-electron".';
const downloadTroubles: readonly Trouble[] = [
  {
    pattern: /\b407\b|Proxy Authentication Required/i,
    why: 'the proxy asks for a name and a password',
    next: `Put them into HTTPS_PROXY (http://NAME:PASSWORD@HOST:PORT), ${again}`,
  },
  {
    pattern: /\b40[13]\b|\b451\b/,
    why: 'this network forbids the download',
    next: `Have github.com allowed, or name a mirror in ELECTRON_MIRROR, ${again}`,
  },
  {
    pattern: /CERT|certificate|self[- ]signed|UNABLE_TO_(GET|VERIFY)/i,
    why: 'the certificate of the download is not trusted, because something on the way replaces it',
    next: `Name the file with your network's root certificate in NODE_EXTRA_CA_CERTS, ${again}`,
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    why: 'the address of the download was not found',
    next: `Connect to the internet, or set HTTPS_PROXY if there is a proxy, ${again}`,
  },
  {
    pattern: /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_\w*(TIMEOUT|SOCKET)/,
    why: 'the connection was refused or cut',
    next: `Have github.com allowed in the firewall, or set HTTPS_PROXY if there is a proxy, ${again}`,
  },
  {
    pattern: /too slow/,
    why: 'the download took more than two minutes',
    next: 'Run "npx install-electron", which waits.',
  },
];

/** Why Electron could not be downloaded and what to do, from what its installer printed. */
export function explainDownload(said: string): string {
  const known = downloadTroubles.find(({ pattern }) => pattern.test(said));
  return known === undefined
    ? `Electron could not be fetched. Run "npx install-electron" to see why. ${wayOut}`
    : `Electron could not be fetched: ${known.why}. ${known.next} ${wayOut}`;
}

export interface ShellEnd {
  /** What it printed last on standard error. */
  readonly said: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly executable: string;
}

const startTroubles: readonly ((end: ShellEnd) => string | null)[] = [
  ({ said }) => {
    const library = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1];
    return library === undefined
      ? null
      : `Electron could not start: ${library} is missing. Run: ${findLibraryAdvice(library)}.`;
  },
  ({ said, executable }) => {
    if (!/SUID sandbox helper|No usable sandbox|Failed to move to new namespace/.test(said)) return null;
    const helper = `"${join(dirname(executable), 'chrome-sandbox')}"`;
    return `Electron could not start: the system refuses its sandbox. Run: sudo chown root ${helper} && sudo chmod 4755 ${helper}.`;
  },
  ({ said }) =>
    /Missing X server or \$DISPLAY|platform failed to initialize|cannot open display/i.test(said)
      ? 'Electron could not start: there is no display. Start it in a desktop, or run: xvfb-run -a npm start.'
      : null,
  ({ signal }) =>
    signal === 'SIGSEGV' || signal === 'SIGTRAP' || signal === 'SIGABRT' || signal === 'SIGILL'
      ? `Electron crashed (${signal}). Delete node_modules/electron/dist, run "npx install-electron" and start again.`
      : null,
];

/** Why Electron did not run and what to do, or null when its end says nothing about that. */
export function explainEnd(end: ShellEnd): string | null {
  if (end.code === 0) return null;
  const known = startTroubles.map((explain) => explain(end)).find((words) => words !== null);
  return known === undefined ? null : `${known} ${wayOut}`;
}

/** The same for a program that the system refused to run. */
export const explainRefusal = ({ message }: Error): string =>
  `Electron could not start: ${message}. Delete node_modules/electron/dist and run "npx install-electron". ${wayOut}`;
