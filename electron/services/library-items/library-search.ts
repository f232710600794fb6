import type { ItemRef, LibraryKind } from '../../../shared/domain/library/library-item.ts';
import type { Ranges } from '../../../shared/domain/search/search-query.ts';
import type { Result } from '../../../shared/result/result.ts';

/** An item with its text, as stored in the index. The index reads transcripts from the library by itself. */
export interface IndexedText {
  readonly kind: Exclude<LibraryKind, 'transcript'>;
  readonly id: string;
  /** A different version means that the text must be read again. */
  readonly version: string;
  readonly title: string;
  readonly moments: readonly ReadMoment[];
}

/** What is said from a time on. */
export interface ReadMoment {
  readonly startMs: number;
  readonly text: string;
}

/** A place in a recording where the words occur. */
export interface FoundMoment extends ReadMoment {
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
  /** The items to search, by `refKey`; results are in this order. */
  readonly among: readonly string[];
  readonly mostItems: number;
  /** What has the most moments comes first. */
  readonly isByMoments?: boolean | undefined;
}

export interface SearchAnswer {
  readonly items: readonly FoundItem[];
  readonly momentCount: number;
  readonly itemCount: number;
  /** There are more results than were counted: only recently added items were searched. */
  readonly isPartial: boolean;
  /** A word similar to one that was not found, with its number of occurrences; null when there is none. */
  readonly nearest: { readonly text: string; readonly momentCount: number } | null;
}

/** Full-text search over a library. Everything runs in a separate thread. */
export interface LibrarySearch {
  /** Indexes what is new or changed in the library; resolves when the index is complete. */
  readonly sync: () => Promise<void>;
  /** Adds texts of kinds other than transcripts to the index; unchanged versions stay. */
  readonly put: (texts: readonly IndexedText[]) => Promise<void>;
  readonly search: (request: SearchRequest) => Promise<Result<SearchAnswer>>;
  /** The first words of an item, or those from a time on. */
  readonly read: (ref: ItemRef, fromMs: number) => Promise<Result<readonly ReadMoment[]>>;
  /** Removes items so that nothing of their text is left in the file. */
  readonly erase: (ids: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
