import type { SpeechDocument, SpeechTake } from '../../../shared/domain/speech/speech-document.ts';
import type { Result } from '../../../shared/result/result.ts';

/** A generation as it is on disk. */
export interface StoredTake extends SpeechTake {
  /** Null: it was found at the service. */
  readonly idempotencyKey: string | null;
  /** The service's id, if known. */
  readonly generationId: string | null;
  readonly requestId: string | null;
  readonly sizeBytes: number | null;
  /** In the library's folder for speech; null until it is made. */
  readonly fileName: string | null;
  readonly isHidden: boolean;
}

export interface DocumentLine {
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
}

/**
 * Texts to speak and their takes. Each write is durable when it returns; E-180 to E-185 when the disk refuses, and then
 * nothing has changed.
 */
export interface SpeechStore {
  /** Newest first. */
  documents(): Result<readonly DocumentLine[]>;
  document(id: string): Result<SpeechDocument | null>;
  /** Every text whole, newest first. */
  allDocuments(): Result<readonly (SpeechDocument & { readonly updatedAtMs: number })[]>;
  saveDocument(document: SpeechDocument, atMs: number): Result<null>;
  /**
   * Deletes texts with every take that no other text has, and overwrites what is left of them. Returns the ids of those
   * takes, which are the names of their files.
   */
  eraseDocuments(ids: readonly string[]): Result<readonly string[]>;
  /** Adds a take, or repeats the request of one whose key is known. Other attempts at it are dropped. */
  askTake(take: StoredTake): Result<StoredTake>;
  updateTake(take: StoredTake): Result<null>;
  take(id: string): Result<StoredTake | null>;
  takes(ids: readonly string[]): Result<readonly StoredTake[]>;
  /** The newest take of each identity; a finished one takes precedence over an unfinished one. */
  takesByIdentity(identities: readonly string[]): Result<readonly StoredTake[]>;
  /** Takes that were requested and not answered yet, oldest first. */
  openTakes(): Result<readonly StoredTake[]>;
  /** Newest first, without hidden ones. `beforeMs`: older ones only. */
  history(search: string, beforeMs: number | null, limit: number): Result<readonly StoredTake[]>;
  hide(ids: readonly string[], isHidden: boolean): Result<null>;
  /** Small values by name: the catalogue of voices, the user's favourites, the pronunciations for all texts. */
  note(name: SpeechNote): Result<string | null>;
  saveNote(name: SpeechNote, value: string): Result<null>;
}

export type SpeechNote =
  | 'speech-voices'
  | 'speech-pronunciations'
  | 'speech-voice-marks'
  | 'voice-clone-draft'
  | 'voice-clone-recording'
  | 'voice-removals';
