import type { ParseKeys } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { CommandId } from '../../shared/domain/commands/command-list.ts';

export interface SectionScreenProps {
  /** What follows the section's own path: `trash` for `/library/trash`, empty for `/library`. */
  readonly subpath: string;
  readonly onSubpath: (subpath: string) => void;
}

/**
 * A section of the studio, described by its feature. Rail, routes, palette, menu and keys follow from the list of them
 * in `renderer/app/sections.ts`.
 */
export interface Section {
  /** Paths below it belong to the section too. */
  readonly path: `/${string}`;
  readonly title: ParseKeys;
  readonly icon: LucideIcon;
  /** The command that opens it. Its name, its key and its place in the menu stand in `commandList`. */
  readonly command: CommandId;
  /** Stands beside its name in the rail while something goes on in it. */
  readonly Badge?: ComponentType;
  readonly Screen: ComponentType<SectionScreenProps>;
  /**
   * The screen stays mounted while another one is shown, with what was typed, selected and scrolled; its effects rest
   * meanwhile, as with React's `Activity`.
   */
  readonly keepsScreen?: true;
  /**
   * Stands around every screen: for work that goes on, and commands that are there, whichever section is shown. Mounted
   * from the start, so it must be cheap.
   */
  readonly Provider?: ComponentType<{ readonly children: ReactNode }>;
}
