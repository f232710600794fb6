import { MessageSquareQuote } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { AskScreen } from './ask-screen.tsx';

export const section: Section = {
  path: '/ask',
  title: 'ask.title',
  icon: MessageSquareQuote,
  command: 'section.ask',
  needs: 'key',
  Screen: AskScreen,
  keepsScreen: true,
};
