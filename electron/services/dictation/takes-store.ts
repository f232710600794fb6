import type { DictationMode } from '../../../shared/domain/dictation/take-view.ts';
import type { Phrase } from '../../../shared/domain/dictation/take.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { TakeSpool } from './take-engine.ts';

/** What is known of a take besides its phrases. */
export interface TakeFacts {
  readonly id: string;
  readonly startedAtMs: number;
  /** Each time the microphone went on after the first: the sample it began with, and when that was. */
  readonly goesOn: readonly { readonly from: number; readonly atMs: number }[];
  /** Given by a person; null: its first words stand for it. */
  readonly title: string | null;
  readonly language: SpeechLanguage;
  readonly mode: DictationMode;
  /** As the system names the microphone. */
  readonly device: string;
  /** Samples captured; what a crash left is measured from the file. */
  readonly captured: number;
  /** Where the phrases and the silence that were told apart end. */
  readonly known: number;
  /** False: it is being spoken, or the app ended in the middle of it. */
  readonly isEnded: boolean;
  readonly isPinned: boolean;
  /** The audio is gone by the person's rule; the text stays. */
  readonly hasSound: boolean;
  /** The text in the library that was made of it. */
  readonly transcriptId: string | null;
  /** Milliseconds of audio that the microphone side lost, as its own counter says. */
  readonly lostMs: number;
}

export interface StoredTake {
  readonly facts: TakeFacts;
  readonly phrases: readonly Phrase[];
}

/** A take of the list; `revision` changes with everything that is written of it. */
export type ListedTake = StoredTake & { readonly revision: string };

/** One take on disk that is written to. */
export interface TakeRecord {
  readonly spool: TakeSpool & { readonly samples: number };
  write(facts: TakeFacts, phrases: readonly Phrase[]): void;
  /** Everything is on the disk itself. */
  finish(): Promise<void>;
  close(): void;
}

/** Takes of one library, each a WAV and a journal beside it. */
export interface TakesStore {
  create(facts: TakeFacts, onTrouble: (error: unknown) => void): Result<TakeRecord>;
  /** Newest first; takes that a crash left are among them, with the audio that is there. */
  list(): Promise<readonly ListedTake[]>;
  open(id: string, onTrouble: (error: unknown) => void): Result<TakeRecord & StoredTake>;
  read(id: string): StoredTake | null;
  /** Writes down other facts of a take that nobody has open, also one whose sound is gone. False when there is none. */
  change(id: string, part: Partial<TakeFacts>): Result<boolean>;
  /** The same for one phrase. */
  changePhrase(id: string, phrase: Phrase): Result<void>;
  /** Where the audio lies, for the player. */
  audioPath(id: string): string;
  removeAudio(id: string): void;
  remove(id: string): void;
}
