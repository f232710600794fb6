import type { SpeechLanguage } from '../languages.ts';

export const libraryKinds = ['transcript', 'dictation', 'isolation', 'speech', 'conversation'] as const;
export type LibraryKind = (typeof libraryKinds)[number];

export interface ItemRef {
  readonly kind: LibraryKind;
  readonly id: string;
}

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

export interface LibraryItem extends ItemRef {
  readonly title: string;
  readonly sourceName: string;
  readonly language: SpeechLanguage | null;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  readonly speakers: readonly (string | null)[];
  readonly sizeBytes: number | null;
  readonly credits: string | null;
  /** Of a spoken text; null for everything else. */
  readonly characters: number | null;
  /** How many of them were charged, repeated sentences once; null: none, or it is no spoken text. */
  readonly chargedCharacters?: number | null;
  readonly states: readonly ItemState[];
  /** Null: unknown. */
  readonly isAtService: boolean | null;
  /** When it was put into the trash; null when it is not there. */
  readonly trashedAtMs: number | null;
}

export interface RemoteTranscript {
  readonly remoteId: string;
  readonly title: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number | null;
  readonly durationMs: number | null;
  readonly language: SpeechLanguage | null;
  readonly isReady: boolean;
}

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
  readonly parentId: string | null;
}

export interface LibraryTag {
  readonly id: string;
  readonly name: string;
}

export interface Filed {
  readonly folderId: string | null;
  readonly tagIds: readonly string[];
}

export function withFoldersBelow(folders: readonly LibraryFolder[], id: string): ReadonlySet<string> {
  const inside = new Set([id]);
  // Iterating over a growing set also visits the added elements.
  for (const parent of inside) for (const folder of folders) if (folder.parentId === parent) inside.add(folder.id);
  return inside;
}

export const refKey = ({ kind, id }: ItemRef): string => `${kind}:${id}`;

export const trashDays = 30;
