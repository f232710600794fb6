import { section as dictate } from '../features/dictate/index.ts';
import { section as isolate } from '../features/isolate/index.ts';
import { section as account } from '../features/account/index.ts';
import { section as ask } from '../features/ask/index.ts';
import { section as library } from '../features/library/index.ts';
import { section as settings } from '../features/settings/index.ts';
import { section as speak, voicesSection as voices } from '../features/speak/index.ts';
import { section as transcribe } from '../features/transcribe/index.ts';
import type { Section } from '../lib/section.ts';

/** Sections in the order and groups of the rail. A new section is one more entry here. */
export const railGroups: readonly (readonly Section[])[] = [
  [library, transcribe, dictate],
  [speak, isolate, voices],
  [ask],
];

/** Sections at the foot of the rail, below the jobs. */
export const railFoot: readonly Section[] = [account, settings];

export const sections: readonly Section[] = [...railGroups.flat(), ...railFoot];

/** Shown at the start, and for unknown paths. */
export const homeSection: Section = transcribe;

const leadsInto = ({ path }: Section, location: string): boolean =>
  location === path || (path !== '/' && location.startsWith(`${path}/`));

/** The section of a location; null for a document, which is opened over a section. */
export const sectionAt = (location: string): Section | null =>
  location.startsWith('/transcripts/')
    ? null
    : (sections.find((section) => leadsInto(section, location)) ?? homeSection);
