import { chmodSync, mkdirSync, statSync, lstatSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const appName = 'Ovoz Studio';

export interface DataFolder {
  readonly root: string;
  readonly logs: string;
  readonly peaks: string;
  readonly practiceService: string;
  readonly localService: string;
  readonly models: string;
  /** The browser part's data; kept apart, so that a scan of our files sees only our files. */
  readonly browser: string;
}

interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export function locateDataFolder(
  override: string | null,
  place: Place = { platform: process.platform, env: process.env, home: homedir() },
): DataFolder {
  const root = override === null ? join(baseFolder(place), appName) : resolve(override);
  const inside = (name: string) => join(root, name);
  return {
    root,
    logs: inside('logs'),
    peaks: inside('peaks'),
    practiceService: join(root, 'practice', 'service'),
    localService: join(root, 'local', 'service'),
    models: inside('models'),
    browser: inside('browser'),
  };
}

function baseFolder({ platform, env, home }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

/**
 * Creates missing folders as 0700 and removes the rights of others that an older run or a copy left (S-37).
 * Synchronous, because Electron needs its folders before it is ready.
 */
export function prepareDataFolder(folder: DataFolder): void {
  for (const path of Object.values(folder) as string[]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
}

/**
 * Creates the folder if it is missing and removes the rights of others (S-37): the folder becomes 0700, the files
 * directly in it 0600. Links are left alone. On Windows the rights of the profile folder protect it. Throws file system
 * errors.
 */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  closeToOthers(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) closeToOthers(join(folder, entry.name), 0o600);
  }
}

function closeToOthers(path: string, mode: number): void {
  if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
}
