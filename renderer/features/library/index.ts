import { Library } from 'lucide-react';
import type { Section } from '../../lib/section.ts';
import { LibraryScreen } from './library-screen.tsx';

export const section: Section = {
  path: '/library',
  title: 'library.title',
  icon: Library,
  command: 'section.library',
  Screen: LibraryScreen,
  keepsScreen: true,
};
