import { section as dictate } from '../features/dictate/index.ts';
import { section as isolate } from '../features/isolate/index.ts';
import { section as account } from '../features/account/index.ts';
import { section as ask } from '../features/ask/index.ts';
import { section as more } from '../features/more/index.ts';
import { section as library } from '../features/library/index.ts';
import { section as settings } from '../features/settings/index.ts';
import { section as speak, useCanSpeak, voicesSection as voices } from '../features/speak/index.ts';
import { section as transcribe } from '../features/transcribe/index.ts';
import { modeOf } from '../../shared/domain/modes.ts';
import { useConnection } from '../bridge/live-state.tsx';
import type { Section } from '../lib/section.ts';

/** Sections in the order and groups of the rail: text, tools, and below the jobs. A new section is one more entry here. */
export const railGroups = {
  text: [library, transcribe, dictate, ask],
  tools: [speak, isolate, voices],
  foot: [account, settings],
} as const satisfies Readonly<Record<string, readonly Section[]>>;

export const sections: readonly Section[] = Object.values(railGroups).flat();

/** Shown at the start, and for unknown paths. */
export const homeSection: Section = transcribe;

const leadsInto = ({ path }: Section, location: string): boolean =>
  location === path || (path !== '/' && location.startsWith(`${path}/`));

/** The section of a location; null for a document, which is opened over a section. */
export const sectionAt = (location: string): Section | null =>
  location.startsWith('/transcripts/')
    ? null
    : (sections.find((section) => leadsInto(section, location)) ?? homeSection);

/** Stands in for every section that needs a key, in a mode that has none. */
export { more };

/** Says whether a section works in this mode; null: not known yet. */
export function useWorksHere(): (section: Section) => boolean | null {
  const { mode } = useConnection();
  const isWithoutKey = mode !== 'unset' && modeOf(mode).isWithoutKey;
  const canSpeak = useCanSpeak(isWithoutKey);
  return ({ needs }) => {
    if (!isWithoutKey || needs === undefined) return true;
    return needs === 'voice' && canSpeak;
  };
}
