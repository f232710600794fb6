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
import { createContext, useContext, useState } from 'react';
import { useLocation } from 'wouter';

export const railGroups = {
  text: [library, transcribe, dictate, ask],
  tools: [speak, isolate, voices],
  foot: [account, settings],
} as const satisfies Readonly<Record<string, readonly Section[]>>;

export const sections: readonly Section[] = Object.values(railGroups).flat();

export const homeSection: Section = transcribe;

const leadsInto = ({ path }: Section, location: string): boolean =>
  location === path || (path !== '/' && location.startsWith(`${path}/`));

const sectionAt = (location: string): Section | null =>
  location.startsWith('/transcripts/')
    ? null
    : (sections.find((section) => leadsInto(section, location)) ?? homeSection);

export { more };

export function useWorksHere(): (section: Section) => boolean | null {
  const { mode } = useConnection();
  const isWithoutKey = mode !== 'unset' && modeOf(mode).isWithoutKey;
  const canSpeak = useCanSpeak(isWithoutKey);
  return ({ needs }) => {
    if (!isWithoutKey || needs === undefined) return true;
    return needs === 'voice' && canSpeak;
  };
}

export interface SectionLocation {
  readonly section: Section;
  readonly path: string;
  readonly isInDocument: boolean;
}

export const SectionLocationContext = createContext<SectionLocation>({
  section: homeSection,
  path: homeSection.path,
  isInDocument: false,
});

export const useSectionLocation = (): SectionLocation => useContext(SectionLocationContext);

export function useFollowedLocation(): SectionLocation {
  const [location] = useLocation();
  const section = sectionAt(location);
  const [shown, setShown] = useState({ section: section ?? homeSection, path: section ? location : homeSection.path });
  if (section !== null && shown.path !== location) setShown({ section, path: location });
  const worksHere = useWorksHere();
  const isInDocument = section === null;
  if (worksHere(shown.section) !== false) return { ...shown, isInDocument };
  return { section: more, path: more.path, isInDocument };
}
