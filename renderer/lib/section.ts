import type { ParseKeys } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { CommandId } from '../../shared/domain/commands/command-list.ts';

export interface SectionScreenProps {
  /** The part after the section's own path: `trash` for `/library/trash`, empty for `/library`. */
  readonly subpath: string;
  readonly onSubpath: (subpath: string) => void;
}

/** Rail, routes, palette, menu and keys follow from the list in `renderer/app/sections.ts`. */
export interface Section {
  readonly path: `/${string}`;
  readonly title: ParseKeys;
  readonly icon: LucideIcon;
  readonly command: CommandId;
  readonly Badge?: ComponentType;
  /** A key of the service, or a voice, which the system may have too. */
  readonly needs?: 'key' | 'voice';
  readonly Screen: ComponentType<SectionScreenProps>;
  /** Stays mounted, its effects paused, while another one is shown. */
  readonly keepsScreen?: true;
  /** Wraps every screen. Mounted from the start, so it must be cheap. */
  readonly Provider?: ComponentType<{ readonly children: ReactNode }>;
}
