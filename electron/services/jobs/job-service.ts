import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { QueueView, RowAction } from '../../../shared/domain/jobs/queue-view.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import type { JobResult } from '../../../shared/domain/jobs/job-state.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ImportWatch, LocalFile, RefusedFile } from '../library/file-inspector.ts';

/** What is known of a recording before it is sent; `durationMs` is null when its header does not say. */
export type FileSize = Pick<LocalFile, 'sizeBytes' | 'durationMs'>;

/** The same for what may be charged. */
export interface ChargedWatch extends ImportWatch {
  /**
   * Whether these may be added. Asked for a part at a time as files are looked into; false: not without a person. Then
   * the rest is looked into first, and with `isRest` the person is asked about all of it at once.
   */
  readonly admit: (files: readonly FileSize[], isRest: boolean) => Promise<boolean>;
}

export type NewJob = JobOptions & {
  readonly path: string;
  /** How it is called, where its file is named otherwise. */
  readonly name?: string;
  /** For `attach`: what stopped because only a new charge may help is sent again under a new key. */
  readonly acceptsNewCharge?: boolean;
};

/**
 * A file that a job in the list was made of already: same place, size and options, and that job did not come to
 * nothing.
 */
export interface RepeatedFile {
  readonly path: string;
  readonly name: string;
  readonly jobId: string;
}

export interface AddOptions {
  readonly skipsRepeats: boolean;
  /** Milliseconds of sound; absent: none rests. */
  readonly restsAboveMs?: number;
}

export interface AddedJobs {
  readonly jobIds: readonly string[];
  readonly refused: readonly RefusedFile[];
  readonly repeated: readonly RepeatedFile[];
}

/** The job a file was joined to; `done` means its result is already here and nothing is sent. */
export type Attached =
  | { readonly jobId: string; readonly relation: 'new' | 'resumed' }
  | { readonly jobId: string; readonly relation: 'done'; readonly result: JobResult };

/** Rows that changed, as they are when listeners hear of it, and those that left the list. */
export interface JobsChange {
  /** Another workspace is open: the rows are all that there are now. */
  readonly isWhole?: true;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/** What one request for many rows led to. */
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
   * no leaves out is in no list. With `skipsRepeats` a file that a job of the list was made of is reported and not
   * added. When all of them together are longer than `restsAboveMs`, they rest as paused rows until a person lets them
   * go on; then all are looked into before one is added.
   */
  add(files: readonly NewJob[], watch?: ImportWatch | ChargedWatch, options?: AddOptions): Promise<AddedJobs>;
  /**
   * Joins the job of the same content and fields, or adds one: for the terminal, where giving a command again means
   * "go on". A job that stopped goes on by free steps only, unless `acceptsNewCharge`; nothing else may be charged
   * twice. The file is hashed before this answers.
   */
  attach(file: NewJob, signal: AbortSignal): Promise<Result<Attached, Failure>>;
  /** The rows as they are. */
  list(): Omit<JobsChange, 'removedIds'>;
  /** Every change since; the answer ends it. */
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
   * One request for many rows, written in parts; never accepts a new charge. Rows it does not fit stay as they are.
   * When the disk refuses in the middle, the failure is reported and what was written stays.
   */
  act(jobIds: readonly string[], action: RowAction): Promise<Result<ActedOn, Failure>>;
  /** Puts rows right before another one, behind all when `beforeId` is null. */
  move(jobIds: readonly string[], beforeId: string | null): Promise<Result<null, Failure>>;
  /** To the front of the queue; a paused row goes on. */
  runNext(jobId: string): Promise<Result<null, Failure>>;
  /** The spoken language of a row of which nothing was sent yet; E-040 for any other. */
  changeLanguage(jobId: string, language: SpeechLanguage): Promise<Result<null, Failure>>;
  /** Gives a row that asks about its earlier twin (E-212) a copy of that text; nothing is sent. */
  copyResult(jobId: string): Promise<Result<null, Failure>>;
  /** Says where the recording of a row is now, and goes on by free steps. */
  relocate(jobId: string, path: string): Promise<Result<null, Failure>>;
  /** Where the recording of a row was last; E-040 for an unknown row. */
  pathOf(jobId: string): Result<string, Failure>;
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
