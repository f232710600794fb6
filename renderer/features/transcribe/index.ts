import { Captions } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { QueueProvider } from './queue-provider.tsx';
import { TranscribeScreen } from './transcribe-screen.tsx';

export const section: Section = {
  path: '/',
  title: 'palette.commands.goToTranscribe',
  icon: Captions,
  command: 'section.transcribe',
  Screen: TranscribeScreen,
  Provider: QueueProvider,
};
