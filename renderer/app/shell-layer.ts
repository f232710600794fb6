import { createContext, useContext } from 'react';
import type { SettingsPage } from '../features/settings/index.ts';

export type ShellLayer = 'none' | 'menu' | 'palette' | 'shortcuts' | 'about' | 'jobs';

export interface ShellLayers {
  readonly layer: ShellLayer;
  readonly show: (layer: ShellLayer) => void;
  /** Its action may have opened another. */
  readonly hide: (layer: ShellLayer) => void;
}

export const ShellLayerContext = createContext<ShellLayers>({
  layer: 'none',
  show: () => undefined,
  hide: () => undefined,
});

export const useShellLayer = (): ShellLayers => useContext(ShellLayerContext);

export type OpenSettingsPage = (page?: SettingsPage) => void;

export const OpenSettings = createContext<OpenSettingsPage>(() => undefined);

export const useOpenSettings = (): OpenSettingsPage => useContext(OpenSettings);
