import { createContext, useContext, useState } from 'react';
import { useLocation } from 'wouter';
import type { Section } from '../lib/section.ts';
import { homeSection, more, sectionAt, useWorksHere } from './sections.ts';

/** The current place: a section, or a document that was opened over it. */
export interface SectionLocation {
  readonly section: Section;
  /** The path within the current section, or the one that closing the document returns to. */
  readonly path: string;
  readonly isInDocument: boolean;
}

export const SectionLocationContext = createContext<SectionLocation>({
  section: homeSection,
  path: homeSection.path,
  isInDocument: false,
});

export const useSectionLocation = (): SectionLocation => useContext(SectionLocationContext);

/** Follows the location, and remembers the section behind a document. */
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
