import { createContext, useContext } from 'react';
import type { SettingsPage } from '../features/settings/index.ts';

/** Without a page: the first one. */
export type OpenSettingsPage = (page?: SettingsPage) => void;

/** Opens the settings from anywhere in the shell; routes hand it to the screens that offer it. */
export const OpenSettings = createContext<OpenSettingsPage>(() => undefined);

export const useOpenSettings = (): OpenSettingsPage => useContext(OpenSettings);
