import type { ItemRef, LibraryKind } from '../../../shared/domain/library/library-item.ts';
import type { Ranges } from '../../../shared/domain/search/search-query.ts';
import type { Result } from '../../../shared/result/result.ts';

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

export interface FoundItem extends ItemRef {
  /** What was found of its title. */
  readonly titleRanges: Ranges;
  /** The first ones. */
  readonly moments: readonly FoundMoment[];
  /** All of them. */
  readonly momentCount: number;
}

export interface SearchRequest {
  readonly text: string;
  /** What is looked through, by `refKey`; what is found comes in this order. */
  readonly among: readonly string[];
  readonly mostItems: number;
  /** What has the most moments comes first. */
  readonly isByMoments?: boolean | undefined;
}

export interface SearchAnswer {
  readonly items: readonly FoundItem[];
  readonly momentCount: number;
  readonly itemCount: number;
  /** There is more than was counted: only what was put in last was looked at. */
  readonly isPartial: boolean;
  /** A word like the one that was not found, with the number of moments it has; null when there is none. */
  readonly nearest: { readonly text: string; readonly momentCount: number } | null;
}

/** The words of a library, found in no time. Everything happens in a thread of its own. */
export interface LibrarySearch {
  /** Reads what is new or changed in the library; returns when all is in the index. */
  readonly sync: () => Promise<void>;
  /** Puts texts of other kinds than transcripts into the index; those it has in this version stay. */
  readonly put: (texts: readonly IndexedText[]) => Promise<void>;
  readonly search: (request: SearchRequest) => Promise<Result<SearchAnswer>>;
  /** Takes things out so that nothing of their words is left in the file. */
  readonly erase: (ids: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
