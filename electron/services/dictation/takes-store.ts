import type { DictationMode } from '../../../shared/domain/dictation/take-view.ts';
import type { Phrase } from '../../../shared/domain/dictation/take.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { TakeSpool } from './take-engine.ts';

/** Facts about a take besides its phrases. */
export interface TakeFacts {
  readonly id: string;
  readonly startedAtMs: number;
  /** Each resumption after the first start: its first sample, and when it was. */
  readonly goesOn: readonly { readonly from: number; readonly atMs: number }[];
  /** Given by the user; null: its first words are shown. */
  readonly title: string | null;
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  /** As the system names the microphone. */
  readonly device: string;
  /** Number of captured samples; after a crash it is measured from the file. */
  readonly captured: number;
  /** How far the audio has been divided into phrases and silence. */
  readonly known: number;
  /** False: it is being spoken, or the app quit in the middle of it. */
  readonly isEnded: boolean;
  readonly isPinned: boolean;
  /** False: the audio was deleted by the user's retention rule; the text stays. */
  readonly hasSound: boolean;
  /** The transcript in the library that was made from it. */
  readonly transcriptId: string | null;
  /** Milliseconds of audio that the microphone side lost, by its own counter. */
  readonly lostMs: number;
}

export interface StoredTake {
  readonly facts: TakeFacts;
  readonly phrases: readonly Phrase[];
}

/** A take in the list; `revision` changes with every write. */
export type ListedTake = StoredTake & { readonly revision: string };

/** One take on disk that is written to. */
export interface TakeRecord {
  readonly spool: TakeSpool & { readonly samples: number };
  /** Lines that the disk refuses are kept in memory and written with the next ones. */
  write(facts: TakeFacts, phrases: readonly Phrase[]): void;
  /** Everything is on the disk itself; false while the disk refuses a part of it. */
  finish(): Promise<boolean>;
  close(): void;
}

/** The takes of one library, each a WAV with a journal next to it. */
export interface TakesStore {
  create(facts: TakeFacts, onTrouble: (error: unknown) => void): Result<TakeRecord>;
  /** Newest first; takes after a crash are included, with their existing audio. */
  list(): Promise<readonly ListedTake[]>;
  open(id: string, onTrouble: (error: unknown) => void): Result<TakeRecord & StoredTake>;
  read(id: string): StoredTake | null;
  /** Changes facts of a take that is not open, even if its audio is gone. False when there is none. */
  change(id: string, part: Partial<TakeFacts>): Result<boolean>;
  /** The same for one phrase. */
  changePhrase(id: string, phrase: Phrase): Result<void>;
  /** Where the audio lies, for the player. */
  audioPath(id: string): string;
  removeAudio(id: string): void;
  remove(id: string): void;
}
