/** Pages that are whole, in the order of the navigation. */
export const settingsPages = ['general', 'connection', 'automation', 'shortcuts', 'storage', 'privacy'] as const;
export type SettingsPage = (typeof settingsPages)[number];

/** The page that a part of the address names; anything else is the first one. */
export const readSettingsPage = (text: string): SettingsPage =>
  settingsPages.find((page) => page === text) ?? 'general';
