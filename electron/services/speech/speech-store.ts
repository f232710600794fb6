import type { SpeechDocument, SpeechTake } from '../../../shared/domain/speech/speech-document.ts';
import type { Result } from '../../../shared/result/result.ts';

/** A generation as it is on disk. */
export interface StoredTake extends SpeechTake {
  /** Null: it was found at the service. */
  readonly idempotencyKey: string | null;
  /** What the service calls it, if it told. */
  readonly generationId: string | null;
  readonly requestId: string | null;
  readonly sizeBytes: number | null;
  /** In the folder of the library for speech; null until it is made. */
  readonly fileName: string | null;
  readonly isHidden: boolean;
}

export interface DocumentLine {
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
}

/**
 * Texts to be spoken and what was made of them. Each write is durable when it returns; E-180 to E-185 when the disk
 * refuses, and then nothing has changed.
 */
export interface SpeechStore {
  /** Newest first. */
  documents(): Result<readonly DocumentLine[]>;
  document(id: string): Result<SpeechDocument | null>;
  /** Every text whole, newest first. */
  allDocuments(): Result<readonly (SpeechDocument & { readonly updatedAtMs: number })[]>;
  saveDocument(document: SpeechDocument, atMs: number): Result<null>;
  /**
   * Takes texts out of the file with every take that no other text has, and writes over what is left of them. Gives the
   * ids of those takes, by which their files are named.
   */
  eraseDocuments(ids: readonly string[]): Result<readonly string[]>;
  /** A new take, or one whose key is known already: then it is asked for once more. Other attempts at it are dropped. */
  askTake(take: StoredTake): Result<StoredTake>;
  updateTake(take: StoredTake): Result<null>;
  take(id: string): Result<StoredTake | null>;
  takes(ids: readonly string[]): Result<readonly StoredTake[]>;
  /** The newest of each identity; one that was made stands before one that was not. */
  takesByIdentity(identities: readonly string[]): Result<readonly StoredTake[]>;
  /** What was asked for and not answered yet, oldest first. */
  openTakes(): Result<readonly StoredTake[]>;
  /** Newest first, what is hidden left out. `beforeMs`: older ones only. */
  history(search: string, beforeMs: number | null, limit: number): Result<readonly StoredTake[]>;
  hide(ids: readonly string[], isHidden: boolean): Result<null>;
  /** Small things kept by name: the catalogue of voices, the person's marks on it, the pronunciations of all texts. */
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
