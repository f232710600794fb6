import type { JobOptions, JobKindName } from '../../../../shared/domain/jobs/job-kind.ts';
import type { AnswerFacts, Intent, JobResult } from '../../../../shared/domain/jobs/job-state.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { Result } from '../../../../shared/result/result.ts';
import type { UploadSource } from '../../../api/stt-api.ts';
import type { JobOutput, StoredJob } from '../../library/store.ts';
import type { PrepareOptions } from '../../media/audio-extractor.ts';
import type { QueuePorts } from '../ports.ts';

/** The row of a job of one kind. */
export type JobOf<K extends JobKindName> = Extract<StoredJob, { readonly kind: K }>;

/** A job with everything its request depends on: content, key, and the service's id where known. */
export interface Sendable<K extends JobKindName> {
  readonly job: JobOf<K>;
  readonly intent: Intent;
}

/** What would be sent. */
export interface CheckedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** Work as listed by the service, for finding what a lost answer led to. */
export interface RemoteItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly createdAt: string | null;
  /** Null where the service does not say. */
  readonly language: string | null;
}

/** The event that an answer becomes for the state machine, and what is stored with it. */
export interface SavedAnswer {
  readonly facts: AnswerFacts;
  readonly output: JobOutput | null;
  /** Set when the answer cannot be read, although the service has done the work. */
  readonly failure?: Failure;
}

/** A downloaded result, and what is stored with the event that records it. */
export interface SavedResult {
  readonly result: JobResult;
  readonly output: JobOutput;
}

/**
 * One kind of work. Order, gate, pacing, journal and recovery belong to the queue and are the same for all kinds. A
 * kind defines how its file is prepared, sent and polled for, and how its result is stored. `send` makes one attempt
 * under the key of the intent. The writes of `save`, and of the function that `fetch` returns, may be repeated when the
 * disk refuses: the service is not contacted twice.
 */
export interface JobKind<K extends JobKindName, Answer> {
  readonly name: K;
  /** Refuses files that the service would refuse, before anything is sent. */
  check(options: Extract<JobOptions, { readonly kind: K }>, file: CheckedFile): Failure | null;
  /** Which part of a recording is sent, and in which form, unless it is sent unchanged. */
  prepareOptions(options: Extract<JobOptions, { readonly kind: K }>): PrepareOptions;
  /** The user confirms before silence, or noise without a voice, is paid for. */
  readonly confirmsWithoutVoice: boolean;
  /**
   * Whether the service recognises a repeat by its key. Otherwise nothing is sent again after a lost answer: the
   * service's list is searched, and when the job is not in it the user is asked (E-041).
   */
  isRepeatable(job: JobOf<K>): boolean;
  send(
    ports: QueuePorts,
    sendable: Sendable<K>,
    source: UploadSource,
    signal: AbortSignal,
    onProgress: (sentBytes: number, totalBytes: number) => void,
  ): Promise<Result<Answer, Failure>>;
  poll(ports: QueuePorts, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Answer, Failure>>;
  save(ports: QueuePorts, job: JobOf<K>, answer: Answer, source: 'submit' | 'read'): Result<SavedAnswer>;
  /** Fetches a result that the answers do not contain. Null when the service has none. */
  fetchResult(
    ports: QueuePorts,
    job: JobOf<K>,
    remoteId: string,
    signal: AbortSignal,
  ): Promise<Result<(() => Result<SavedResult | Failure>) | null, Failure>>;
  /** The newest work of this kind at the service; free. */
  list(ports: QueuePorts, job: JobOf<K>, signal: AbortSignal): Promise<Result<readonly RemoteItem[], Failure>>;
  /** Makes the result of an earlier job with the same work the output of this job; null when there is none yet. */
  copy(ports: QueuePorts, job: JobOf<K>, sha256: string): Result<SavedResult | null, Failure>;
}

/** The same for a job whose kind is only known from its row. */
export type AnyJobKind = JobKind<JobOptions['kind'], unknown>;
