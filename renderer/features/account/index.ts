import { Gauge } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { AccountScreen } from './account-screen.tsx';

export const section: Section = {
  path: '/account',
  title: 'account.title',
  icon: Gauge,
  command: 'section.account',
  needs: 'key',
  Screen: AccountScreen,
};
export { accountPages } from './frame.tsx';
