import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBrowser, findHeadlessShell, findOnPath } from '../tests/electron-host/src/find-browser.ts';

/** What a script may need; `readers` are programs that tests compare with, `pages` only makes their tests faster. */
export type Need = 'browser' | 'pages' | 'display' | 'keyring' | 'speech' | 'readers';

interface Piece {
  readonly need: Need;
  readonly isThere: () => boolean;
  readonly apt: string;
  readonly dnf: string;
}

const librarySearch = ['/usr/lib', '/usr/lib64', '/lib', '/lib64'];
const hasLibrary = (name: string): boolean =>
  librarySearch.some((folder) => {
    if (existsSync(`${folder}/${name}`)) return true;
    const inside = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return inside.some((entry) => entry.isDirectory() && existsSync(`${folder}/${entry.name}/${name}`));
  });
const hasFonts = (): boolean =>
  ['/usr/share/fonts', '/usr/local/share/fonts'].some((folder) => existsSync(folder) && readdirSync(folder).length > 0);
const program = (name: string) => () => findOnPath(name) !== null;

const pieces: readonly Piece[] = [
  { need: 'browser', isThere: () => findBrowser() !== null, apt: 'chromium', dnf: 'chromium' },
  { need: 'browser', isThere: hasFonts, apt: 'fonts-noto-core', dnf: 'google-noto-sans-fonts' },
  {
    need: 'pages',
    isThere: () => findHeadlessShell() !== null,
    apt: 'chromium-headless-shell',
    dnf: 'chromium-headless',
  },
  { need: 'display', isThere: program('Xvfb'), apt: 'xvfb', dnf: 'xorg-x11-server-Xvfb' },
  { need: 'display', isThere: program('xauth'), apt: 'xauth', dnf: 'xauth' },
  { need: 'display', isThere: program('zenity'), apt: 'zenity', dnf: 'zenity' },
  { need: 'display', isThere: program('ps'), apt: 'procps', dnf: 'procps-ng' },
  { need: 'speech', isThere: program('espeak-ng'), apt: 'espeak-ng', dnf: 'espeak-ng' },
  { need: 'readers', isThere: program('ffmpeg'), apt: 'ffmpeg', dnf: 'ffmpeg-free' },
  { need: 'readers', isThere: program('xdotool'), apt: 'xdotool', dnf: 'xdotool' },
  { need: 'readers', isThere: program('xclip'), apt: 'xclip', dnf: 'xclip' },
  { need: 'readers', isThere: program('xprop'), apt: 'x11-utils', dnf: 'xprop' },
  { need: 'readers', isThere: program('xterm'), apt: 'xterm', dnf: 'xterm' },
  { need: 'keyring', isThere: program('dbus-run-session'), apt: 'dbus', dnf: 'dbus-daemon' },
  { need: 'keyring', isThere: program('gnome-keyring-daemon'), apt: 'gnome-keyring', dnf: 'gnome-keyring' },
  { need: 'keyring', isThere: () => hasLibrary('libsecret-1.so.0'), apt: 'libsecret-1-0', dnf: 'libsecret' },
];

function linuxFamily(): 'apt' | 'dnf' | 'other' {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const ids = [...release.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap((match) => (match[1] ?? '').split(' '));
  if (ids.includes('debian') || ids.includes('ubuntu')) return 'apt';
  return ids.includes('fedora') || ids.includes('rhel') ? 'dnf' : 'other';
}

function adviceFor(missing: readonly Piece[]): string {
  if (process.platform === 'darwin') return 'brew install --cask google-chrome';
  if (process.platform === 'win32') return 'winget install Google.Chrome';
  const family = linuxFamily();
  if (family === 'apt') return `sudo apt-get install -y ${missing.map((piece) => piece.apt).join(' ')}`;
  if (family === 'dnf') return `sudo dnf install -y ${missing.map((piece) => piece.dnf).join(' ')}`;
  return `install ${missing.map((piece) => piece.apt).join(', ')} with your system's package manager`;
}

/** Electron's libraries that a minimal system lacks; the rest come with them. */
const libraries: readonly (readonly [name: RegExp, apt: string, dnf: string])[] = [
  [/^lib(nss|nssutil|smime|ssl)3/, 'libnss3', 'nss'],
  [/^lib(nspr|plc|plds)4/, 'libnspr4', 'nspr'],
  [/^lib(gtk-3|gdk-3|atk|cairo|pango|gdk_pixbuf)/, 'libgtk-3-0', 'gtk3'],
  [/^libatspi/, 'libatspi2.0-0', 'at-spi2-core'],
  [/^libasound/, 'libasound2', 'alsa-lib'],
  [/^lib(gbm|drm)/, 'libgbm1', 'mesa-libgbm'],
  [/^libcups/, 'libcups2', 'cups-libs'],
];

/** The line that installs a library of the system. */
export function findLibraryAdvice(library: string): string {
  const [, apt, dnf] = libraries.find(([name]) => name.test(library)) ?? [];
  const family = linuxFamily();
  if (family === 'apt' && apt !== undefined) return `sudo apt-get install -y ${apt}`;
  if (family === 'dnf') return `sudo dnf install -y ${dnf ?? `'${library}()(64bit)'`}`;
  return `install ${apt ?? library} with your system's package manager`;
}

function installByApt(packages: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  process.stderr.write(`Installing ${packages.join(', ')}…\n`);
  apt('update', '-q');
  return apt('install', '-y', '-q', '--no-install-recommends', ...packages);
}

/** As root on Debian or Ubuntu it installs what is missing; elsewhere it prints what to run and exits with 1. */
export async function prepareMachine(options: { readonly need: readonly Need[] }): Promise<void> {
  const asked = new Set<Need>(
    process.platform === 'linux' ? options.need : options.need.filter((need) => need === 'browser'),
  );
  const find = () =>
    pieces.filter(
      (piece) =>
        asked.has(piece.need) && (process.platform === 'linux' || piece.apt === 'chromium') && !piece.isThere(),
    );
  const all = find();
  const missing = all.filter(({ need }) => need !== 'pages');
  const chosen = process.env['OVOZ_BROWSER'];
  if (chosen && missing.some((piece) => piece.apt === 'chromium')) {
    process.stderr.write(`OVOZ_BROWSER is "${chosen}", and no such program is here.\n`);
    process.exit(1);
  }
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && linuxFamily() === 'apt';
  if (mayInstall && missing.length < all.length) installByApt(['chromium-headless-shell']);
  if (missing.length === 0) return;
  if (mayInstall && installByApt(missing.map((piece) => piece.apt)) && missing.every((piece) => piece.isThere()))
    return;
  const still = missing.filter((piece) => !piece.isThere());
  process.stderr.write(`This needs ${still.map((piece) => piece.apt).join(', ')}. Run:\n  ${adviceFor(still)}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await prepareMachine({ need: ['browser', 'display', 'keyring'] });
