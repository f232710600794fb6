import { Blend } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { IsolateProvider } from './isolate-provider.tsx';
import { IsolateScreen } from './isolate-screen.tsx';

export const section: Section = {
  path: '/isolate',
  title: 'palette.commands.goToIsolate',
  icon: Blend,
  command: 'section.isolate',
  Screen: IsolateScreen,
  Provider: IsolateProvider,
};
