import { KeyRound } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { MoreScreen } from './more-screen.tsx';

/** In the place of Account, and of every other section that this computer can't be without a key. */
export const section: Section = {
  path: '/account',
  title: 'shell.more.title',
  icon: KeyRound,
  command: 'section.account',
  Screen: MoreScreen,
};
