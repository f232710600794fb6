import ElectronStore from 'electron-store';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { createSettingsStore, settingsFileOptions, type SettingsStoreOptions } from '../node/settings-conf.ts';
import { settingsName } from '../node/settings-file.ts';

/** Settings for the window, kept by electron-store. */
export const openSettings = (options: SettingsStoreOptions): SettingsStore =>
  createSettingsStore(
    options,
    () => new ElectronStore({ cwd: options.folder, name: settingsName, ...settingsFileOptions }),
  );
