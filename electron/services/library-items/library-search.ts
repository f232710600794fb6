import type { Ranges } from '../../../shared/domain/search/search-query.ts';

/** What kinds of things a library holds. */
export const libraryKinds = ['transcript', 'dictation', 'isolation', 'speech'] as const;
export type LibraryKind = (typeof libraryKinds)[number];

/** One thing with its words, as it goes into the index. Transcripts are read from the library by the index itself. */
export interface IndexedText {
  readonly kind: Exclude<LibraryKind, 'transcript'>;
  readonly id: string;
  /** Another one means that the words have to be read anew. */
  readonly version: string;
  readonly title: string;
  readonly moments: readonly { readonly startMs: number; readonly text: string }[];
}

/** A place in a recording where the words are. */
export interface FoundMoment {
  readonly startMs: number;
  readonly text: string;
  readonly ranges: Ranges;
}

export interface FoundItem {
  readonly kind: LibraryKind;
  readonly id: string;
  /** What was found of title and speakers. */
  readonly titleRanges: Ranges;
  readonly moments: readonly FoundMoment[];
  /** All of them, not only those that are given. */
  readonly momentCount: number;
}

export interface SearchRequest {
  readonly text: string;
  /** Only these; null: everything. */
  readonly among: readonly { readonly kind: LibraryKind; readonly id: string }[] | null;
  readonly mostItems: number;
}

export interface SearchAnswer {
  /** Newest first. */
  readonly items: readonly FoundItem[];
  readonly momentCount: number;
  readonly itemCount: number;
  /** How much of the library was searched. */
  readonly searchedCount: number;
  /** A word like the one that was not found, with the number of moments it has; null when there is none. */
  readonly nearest: { readonly text: string; readonly momentCount: number } | null;
}

/** What the index knows of a transcript from its words. */
export interface IndexedFacts {
  readonly id: string;
  readonly speakers: readonly (string | null)[];
  readonly wordCount: number;
}

/** The words of a library, found in no time. Everything happens in a thread of its own. */
export interface LibrarySearch {
  /** Reads what is new or changed in the library; returns when all is in the index. */
  readonly sync: () => Promise<void>;
  readonly put: (texts: readonly IndexedText[]) => Promise<void>;
  readonly search: (request: SearchRequest) => Promise<SearchAnswer>;
  readonly facts: () => Promise<readonly IndexedFacts[]>;
  /** Takes things out so that nothing of their words is left in the file. */
  readonly erase: (ids: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
