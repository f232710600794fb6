import { AudioLines, UserRoundCheck } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { SpeakProvider } from './speak-context.tsx';
import { SpeakScreen } from './speak-screen.tsx';
import { VoicesScreen } from './voices/voices-screen.tsx';

export { useCanSpeak } from './use-voices.ts';

export const section: Section = {
  path: '/speak',
  title: 'palette.commands.goToSpeak',
  icon: AudioLines,
  command: 'section.speak',
  needs: 'voice',
  Screen: SpeakScreen,
  keepsScreen: true,
  Provider: SpeakProvider,
};

/** The voices for speech. They share marks, takes and the preview player with the texts. */
export const voicesSection: Section = {
  path: '/voices',
  title: 'voices.title',
  icon: UserRoundCheck,
  command: 'section.voices',
  needs: 'key',
  Screen: VoicesScreen,
};
