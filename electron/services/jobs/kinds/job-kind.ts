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

/** A job with the promise it is sent under: content, key and the service's id as far as it is known. */
export interface Sendable<K extends JobKindName> {
  readonly job: JobOf<K>;
  readonly intent: Intent;
}

/** Work as the service lists it, for finding what a lost answer led to. */
export interface RemoteItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly createdAt: string | null;
  /** Null where the service does not say. */
  readonly language: string | null;
}

/** What an answer means for the state machine, and what has to be stored with that event. */
export interface SavedAnswer {
  readonly facts: AnswerFacts;
  readonly output: JobOutput | null;
  /** Set when the answer cannot be read, although the service has done the work. */
  readonly failure?: Failure;
}

/** A result that is on this computer, and what has to be stored with the event that says so. */
export interface SavedResult {
  readonly result: JobResult;
  readonly output: JobOutput;
}

/**
 * One kind of work. Order, gate, pacing, journal and recovery are the queue's and the same for all kinds. A kind says
 * how its bytes are made ready, sent and asked for, and how its result is kept. `send` makes one attempt under the key
 * of the intent. What `save` and the function that `fetch` gives write down may be called again when the disk refuses:
 * nothing is asked of the service twice.
 */
export interface JobKind<K extends JobKindName, Answer> {
  readonly name: K;
  /** Refuses files that the service would refuse, before anything is sent. */
  check(sizeBytes: number): Failure | null;
  /** What of a recording is sent, and how, where it is not sent as it is. */
  prepareOptions(options: Extract<JobOptions, { readonly kind: K }>): PrepareOptions;
  send(
    ports: QueuePorts,
    sendable: Sendable<K>,
    source: UploadSource,
    signal: AbortSignal,
    onProgress: (sentBytes: number, totalBytes: number) => void,
  ): Promise<Result<Answer, Failure>>;
  poll(ports: QueuePorts, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Answer, Failure>>;
  save(ports: QueuePorts, job: JobOf<K>, answer: Answer, source: 'submit' | 'read'): Result<SavedAnswer>;
  /** Gets a result that the answers do not hold. Null when the service has none to give. */
  fetchResult(
    ports: QueuePorts,
    job: JobOf<K>,
    remoteId: string,
    signal: AbortSignal,
  ): Promise<Result<(() => Result<SavedResult | Failure>) | null, Failure>>;
  /** The newest work of this kind at the service; free. */
  list(ports: QueuePorts, signal: AbortSignal): Promise<Result<readonly RemoteItem[], Failure>>;
  /** What an earlier job of the same work produced, as the output of this job; null when nothing is there yet. */
  copy(ports: QueuePorts, job: JobOf<K>, sha256: string): Result<SavedResult | null, Failure>;
}

/** The same for a job whose kind only its row tells. */
export type AnyJobKind = JobKind<JobOptions['kind'], unknown>;
