import type { SpeechLanguage } from '../languages.ts';

/** What kinds of things a library holds. */
export const libraryKinds = ['transcript', 'dictation', 'isolation', 'speech'] as const;
export type LibraryKind = (typeof libraryKinds)[number];

export interface ItemRef {
  readonly kind: LibraryKind;
  readonly id: string;
}

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
  /** Null: not told. */
  readonly isAtService: boolean | null;
  /** When it was put into the trash; null for what is not there. */
  readonly trashedAtMs: number | null;
}

export interface LibraryFolder {
  readonly id: string;
  readonly name: string;
}

/** Names a thing of any kind in a set or a map. */
export const refKey = ({ kind, id }: ItemRef): string => `${kind}:${id}`;

/** How long things stay in the trash. */
export const trashDays = 30;
