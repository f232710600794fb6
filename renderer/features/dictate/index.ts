import { Mic } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { DictateScreen } from './dictate-screen.tsx';
import { DictationProvider } from './dictation-context.tsx';
import { OnAirDot } from './ui/on-air.tsx';

export { OnAirChip } from './ui/on-air.tsx';

export const section: Section = {
  path: '/dictate',
  title: 'palette.commands.goToDictate',
  icon: Mic,
  command: 'section.dictate',
  Screen: DictateScreen,
  Provider: DictationProvider,
  Badge: OnAirDot,
};
