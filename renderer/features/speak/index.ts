import { AudioLines } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { SpeakProvider } from './speak-context.tsx';
import { SpeakScreen } from './speak-screen.tsx';

export const section: Section = {
  path: '/speak',
  title: 'palette.commands.goToSpeak',
  icon: AudioLines,
  command: 'section.speak',
  Screen: SpeakScreen,
  keepsScreen: true,
  Provider: SpeakProvider,
};
