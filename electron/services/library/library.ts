import type { DeletionService } from '../transcripts/deletion.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';
import type { QueueView, RowAction } from '../../../shared/domain/jobs/queue-view.ts';
import type { SoundPlan } from '../../../shared/domain/media/sound-plan.ts';
import type { AutomationEntry, AutomationKind } from '../automation/automation-log.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { ServiceClient } from '../../api/service-client.ts';
import type { Ledger } from '../account/ledger.ts';

/** A recording that exists on this computer; paths stay in main. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds; null when the file does not say it cheaply. */
  readonly durationMs: number | null;
  /** Whether it is sent as it is, or its sound is taken out of it here first, as it is or encoded again. */
  readonly plan: SoundPlan['kind'];
}

/** A file that can't be taken, with the row that says why (E-211, E-010 and their relatives). */
export interface RefusedFile {
  readonly name: string;
  readonly failure: Failure;
}

/** Told of work on many files, which can be stopped between two of them. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

/** What is known of a recording before it is sent; `durationMs` is null when its header does not tell. */
export type FileSize = Pick<LocalFile, 'sizeBytes' | 'durationMs'>;

/** The same for what may be charged. */
export interface ChargedWatch extends ImportWatch {
  /**
   * Whether these may be added. Asked for a part at a time as files are looked into; false: not without a person. Then
   * the rest is looked into first, and with `isRest` the person is asked about all of it at once.
   */
  readonly admit: (files: readonly FileSize[], isRest: boolean) => Promise<boolean>;
}

export interface NewJob {
  readonly path: string;
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** For `attach`: what stopped because only a new charge may help is sent again under a new key. */
  readonly acceptsNewCharge?: boolean;
}

/** The job a file was joined to; `done` means its text is already here and nothing is sent. */
export type Attached =
  | { readonly jobId: string; readonly relation: 'new' | 'resumed' }
  | { readonly jobId: string; readonly relation: 'done'; readonly transcriptId: string };

/** A snapshot of rows that changed. `seq` grows with each change of the whole queue. */
export interface JobsChange {
  readonly seq: number;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/** What one wish for many rows led to. */
export interface ActedOn {
  readonly changedCount: number;
  /** Rows among them that the service has and may finish and charge all the same. */
  readonly acceptedCount: number;
}

/**
 * The queue as the window and the terminal use it. Adding commits intent to disk before anything is sent. Nothing
 * here throws for a reason outside the code; unknown ids answer with a failure.
 */
export interface JobService {
  /** Recovers what an earlier run left, then works until `stop`. */
  start(): Promise<void>;
  /** Ends work within three seconds; every state on disk stays true. */
  stop(): Promise<void>;
  /**
   * Looks into recordings and puts them at the end of the list, in parts that are durable when they are seen; they are
   * seen while others are still looked into. What was refused has its failure: E-010, E-211, the disk. What a stop or a
   * no leaves out is in neither list.
   */
  add(
    files: readonly NewJob[],
    watch?: ImportWatch | ChargedWatch,
  ): Promise<{ readonly jobIds: readonly string[]; readonly refused: readonly RefusedFile[] }>;
  /**
   * Joins the job of the same content and fields, or adds one: for the terminal, where giving a command again means
   * "go on". A job that stopped goes on by free steps only, unless `acceptsNewCharge`; nothing else may be charged
   * twice. The file is hashed before this answers.
   */
  attach(file: NewJob, signal: AbortSignal): Promise<Result<Attached, Failure>>;
  /** The rows as they are, with the number of the last change in them. */
  list(): Omit<JobsChange, 'removedIds'>;
  /** Every change since, by rising numbers; the answer ends it. */
  onChanged(listener: (change: JobsChange) => void): () => void;
  /** Tries an ended or stopped row again. A new key, which may be charged anew, only when `acceptsNewCharge`. */
  retry(jobId: string, acceptsNewCharge: boolean): Promise<Result<null, Failure>>;
  /** Ends a row; `isAcceptedByService`: it may still finish there and be charged. */
  cancel(jobId: string): Promise<Result<{ readonly isAcceptedByService: boolean }, Failure>>;
  /** Takes an ended row out of the list; its transcript stays. */
  remove(jobId: string): Promise<Result<null, Failure>>;
  /** Puts rows back that were removed, in parts; how many there were to put back. */
  bringBack(jobIds: readonly string[]): Promise<Result<number, Failure>>;
  /**
   * One wish for many rows, written in parts; never accepts a new charge. Rows it does not fit stay as they are. When the
   * disk refuses in the middle, the failure is told and what was written stays.
   */
  act(jobIds: readonly string[], action: RowAction): Promise<Result<ActedOn, Failure>>;
  /** Puts rows right before another one, behind all when `beforeId` is null. */
  move(jobIds: readonly string[], beforeId: string | null): Promise<Result<null, Failure>>;
  /** To the head of the line; a paused row goes on. */
  runNext(jobId: string): Promise<Result<null, Failure>>;
  /** Gives a row that asks about its earlier twin (E-212) a copy of that text; nothing is sent. */
  copyResult(jobId: string): Promise<Result<null, Failure>>;
  /** Says where the recording of a row is now, and goes on by free steps. */
  relocate(jobId: string, path: string): Promise<Result<null, Failure>>;
  /** Pauses everything that is not at the service yet, or lets it go on; kept over restarts. */
  hold(isHeld: boolean): Promise<Result<null, Failure>>;
  /** 1 to 8; uploads under way are never restarted by it. */
  setUploadsAtOnce(count: number): void;
  /** "I have added credits", "try now": lifts the stop of the queue and tries one item first. */
  resumeQueue(): Promise<void>;
  /** The network came or went, the key was replaced: blocked items look again. */
  noteConnectionChange(): void;
  /** This computer has these addresses now: connections from others are dead, and blocked items look again. */
  noteNetworkChange(addresses: ReadonlySet<string>): void;
  /** The computer woke up: connections from before are dead, and waits that ended in sleep end now. */
  noteWake(): void;
  /** Lengths in milliseconds of rows by the keys they were sent under, where they are known. */
  lengthsOf(keys: readonly string[]): ReadonlyMap<string, number>;
  /** The last answer of the service as it came, with a name for its file; a failure when none was kept. */
  rawAnswer(jobId: string): Promise<Result<{ readonly suggestedName: string; readonly text: string }, Failure>>;
}

/** A text without its words. */
export interface TranscriptRecord {
  readonly id: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly isPractice: boolean;
  /** Where the recording was when it was sent, and what it was. */
  readonly mediaPath: string;
  readonly mediaSha256: string;
}

/** The whole text with its times, milliseconds from the beginning of the recording. */
export interface OpenedTranscript extends TranscriptRecord {
  /** Without segments when there are `parts`. */
  readonly transcript: Transcript;
  /** The segments of a long text: `LeanSegment[]` as JSON in UTF-8, in order. Empty for a text that is whole. */
  readonly parts: readonly Uint8Array[];
}

export interface TranscriptService {
  /** E-040 when there is none; E-211 when it has more words than can be shown. */
  open(transcriptId: string): Promise<Result<OpenedTranscript, Failure>>;
  /** The same without reading a word of it. */
  find(transcriptId: string): Result<TranscriptRecord, Failure>;
  /** Changes the title here and, when the service can be reached, there; the local title never waits for it. */
  rename(transcriptId: string, title: string): Promise<Result<{ readonly title: string }, Failure>>;
  /** Whether the sound that was taken out of this recording was removed, and can be taken out of it again. */
  canTakeSoundAgain(transcriptId: string): Promise<boolean>;
  /** Takes it out again. E-010 when the recording is gone, E-011 when it is another one, E-180 on a full disk. */
  takeSoundAgain(transcriptId: string): Promise<Result<null, Failure>>;
  /** Says where the recording is now; refused when its content is another (E-011). */
  relocateMedia(transcriptId: string, path: string): Promise<Result<null, Failure>>;
}

export type ExportFormat = 'txt' | 'srt' | 'vtt' | 'json';

export interface ExportService {
  /** The exact bytes as text, and a file name that is legal everywhere. Without `script`: the letters it is stored in. */
  render(
    transcriptId: string,
    format: ExportFormat,
    script?: TranscriptScript,
  ): Promise<Result<{ readonly text: string; readonly suggestedName: string }, Failure>>;
  /** The first `characters` of that text, made without the rest, and whether there is more. */
  renderBeginning(
    transcriptId: string,
    format: ExportFormat,
    script: TranscriptScript,
    characters: number,
  ): Promise<Result<{ readonly text: string; readonly isCut: boolean }, Failure>>;
  /** The name for a file of it, without making the file. */
  nameFor(transcriptId: string, format: ExportFormat): Result<string, Failure>;
  /** Writes atomically; an existing file is replaced only as a whole. */
  save(
    transcriptId: string,
    format: ExportFormat,
    path: string,
    script?: TranscriptScript,
  ): Promise<Result<{ readonly path: string }, Failure>>;
}

/** Looks at paths before anything is added: walks folders (links to folders are not followed), sniffs at most 64 KiB. */
export interface FileInspector {
  /** Every recording found below the paths, in their order; what is none is told with its reason. */
  inspect(
    paths: readonly string[],
    watch?: ImportWatch,
  ): Promise<{ readonly files: readonly LocalFile[]; readonly refused: readonly RefusedFile[] }>;
  /** Every file found below the paths, in their order, without looking into any. */
  walk(paths: readonly string[]): Promise<{
    readonly files: readonly Pick<LocalFile, 'path' | 'name'>[];
    readonly refused: readonly RefusedFile[];
  }>;
}

/** What came back from a damaged file beside its copy, and what did not. */
export interface SalvagedCounts {
  /** Rows of the queue and texts that could be read in the damaged file, old ones too. */
  readonly readCount: number;
  /** Rows of the queue that the copy does not have, or has as they were before. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** Rows that may have been sent since the copy was made: none is sent again before the service or a person is asked. */
  readonly unsureCount: number;
  /** Texts that are lost here and are read from the service again. */
  readonly refetchCount: number;
  /** Rows that the damaged file speaks of and that are nowhere. */
  readonly lostJobCount: number;
}

/** What became of a damaged library (E-182). Times are Unix milliseconds. */
export interface RecoveryReport {
  readonly atMs: number;
  /** When the copy was made that serves now; null when there was none and an empty library serves. */
  readonly restoredFromMs: number | null;
  /** What came back. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** What the damaged file says it holds; null when it could not even be counted. */
  readonly damagedTranscriptCount: number | null;
  /** What was read out of the damaged file itself; null: an older version restored it from the copy alone. */
  readonly salvaged: SalvagedCounts | null;
}

/** The news that a library was restored, kept in it until a person has read it. */
export interface LibraryRecovery {
  /** Null when nothing happened, or it was read. */
  report(): RecoveryReport | null;
  /** Where the damaged file is kept; null when somebody took it away. For main only: it is a path. */
  damagedFile(): string | null;
  /** It was read. */
  acknowledge(): void;
}

/** One library: its database, queue and exports. The service and practice each have their own (S-55). */
export interface Library {
  readonly jobs: JobService;
  readonly transcripts: TranscriptService;
  readonly exports: ExportService;
  readonly files: FileInspector;
  readonly deletion: DeletionService;
  /** Sounds in the library's folder that have to stay, by name; null: all of them at this moment. */
  keptSounds(): Promise<Result<ReadonlySet<string> | null>>;
  /** What was done without a hand, kept so that each thing is done once. A disk that refuses is asked again later. */
  readonly automation: {
    find(kind: AutomationKind, key: string): AutomationEntry | null;
    note(entry: AutomationEntry): void;
    /** The newest first. */
    list(limit: number): readonly AutomationEntry[];
  };
  /** E-182 when a damaged library was put aside at start and what could be restored was; otherwise null. */
  readonly notice: Failure | null;
  readonly recovery: LibraryRecovery;
  /** What was paid for from this library's work and beside it; closed together with it. */
  readonly ledger: Ledger;
  /** Everything of the service that this library belongs to; the queue goes through it as well. */
  readonly client: ServiceClient;
  close(): Promise<void>;
}
