import { createContext, useContext } from 'react';

/** Opens the settings from anywhere in the shell; routes hand it to the screens that offer it. */
export const OpenSettings = createContext<() => void>(() => undefined);

export const useOpenSettings = (): (() => void) => useContext(OpenSettings);
