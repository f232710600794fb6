import type { SpeechLanguage } from '../languages.ts';

/** What kinds of things a library holds. */
export const libraryKinds = ['transcript', 'dictation', 'isolation', 'speech', 'conversation'] as const;
export type LibraryKind = (typeof libraryKinds)[number];

export interface ItemRef {
  readonly kind: LibraryKind;
  readonly id: string;
}

/**
 * What can be true of a thing besides being there: a person changed its text, or nobody did; a part of it waits to be
 * recognised or spoken; its audio is not where it was; it is a text that came without a recording; it was deleted at the
 * service.
 */
export const itemStates = [
  'edited',
  'unedited',
  'unfinished',
  'no-audio',
  'no-recording',
  'deleted-at-service',
] as const;
export type ItemState = (typeof itemStates)[number];

/** One thing in the library, as every kind describes it. */
export interface LibraryItem extends ItemRef {
  readonly title: string;
  /** The file it was made from; empty when there is none. */
  readonly sourceName: string;
  readonly language: SpeechLanguage | null;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  /** In the order of the recording; null: nobody gave that speaker a name. */
  readonly speakers: readonly (string | null)[];
  /** Of its audio on this computer; null when that is not known. */
  readonly sizeBytes: number | null;
  /** What it cost, as the service told it; null: not told. */
  readonly credits: string | null;
  /** Of a spoken text; null for what is not made of text. */
  readonly characters: number | null;
  readonly states: readonly ItemState[];
  /** Null: not told. */
  readonly isAtService: boolean | null;
  /** When it was put into the trash; null for what is not there. */
  readonly trashedAtMs: number | null;
}

/** A transcript that the service has and this computer has not. */
export interface RemoteTranscript {
  readonly remoteId: string;
  /** Empty: the service does not tell one. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number | null;
  readonly durationMs: number | null;
  readonly language: SpeechLanguage | null;
  /** False while the service is still at work on it. */
  readonly isReady: boolean;
}

/** A name that a person gave to a speaker, with the colour that goes with it. */
export interface KnownSpeaker {
  readonly name: string;
  /** 1 to 8, as it was chosen last; null: no colour was chosen. */
  readonly colour: number | null;
  /** In how many recordings; 0 for a name that was only written into the book. */
  readonly count: number;
}

export interface LibraryFolder {
  readonly id: string;
  readonly name: string;
  /** The folder it is in; null: in none. */
  readonly parentId: string | null;
}

/** A word that a person puts on things of any kind; a thing can have several. */
export interface LibraryTag {
  readonly id: string;
  readonly name: string;
}

/** Where a person put a thing. */
export interface Filed {
  readonly folderId: string | null;
  readonly tagIds: readonly string[];
}

/** A folder and all folders below it. */
export function withFoldersBelow(folders: readonly LibraryFolder[], id: string): ReadonlySet<string> {
  const inside = new Set([id]);
  // A set that grows while it is walked also walks what was added.
  for (const parent of inside) for (const folder of folders) if (folder.parentId === parent) inside.add(folder.id);
  return inside;
}

/** Names a thing of any kind in a set or a map. */
export const refKey = ({ kind, id }: ItemRef): string => `${kind}:${id}`;

/** How long things stay in the trash. */
export const trashDays = 30;
