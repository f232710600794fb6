import { mkdirSync, chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import {
  defaultSettings,
  type SettingsStore,
  type StoredSettings,
  readStoredSettings,
  maxSettingsBytes,
  type ReadSettings,
} from '../../services/settings/stored-settings.ts';
import { syncFolderNow } from './place-file.ts';

interface KeyValueFile {
  get store(): object;
  set(values: Partial<StoredSettings> & { readonly version: number }): void;
}

/** How both open the file. Our own schema has validated it by then, and discarding a whole file is never right. */
export const settingsFileOptions = {
  clearInvalidConfig: false,
  configFileMode: 0o600,
  accessPropertiesByDotNotation: false,
};

export interface SettingsStoreOptions {
  readonly folder: string;
  readonly defaults: StoredSettings;
  /** The disk refused a change, which then holds only until the end of the run. */
  readonly onUnsaved: () => void;
}

/** Keeps settings in memory and on disk. `open` is called at the first change, after a damaged file was set aside. */
export function createSettingsStore(options: SettingsStoreOptions, open: () => KeyValueFile): SettingsStore {
  const { folder, defaults, onUnsaved } = options;
  const read = openSettingsFile(join(folder, `${settingsName}.json`), Date.now(), defaults);
  // Opening creates the folder, which a mere reader must not do.
  let file: KeyValueFile | null = null;
  const listeners = new Set<(settings: StoredSettings) => void>();
  let settings = read.settings;
  const save = (values: Partial<StoredSettings>) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      file ??= open();
      file.set({ ...values, version: read.version });
      syncFolderNow(folder);
    } catch {
      onUnsaved();
    }
  };
  if (read.isDamaged || read.isLegacy) save(settings);
  return {
    wasReset: read.isDamaged,
    get: () => settings,
    update(change) {
      settings = { ...settings, ...change };
      save(change);
      for (const listener of listeners) listener(settings);
      return settings;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Settings for the terminal: the same file as the window's, without Electron. */
export const openSettingsForTerminal = (folder: string, onUnsaved: () => void): SettingsStore =>
  createSettingsStore(
    { folder, defaults: defaultSettings, onUnsaved },
    () => new Conf({ cwd: folder, configName: settingsName, ...settingsFileOptions }),
  );

export const settingsName = 'settings';

/** The settings library would throw at a damaged file, so it is set aside before (settings-reset). */
export function openSettingsFile(path: string, nowMs: number, defaults: StoredSettings): ReadSettings {
  const read = readStoredSettings(readText(path), defaults);
  if (read.isDamaged) {
    const aside = `${path}.damaged-${nowMs}`;
    copyFileSync(path, aside);
    chmodSync(aside, 0o600);
    rmSync(path);
  }
  return read;
}

function readText(path: string): string | null {
  if (!existsSync(path)) return null;
  return statSync(path).size > maxSettingsBytes ? '' : readFileSync(path, 'utf8');
}
