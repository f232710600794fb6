import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { QueueView, RowAction } from '../../../shared/domain/jobs/queue-view.ts';
import type { JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import type { JobResult } from '../../../shared/domain/jobs/job-state.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { LegacyFacts } from '../../api/legacy/resources.ts';
import type { ImportWatch, LocalFile, RefusedFile } from '../library/file-inspector.ts';

/** The size of a recording before it is sent; `durationMs` is null when its header does not contain it. */
export type FileSize = Pick<LocalFile, 'sizeBytes' | 'durationMs'>;

/** The same for what may be charged. */
export interface ChargedWatch extends ImportWatch {
  /**
   * Whether these may be added. Called batch by batch while files are inspected; false: not without the user's consent.
   * Then the rest is inspected first, and `isRest` asks the user about all of it at once.
   */
  readonly admit: (files: readonly FileSize[], isRest: boolean) => Promise<boolean>;
}

export type NewJob = JobOptions & {
  readonly path: string;
  /** Its display name, when that differs from the file name. */
  readonly name?: string;
  /** For `attach`: a job that stopped because only a new charge may help is sent again under a new key. */
  readonly acceptsNewCharge?: boolean;
};

/** A file that a job in the list was made from already: same path, size and options, and that job did not fail. */
export interface RepeatedFile {
  readonly path: string;
  readonly name: string;
  readonly jobId: string;
}

export interface AddOptions {
  readonly skipsRepeats: boolean;
  /** Milliseconds of audio; absent: no job is paused. */
  readonly restsAboveMs?: number;
}

export interface AddedJobs {
  readonly jobIds: readonly string[];
  readonly refused: readonly RefusedFile[];
  readonly repeated: readonly RepeatedFile[];
}

/** The job that a file was joined to; `done` means that its result is here already and nothing is sent. */
export type Attached =
  | { readonly jobId: string; readonly relation: 'new' | 'resumed' }
  | { readonly jobId: string; readonly relation: 'done'; readonly result: JobResult };

/** Rows that changed, in their state when listeners are called, and those that left the list. */
export interface JobsChange {
  /** Another workspace was opened: these are all rows. */
  readonly isWhole?: true;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/** What one request for many rows led to. */
export interface ActedOn {
  readonly changedCount: number;
  /** How many of them the service has accepted and may still finish and charge. */
  readonly acceptedCount: number;
}

/**
 * The queue for the window and the terminal. Adding records the intent on disk before anything is sent. Outside reasons
 * never throw; unknown ids give a failure.
 */
export interface JobService {
  /** Recovers what an earlier run left, then works until `stop`. */
  start(): Promise<void>;
  /** Ends work within three seconds; every state on disk stays valid. */
  stop(): Promise<void>;
  /**
   * Inspects recordings and puts them at the end of the list, in batches that are durable before they are shown; they
   * are shown while others are still being inspected. Refused files have a failure: E-010, E-211, the disk. Files
   * skipped by a stop or by the user's no are in no list. With `skipsRepeats` a file that a job of the list was made
   * from is reported and not added. When all of them together are longer than `restsAboveMs`, they are added as paused
   * rows; then all are inspected before one is added.
   */
  add(files: readonly NewJob[], watch?: ImportWatch | ChargedWatch, options?: AddOptions): Promise<AddedJobs>;
  /**
   * Joins the job with the same content and fields, or adds one: for the terminal, where repeating a command means "go
   * on". A stopped job continues by free steps only, unless `acceptsNewCharge`; nothing else may be charged twice. The
   * file is hashed before this resolves.
   */
  attach(file: NewJob, signal: AbortSignal): Promise<Result<Attached, Failure>>;
  /** The rows as they are. */
  list(): Omit<JobsChange, 'removedIds'>;
  /** Every change since; the answer ends it. */
  onChanged(listener: (change: JobsChange) => void): () => void;
  /** Tries an ended or stopped row again. Only `acceptsNewCharge` allows a new key, which may be charged again. */
  retry(jobId: string, acceptsNewCharge: boolean): Promise<Result<null, Failure>>;
  /** Ends a row; `isAcceptedByService`: it may still be finished there and charged. */
  cancel(jobId: string): Promise<Result<{ readonly isAcceptedByService: boolean }, Failure>>;
  /** Removes an ended row from the list; its transcript stays. */
  remove(jobId: string): Promise<Result<null, Failure>>;
  /** Restores removed rows, in batches; returns how many there were. */
  bringBack(jobIds: readonly string[]): Promise<Result<number, Failure>>;
  /**
   * One request for many rows, written in batches; never accepts a new charge. Rows to which the action does not apply
   * stay as they are. When the disk refuses halfway, the failure is returned and what was written stays.
   */
  act(jobIds: readonly string[], action: RowAction): Promise<Result<ActedOn, Failure>>;
  /** Moves rows in front of another one, or to the end when `beforeId` is null. */
  move(jobIds: readonly string[], beforeId: string | null): Promise<Result<null, Failure>>;
  /** Moves a row to the front of the queue; a paused row continues. */
  runNext(jobId: string): Promise<Result<null, Failure>>;
  /** Changes the spoken language of a row of which nothing was sent yet; E-040 for any other. */
  changeLanguage(jobId: string, language: SpeechLanguage): Promise<Result<null, Failure>>;
  /** Gives a row that asks about its duplicate (E-212) a copy of that text; nothing is sent. */
  copyResult(jobId: string): Promise<Result<null, Failure>>;
  /** Updates the path of a row's recording, and continues by free steps. */
  relocate(jobId: string, path: string): Promise<Result<null, Failure>>;
  /** The last known path of a row's recording; E-040 for an unknown row. */
  pathOf(jobId: string): Result<string, Failure>;
  /** Pauses or resumes everything that is not at the service yet; kept across restarts. */
  hold(isHeld: boolean): Promise<Result<null, Failure>>;
  /** 1 to 8; uploads under way are never restarted. */
  setUploadsAtOnce(count: number): void;
  /** "I have added credits", "try now": unblocks the queue and tries one item first. */
  resumeQueue(): Promise<void>;
  /** The network came or went, or the key was replaced: blocked items are tried again. */
  noteConnectionChange(): void;
  /** The computer's addresses changed: connections from others are dead, and blocked items are tried again. */
  noteNetworkChange(addresses: ReadonlySet<string>): void;
  /** The computer woke up: earlier connections are dead, and waits that ended during sleep end now. */
  noteWake(): void;
  /** Lengths in milliseconds of rows by their idempotency keys, where known. */
  lengthsOf(keys: readonly string[]): ReadonlyMap<string, number>;
  /** The last answer of the service unchanged, with a file name; a failure when none was kept. */
  rawAnswer(jobId: string): Promise<Result<{ readonly suggestedName: string; readonly text: string }, Failure>>;
  /** What an answer of the legacy API tells beside the text. */
  legacyFacts(jobId: string): Promise<Result<LegacyFacts, Failure>>;
}
