import type { SpeechLanguage } from '../languages.ts';

/** What kinds of things a library holds. */
export const libraryKinds = ['transcript', 'dictation', 'isolation', 'speech', 'conversation'] as const;
export type LibraryKind = (typeof libraryKinds)[number];

export interface ItemRef {
  readonly kind: LibraryKind;
  readonly id: string;
}

/**
 * Properties of an item: the user changed its text, or nobody did; a part of it is still to be recognised or spoken;
 * its audio is missing; it is a text without a recording; it was deleted at the service; its words come from this
 * computer, or from the service; only a part of its recording was isolated.
 */
export const itemStates = [
  'edited',
  'unedited',
  'unfinished',
  'no-audio',
  'no-recording',
  'deleted-at-service',
  'made-here',
  'made-at-service',
  'excerpt',
] as const;
export type ItemState = (typeof itemStates)[number];

/** One item of the library, in the form that every kind provides. */
export interface LibraryItem extends ItemRef {
  readonly title: string;
  /** The file it was made from; empty when there is none. */
  readonly sourceName: string;
  readonly language: SpeechLanguage | null;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  /** In the order of the recording; null: a speaker without a name. */
  readonly speakers: readonly (string | null)[];
  /** Of its audio on this computer; null when that is not known. */
  readonly sizeBytes: number | null;
  /** The cost reported by the service; null: not reported. */
  readonly credits: string | null;
  /** For a spoken text; null for everything else. */
  readonly characters: number | null;
  readonly states: readonly ItemState[];
  /** Null: unknown. */
  readonly isAtService: boolean | null;
  /** When it was put into the trash; null when it is not there. */
  readonly trashedAtMs: number | null;
}

/** A transcript that exists at the service and not on this computer. */
export interface RemoteTranscript {
  readonly remoteId: string;
  /** Empty: the service has none. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number | null;
  readonly durationMs: number | null;
  readonly language: SpeechLanguage | null;
  /** False while the service is still processing it. */
  readonly isReady: boolean;
}

/** A name that the user gave to a speaker, with its colour. */
export interface KnownSpeaker {
  readonly name: string;
  /** 1 to 8, as last chosen; null: no colour was chosen. */
  readonly colour: number | null;
  /** In how many recordings it occurs; 0 for a name that exists only in the book. */
  readonly count: number;
}

export interface LibraryFolder {
  readonly id: string;
  readonly name: string;
  /** The folder it is in; null: in none. */
  readonly parentId: string | null;
}

/** A label that users put on items of any kind; an item can have several. */
export interface LibraryTag {
  readonly id: string;
  readonly name: string;
}

/** Where the user put a thing. */
export interface Filed {
  readonly folderId: string | null;
  readonly tagIds: readonly string[];
}

/** A folder and all folders below it. */
export function withFoldersBelow(folders: readonly LibraryFolder[], id: string): ReadonlySet<string> {
  const inside = new Set([id]);
  // Iterating over a growing set also visits the added elements.
  for (const parent of inside) for (const folder of folders) if (folder.parentId === parent) inside.add(folder.id);
  return inside;
}

/** Identifies an item of any kind in a set or a map. */
export const refKey = ({ kind, id }: ItemRef): string => `${kind}:${id}`;

/** How long things stay in the trash. */
export const trashDays = 30;
