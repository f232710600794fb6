import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import type { JobFacts } from '../../../shared/domain/jobs/to-view.ts';
import type { MediaFormat } from '../../../shared/domain/media/sniff.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { LibraryItem } from '../../../shared/domain/library/library-item.ts';
import type { ConversationStore } from '../assistant/conversation-store.ts';
import type { AutomationEntry, AutomationKind } from '../automation/automation-log.ts';
import type { Change } from '../../../shared/domain/transcript/change.ts';
import type { Speaker, Transcript } from '../../../shared/domain/transcript/transcript.ts';

/** One row of the queue as it is on disk. */
export type StoredJob = JobFacts & {
  /** Where its recording is; for main only. */
  readonly path: string;
};

/** A transcript with where it came from. */
export interface StoredTranscript {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly mediaPath: string;
  readonly mediaSha256: string;
  readonly remoteId: string | null;
  /** The stored answer it was read from. */
  readonly rawAnswerId: number | null;
  /** How many edits were saved; 0 while the text is as received from the service. */
  readonly revision: number;
  /** Who recognised it; null for one that was imported or dictated. */
  readonly origin: Origin | null;
  /** What recognised it, as far as the answer told. */
  readonly model: string | null;
  readonly transcript: Transcript;
}

/** Everything about a transcript except its words. */
export type TranscriptFacts = Omit<StoredTranscript, 'transcript'>;

/** The speakers of a transcript, as of this revision. */
export interface SpeakerUse {
  readonly transcriptId: string;
  readonly revision: number;
  readonly speakers: readonly Speaker[];
}

/** One saved edit of a transcript. */
export interface StoredEdit {
  readonly atMs: number;
  /** The kind of edit, as a term of the interface ("type", "split"). */
  readonly label: string;
  readonly change: Change;
}

/** The words of a transcript as stored on disk. */
export interface WrittenText {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: readonly Speaker[];
  readonly wordCount: number;
  /** The `LeanTranscript` as JSON: a string, or its UTF-8 as a thread passes it on. */
  readonly body: string | Uint8Array;
}

/** A transcript that is not stored yet. */
export type NewTranscript = Omit<TranscriptFacts, 'revision' | 'origin'> & { readonly written: WrittenText };

/** Audio that a job produced; its file is in the library's folder. */
export interface StoredAudio {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  /** Name of the file in the library's folder for produced audio. */
  readonly fileName: string;
  /** By its bytes. */
  readonly format: MediaFormat;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly remoteId: string | null;
  /** The cost, as a decimal number; null when the service did not report it. */
  readonly credits: string | null;
}

/** The output of a job, which becomes durable with the event that ends the job. */
export type JobOutput =
  | { readonly transcript: NewTranscript; readonly audio?: never }
  | { readonly audio: StoredAudio; readonly transcript?: never };

export interface RawAnswer {
  readonly jobId: string;
  readonly atMs: number;
  readonly source: 'submit' | 'read' | 'export' | 'listen-again';
  readonly requestId: string | null;
  readonly body: string;
}

/** What makes two jobs the same work. */
export type SameContent = JobOptions & { readonly sha256: string };

/** An entry of the journal: an event of a job, or its recovery after a restart. */
export type JournalEvent = JobEvent | { readonly type: 'recovered' };

/** One row's change with the event that caused it, and the job's output. */
export interface StoredChange {
  readonly job: StoredJob;
  readonly event: JournalEvent;
  readonly atMs: number;
  readonly output: JobOutput | null;
}

export type LibraryNote =
  | 'queue'
  | 'pace'
  | 'deleted'
  | 'folders'
  | 'speaker-book'
  | 'deleted-at-service'
  | 'synced'
  | 'question-files'
  | 'hiding';

/** A transcript without its words. */
export interface TranscriptLine {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly remoteId: string | null;
  /** As transcribed, or as the user set it since. */
  readonly language: SpeechLanguage;
  readonly wordCount: number;
  readonly durationMs: number;
  /** An imported text may have none. */
  readonly hasRecording: boolean;
}

/** The recording of a transcript, as known to the library. */
export interface TranscriptMedia {
  readonly transcriptId: string;
  /** Of the recording, as it came. */
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A transcript and the content hash of the file it plays. */
export interface MadeFrom {
  readonly transcriptId: string;
  readonly title: string;
  readonly mediaSha256: string;
}

/** What was deleted together with erased transcripts. */
export interface ErasedRows {
  readonly jobIds: readonly string[];
  /** Conversations and spoken texts: the requested ones, and conversations about nothing but an erased transcript. */
  readonly otherIds: readonly string[];
  /** Hashes of recordings that nothing refers to any more. */
  readonly unusedContents: readonly string[];
}

/**
 * The library on disk. Each write is one transaction that is durable when the call returns; a failed write (E-180,
 * E-181, E-182, E-185) has changed nothing. Disk errors never throw.
 */
export interface LibraryStore {
  /** The rows still in the list, oldest first. An unreadable row comes back as failed. */
  loadJobs(): Result<readonly StoredJob[]>;
  /** One row, listed or hidden; null when there is none or it can't be read. */
  job(id: string): Result<StoredJob | null>;
  /** All of them or none. */
  addJobs(jobs: readonly StoredJob[]): Result<null>;
  /** Appends the event and stores the job (and its output) together. */
  commit(job: StoredJob, event: JournalEvent, atMs: number, output: JobOutput | null): Result<null>;
  /** The same for many rows, as one transaction. */
  commitAll(changes: readonly StoredChange[]): Result<null>;
  /** Stores the ranks of rows in the queue. */
  saveRanks(ranks: readonly { readonly id: string; readonly rank: number }[]): Result<null>;
  /** Small values that belong to the library and to no row: whether its queue is paused, measured durations. */
  note(name: LibraryNote): Result<string | null>;
  /** Replaces what was noted under the name. */
  saveNote(name: LibraryNote, value: string): Result<null>;
  /** Removes ended rows from the list; their results stay. */
  hideJobs(jobIds: readonly string[]): Result<null>;
  /** Removed rows of one kind, newest first; 500 at most. */
  hiddenJobs(kind: StoredJob['kind']): Result<readonly StoredJob[]>;
  /** Updates the path of a row's recording. */
  movePath(jobId: string, path: string): Result<null>;
  /** Every row, including hidden ones, with this content and these fields; newest first. */
  findSame(same: SameContent): Result<readonly StoredJob[]>;
  /** The newest of them that is done or under way; null when there is no other than this one. */
  findTwin(same: SameContent, exceptJobId: string): Result<StoredJob | null>;
  /** The id of the newest text of this content with these fields; null when there is none. */
  findText(same: SameContent, exceptJobId: string): Result<string | null>;
  /** Whether an id of the service belongs to another row already; true also when the library can't be read. */
  isRemoteIdTaken(remoteId: string, exceptJobId: string): boolean;
  /** Records automatic work; an entry for the same thing is replaced. */
  noteAutomation(entry: AutomationEntry): Result<null>;
  /** The entry for one thing; null when it was never done. */
  automation(kind: AutomationKind, key: string): Result<AutomationEntry | null>;
  /** The newest entries, without files that were there before. */
  automationLog(limit: number): Result<readonly AutomationEntry[]>;
  /** Audio that a job produced; null when there is none. */
  audio(id: string): Result<StoredAudio | null>;
  /** Newest first. */
  listAudio(): Result<readonly StoredAudio[]>;
  /** Changes the title; an unknown id changes nothing. */
  renameAudio(id: string, title: string): Result<null>;
  readonly conversations: ConversationStore;
  /** Stores an answer unchanged; returns the id of its row. */
  saveRawAnswer(answer: RawAnswer): Result<number>;
  /** The newest stored answer about a row's whole recording; null when there is none. */
  latestRawAnswer(jobId: string): Result<RawAnswer | null>;
  /** Answers about parts of its recording that were recognised again; newest first. */
  heardAgain(jobId: string): Result<readonly RawAnswer[]>;
  /** A complete transcript; null when there is none. */
  transcript(id: string): Result<StoredTranscript | null>;
  /**
   * Its first segments, with `letters` or somewhat more; null when that would be nearly all of them, or they are very
   * long.
   */
  transcriptStart(id: string, letters: number): Result<StoredTranscript | null>;
  /** The same without its words, which may be a hundred megabytes; null when there is none. */
  transcriptFacts(id: string): Result<TranscriptFacts | null>;
  /** The number of words of a text, without reading it; null when there is none. */
  wordCount(id: string): Result<number | null>;
  /**
   * Saves edits of the text at `baseRevision`, each with its inverse, all or none; returns the new revision. Null when
   * the text has another revision by now, or is gone: nothing was saved.
   */
  edit(id: string, baseRevision: number, edits: readonly StoredEdit[]): Result<number | null>;
  /**
   * Edits many transcripts at once, all or none; one that has another revision by now is skipped. Returns how many were
   * edited.
   */
  editAll(
    changes: readonly { readonly id: string; readonly baseRevision: number; readonly edits: readonly StoredEdit[] }[],
  ): Result<number>;
  /** Gives a revision a name, or removes the name; false when there is no such revision. */
  nameRevision(id: string, revision: number, name: string | null): Result<boolean>;
  /** Changes the title; an unknown id changes nothing. */
  renameTranscript(id: string, title: string): Result<null>;
  /** Changes the language of the text; an unknown id changes nothing. */
  setTranscriptLanguage(id: string, language: SpeechLanguage): Result<null>;
  /** The recorded path of every transcript's recording, and its content. */
  listMedia(): Result<readonly TranscriptMedia[]>;
  /** Gives a transcript another recording. With `unless-known`, a known path of this content stays. */
  attachMedia(
    id: string,
    path: string,
    content: Pick<FileIdentity, 'sha256' | 'sizeBytes'>,
    place?: 'new' | 'unless-known',
  ): Result<null>;
  /** Transcripts that were made from this recording, newest first, with what each of them plays now. */
  transcriptsMadeFrom(recording: { readonly sha256: string; readonly path: string }): Result<readonly MadeFrom[]>;
  /** The newest finished isolation of this content, with speech restored or not; null when there is none. */
  findVariant(sha256: string, restoresSpeech: boolean): Result<StoredJob | null>;
  /** The row that a transcript came from, when it plays other audio than that row sent; null otherwise. */
  replacedRecording(id: string): Result<StoredJob | null>;
  /** The speakers of every transcript, newest first. */
  listSpeakers(): Result<readonly SpeakerUse[]>;
  /**
   * Makes a transcript as long as its recording, in milliseconds, or as what is in it where that goes on longer; this is
   * no edit. An unknown id changes nothing.
   */
  setRecordingLength(id: string, recordingMs: number): Result<null>;
  /** Updates the path of a transcript's recording. */
  relocateMedia(id: string, path: string): Result<null>;
  /** The path of a transcript's recording when it was added; null when there is no such transcript. */
  recordingOf(id: string): Result<string | null>;
  /**
   * For each audio file in the library's own folder that a transcript plays: its name, and the path of its recording.
   */
  listPrepared(): Result<readonly { readonly preparedName: string; readonly recording: string }[]>;
  /** Newest first. */
  listTranscripts(): Result<readonly TranscriptLine[]>;
  /** The same as the library shows them. */
  listTranscriptItems(): Result<readonly LibraryItem[]>;
  /** Restores removed rows to the list, and returns those that exist. */
  showJobs(jobIds: readonly string[]): Result<readonly StoredJob[]>;
  /**
   * Deletes transcripts, produced audio or conversations with everything that led to them, and overwrites what is left
   * of them in the file.
   */
  eraseTranscripts(ids: readonly string[]): Result<ErasedRows>;
  close(): void;
}

/** The identity of a file's content at the time it was read. */
export interface FileIdentity {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** What the services need from the disk besides the library. Paths are absolute. */
export interface FilePort {
  /** E-010 when it can't be read, E-011 when it changed meanwhile; `code: 'cancelled'` after an abort. */
  hash(path: string, signal: AbortSignal): Promise<Result<FileIdentity, Failure>>;
  /** The first and last bytes (at most 32 KiB each) and the size; regular files only. */
  peek(
    path: string,
  ): Promise<Result<{ readonly head: Uint8Array; readonly tail: Uint8Array; readonly sizeBytes: number }, Failure>>;
  /** Whether anything is at the path now. */
  isThere(path: string): Promise<boolean>;
  /** Regular files under the paths, including those in folders; everything else with its reason. */
  walk(paths: readonly string[]): Promise<{
    readonly files: readonly { readonly path: string; readonly wasNamed: boolean }[];
    readonly refused: readonly { readonly path: string; readonly failure: Failure }[];
  }>;
  /** Writes the whole file or nothing: temp, fsync, rename, fsync of the folder. E-175, E-214. */
  writeWhole(path: string, text: string | Uint8Array): Promise<Result<null, Failure>>;
}
