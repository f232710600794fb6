import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import type { JobFacts } from '../../../shared/domain/jobs/to-view.ts';
import type { MediaFormat } from '../../../shared/domain/media/sniff.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
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
  /** How many edits were saved; 0 while the text is what the service gave. */
  readonly revision: number;
  readonly transcript: Transcript;
}

/** What belongs to a transcript, without its words. */
export type TranscriptFacts = Omit<StoredTranscript, 'transcript'>;

/** Who speaks in a transcript, and the revision that this is of. */
export interface SpeakerUse {
  readonly transcriptId: string;
  readonly revision: number;
  readonly speakers: readonly Speaker[];
}

/** One saved edit of a transcript. */
export interface StoredEdit {
  readonly atMs: number;
  /** What was done, in the interface's own terms ("type", "split"). */
  readonly label: string;
  readonly change: Change;
}

/** The words of a transcript as they go to the disk. */
export interface WrittenText {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: readonly Speaker[];
  readonly wordCount: number;
  /** The `LeanTranscript` as JSON: text, or its UTF-8 as a thread hands it over. */
  readonly body: string | Uint8Array;
}

/** A transcript that is not stored yet. */
export type NewTranscript = Omit<TranscriptFacts, 'revision'> & { readonly written: WrittenText };

/** Audio that a job produced; its file lies in the library's folder. */
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
  /** What it cost, as a decimal number; null when the service did not say. */
  readonly credits: string | null;
}

/** What a job produced, as it becomes durable with the event that ends the job. */
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

/** What the journal holds: what happened to a job, or that it was taken up after a restart. */
export type JournalEvent = JobEvent | { readonly type: 'recovered' };

/** One row's change with the event that led to it, and what the job produced. */
export interface StoredChange {
  readonly job: StoredJob;
  readonly event: JournalEvent;
  readonly atMs: number;
  readonly output: JobOutput | null;
}

export type LibraryNote = 'queue' | 'pace' | 'deleted' | 'folders' | 'speaker-book' | 'deleted-at-service' | 'synced';

/** A transcript without its words. */
export interface TranscriptLine {
  readonly id: string;
  readonly jobId: string;
  readonly title: string;
  readonly sourceName: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly remoteId: string | null;
  readonly wordCount: number;
}

/** The recording of a transcript as the library knows it. */
export interface TranscriptMedia {
  readonly transcriptId: string;
  /** Of the recording, as it came. */
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A transcript and the content hash of what it plays. */
export interface MadeFrom {
  readonly transcriptId: string;
  readonly title: string;
  readonly mediaSha256: string;
}

/** What went with transcripts that were erased. */
export interface ErasedRows {
  readonly jobIds: readonly string[];
  /** Of conversations and spoken texts: those asked for, and conversations about nothing but an erased transcript. */
  readonly otherIds: readonly string[];
  /** Hashes of recordings that nothing refers to any more. */
  readonly unusedContents: readonly string[];
}

/**
 * The library on disk. Each write is one transaction that is durable when the call returns; a write that fails
 * (E-180, E-181, E-182, E-185) has changed nothing. Nothing throws for a reason the disk can give.
 */
export interface LibraryStore {
  /** The rows still in the list, oldest first. A row that can't be read comes back as failed. */
  loadJobs(): Result<readonly StoredJob[]>;
  /** One row, in the list or hidden; null when there is none or it can't be read. */
  job(id: string): Result<StoredJob | null>;
  /** All of them or none. */
  addJobs(jobs: readonly StoredJob[]): Result<null>;
  /** Appends the event and stores the job (and what it produced) together. */
  commit(job: StoredJob, event: JournalEvent, atMs: number, output: JobOutput | null): Result<null>;
  /** The same for many rows, as one transaction. */
  commitAll(changes: readonly StoredChange[]): Result<null>;
  /** Stores the place of rows in the order of the queue. */
  saveRanks(ranks: readonly { readonly id: string; readonly rank: number }[]): Result<null>;
  /** Small things that belong to a library and to no row: whether its queue is paused, what it learned of time. */
  note(name: LibraryNote): Result<string | null>;
  /** Replaces what was noted under the name. */
  saveNote(name: LibraryNote, value: string): Result<null>;
  /** Takes ended rows out of the list; what they led to stays. */
  hideJobs(jobIds: readonly string[]): Result<null>;
  /** Rows of one kind that were taken out of the list, the newest first; 500 at most. */
  hiddenJobs(kind: StoredJob['kind']): Result<readonly StoredJob[]>;
  /** Says where the recording of a row is now. */
  movePath(jobId: string, path: string): Result<null>;
  /** Every row, hidden ones too, that holds this content with these fields; newest first. */
  findSame(same: SameContent): Result<readonly StoredJob[]>;
  /** The newest of them that is done or on its way, however many there are; null when there is none but this one. */
  findTwin(same: SameContent, exceptJobId: string): Result<StoredJob | null>;
  /** The id of the newest text of this content with these fields, however many rows there are; null when there is none. */
  findText(same: SameContent, exceptJobId: string): Result<string | null>;
  /** Ids of the service that already belong to a row. */
  isRemoteIdTaken(remoteId: string, exceptJobId: string): boolean;
  /** One line of what was done without a hand; the same thing again replaces it. */
  noteAutomation(entry: AutomationEntry): Result<null>;
  /** The line of one thing; null when it was never done. */
  automation(kind: AutomationKind, key: string): Result<AutomationEntry | null>;
  /** The newest lines, without what was there before. */
  automationLog(limit: number): Result<readonly AutomationEntry[]>;
  /** Audio that a job produced; null when there is none. */
  audio(id: string): Result<StoredAudio | null>;
  /** Newest first. */
  listAudio(): Result<readonly StoredAudio[]>;
  /** Changes the title; an id that is not there changes nothing. */
  renameAudio(id: string, title: string): Result<null>;
  readonly conversations: ConversationStore;
  /** Keeps an answer as it came; gives the number of its line. */
  saveRawAnswer(answer: RawAnswer): Result<number>;
  /** The newest about a whole recording that was kept for a row; null when none was. */
  latestRawAnswer(jobId: string): Result<RawAnswer | null>;
  /** Answers about parts of its recording that were listened to again; newest first. */
  heardAgain(jobId: string): Result<readonly RawAnswer[]>;
  /** A text with all that belongs to it; null when there is none. */
  transcript(id: string): Result<StoredTranscript | null>;
  /** Its first segments, of `letters` or some more; null when they would have to be nearly all, or very long ones. */
  transcriptStart(id: string, letters: number): Result<StoredTranscript | null>;
  /** The same without its words, which may be a hundred megabytes; null when there is none. */
  transcriptFacts(id: string): Result<TranscriptFacts | null>;
  /** How many words a text has, told without reading it; null when there is none. */
  wordCount(id: string): Result<number | null>;
  /**
   * Saves edits of the text that was read as `baseRevision`, each with its inverse, all or none; the new revision. Null
   * when the text is not at that revision any more, or is gone: nothing was saved.
   */
  edit(id: string, baseRevision: number, edits: readonly StoredEdit[]): Result<number | null>;
  /** Edits of many transcripts at once, all or none; one that is not at its revision any more is passed over. How many. */
  editAll(
    changes: readonly { readonly id: string; readonly baseRevision: number; readonly edits: readonly StoredEdit[] }[],
  ): Result<number>;
  /** Names the text as it was at a revision, or takes the name away; false when there is no such revision. */
  nameRevision(id: string, revision: number, name: string | null): Result<boolean>;
  /** Changes the title; an id that is not there changes nothing. */
  renameTranscript(id: string, title: string): Result<null>;
  /** What the text of a transcript is written in; the same. */
  setTranscriptLanguage(id: string, language: SpeechLanguage): Result<null>;
  /** Where the recording of every transcript is said to be, and what it is. */
  listMedia(): Result<readonly TranscriptMedia[]>;
  /** Gives a transcript another recording. With `unless-known` a place that is known of this content stays. */
  attachMedia(
    id: string,
    path: string,
    content: Pick<FileIdentity, 'sha256' | 'sizeBytes'>,
    place?: 'new' | 'unless-known',
  ): Result<null>;
  /** Transcripts that were made from this recording, newest first, with what each of them plays now. */
  transcriptsMadeFrom(recording: { readonly sha256: string; readonly path: string }): Result<readonly MadeFrom[]>;
  /** The newest isolation of this content that is done, with speech restored or not; null when there is none. */
  findVariant(sha256: string, restoresSpeech: boolean): Result<StoredJob | null>;
  /** The row that a transcript came from when it plays other audio than that row sent; null otherwise. */
  replacedRecording(id: string): Result<StoredJob | null>;
  /** Who speaks in every transcript, the newest first. */
  listSpeakers(): Result<readonly SpeakerUse[]>;
  /** Says where the recording of a transcript is now. */
  relocateMedia(id: string, path: string): Result<null>;
  /** Where the recording of a transcript was when it was added; null when there is no such transcript. */
  recordingOf(id: string): Result<string | null>;
  /** For each sound in the library's own folder that a transcript plays: its name, and where its recording was. */
  listPrepared(): Result<readonly { readonly preparedName: string; readonly recording: string }[]>;
  /** Newest first. */
  listTranscripts(): Result<readonly TranscriptLine[]>;
  /** The same as the library shows them. */
  listTranscriptItems(): Result<readonly LibraryItem[]>;
  /** Puts rows that were taken out of the list back into it, and gives those that there are. */
  showJobs(jobIds: readonly string[]): Result<readonly StoredJob[]>;
  /** Takes transcripts, produced audio or conversations, and all that led to them, out of the file, and writes over what is left of them there. */
  eraseTranscripts(ids: readonly string[]): Result<ErasedRows>;
  close(): void;
}

/** The content of a file as it was while it was read. */
export interface FileIdentity {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** What the services need of the disk besides the library. Paths are absolute. */
export interface FilePort {
  /** E-010 when it can't be read, E-011 when it changed meanwhile; `code: 'cancelled'` after an abort. */
  hash(path: string, signal: AbortSignal): Promise<Result<FileIdentity, Failure>>;
  /** The first and last bytes (at most 32 KiB each) and the size; regular files only. */
  peek(
    path: string,
  ): Promise<Result<{ readonly head: Uint8Array; readonly tail: Uint8Array; readonly sizeBytes: number }, Failure>>;
  /** Whether anything is at the path now. */
  isThere(path: string): Promise<boolean>;
  /** Regular files under the paths, folders walked; everything else with its reason. */
  walk(paths: readonly string[]): Promise<{
    readonly files: readonly { readonly path: string; readonly wasNamed: boolean }[];
    readonly refused: readonly { readonly path: string; readonly failure: Failure }[];
  }>;
  /** The whole file or nothing: temp, fsync, rename, fsync of the folder. E-175, E-214. */
  writeWhole(path: string, text: string | Uint8Array): Promise<Result<null, Failure>>;
}
