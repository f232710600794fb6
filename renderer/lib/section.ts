import type { ParseKeys } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { CommandId } from '../../shared/domain/commands/command-list.ts';

export interface SectionScreenProps {
  /** The part after the section's own path: `trash` for `/library/trash`, empty for `/library`. */
  readonly subpath: string;
  readonly onSubpath: (subpath: string) => void;
}

/**
 * A section of the app, described by its feature. Rail, routes, palette, menu and keys follow from the list in
 * `renderer/app/sections.ts`.
 */
export interface Section {
  /** Paths below it belong to the section too. */
  readonly path: `/${string}`;
  readonly title: ParseKeys;
  readonly icon: LucideIcon;
  /** The command that opens it. Its name, its key and its place in the menu are in `commandList`. */
  readonly command: CommandId;
  /** Shown next to its name in the rail while it is active. */
  readonly Badge?: ComponentType;
  /** What it needs of the mode: a key of the service, or a voice, which the system may have too. */
  readonly needs?: 'key' | 'voice';
  readonly Screen: ComponentType<SectionScreenProps>;
  /**
   * The screen stays mounted while another one is shown, with typed text, selection and scroll position; its effects
   * are paused, as with React's `Activity`.
   */
  readonly keepsScreen?: true;
  /**
   * Wraps every screen: for ongoing work, and commands that are available in every section. Mounted from the start, so
   * it must be cheap.
   */
  readonly Provider?: ComponentType<{ readonly children: ReactNode }>;
}
