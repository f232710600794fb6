import ElectronStore from 'electron-store';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { createSettingsStore, settingsFileOptions } from '../node/settings-conf.ts';
import { settingsName } from '../node/settings-file.ts';

/** Settings for the window, kept by electron-store. */
export const openSettings = (folder: string, onUnsaved: () => void): SettingsStore =>
  createSettingsStore(
    folder,
    onUnsaved,
    () => new ElectronStore({ cwd: folder, name: settingsName, ...settingsFileOptions }),
  );
