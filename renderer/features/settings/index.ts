import { Settings } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { LibraryMove } from './ui/move-library.tsx';

export const section: Section = {
  path: '/settings',
  title: 'shell.settings.open',
  icon: Settings,
  command: 'settings.open',
  Screen: SettingsScreen,
  Provider: LibraryMove,
};
export { settingsIndex, settingsPages, type SettingsPage } from './model/settings-index.ts';
