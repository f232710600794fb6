import { createContext, useContext } from 'react';
import type { SettingsPage } from '../features/settings/index.ts';

/** The layer of the shell over the screen; one at a time, so that they replace each other. */
export type ShellLayer = 'none' | 'menu' | 'palette' | 'shortcuts' | 'jobs';

export interface ShellLayers {
  readonly layer: ShellLayer;
  readonly show: (layer: ShellLayer) => void;
  /** Hides it if it is still the current one: its action may have opened another. */
  readonly hide: (layer: ShellLayer) => void;
}

export const ShellLayerContext = createContext<ShellLayers>({
  layer: 'none',
  show: () => undefined,
  hide: () => undefined,
});

export const useShellLayer = (): ShellLayers => useContext(ShellLayerContext);

/** Without a page: the first one. */
export type OpenSettingsPage = (page?: SettingsPage) => void;

/** Opens the settings from anywhere in the shell; routes pass it to the screens that offer it. */
export const OpenSettings = createContext<OpenSettingsPage>(() => undefined);

export const useOpenSettings = (): OpenSettingsPage => useContext(OpenSettings);
