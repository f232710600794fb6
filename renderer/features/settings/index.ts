export { SettingsScreen } from './settings-screen.tsx';
export type { SettingsPage } from './model/settings-pages.ts';
