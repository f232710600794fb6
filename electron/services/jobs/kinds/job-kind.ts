import type { UploadSource } from '../../../service/upload.ts';
import type {
  AnswerFacts,
  JobResult,
  PreparedUpload,
  JobOptions,
  JobKindName,
} from '../../../../shared/domain/jobs/job-state.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { Result } from '../../../../shared/result/result.ts';

import type { QueueDeps } from '../ports.ts';
import type { JobOutput, StoredJob } from '../../library/store.ts';
import type { PrepareOptions } from '../../media/audio-extractor.ts';

export type JobOf<K extends JobKindName> = Extract<StoredJob, { readonly kind: K }>;

export interface Sendable<K extends JobKindName> {
  readonly job: JobOf<K>;
  readonly intent: PreparedUpload;
}

export interface CheckedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface RemoteItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly createdAt: string | null;
  /** Null where the service does not say. */
  readonly language: string | null;
}

export interface SavedAnswer {
  readonly facts: AnswerFacts;
  readonly output: JobOutput | null;
  readonly failure?: Failure;
}

export interface SavedResult {
  readonly result: JobResult;
  readonly output: JobOutput;
}

/** `send` makes one attempt under the key; writes may be repeated, the service is asked once. */
export interface JobKind<K extends JobKindName, Answer> {
  readonly name: K;
  /** Refuses files that the service would refuse, before anything is sent. */
  check(options: Extract<JobOptions, { readonly kind: K }>, file: CheckedFile): Failure | null;
  prepareOptions(options: Extract<JobOptions, { readonly kind: K }>): PrepareOptions;
  /** The user confirms before silence, or noise without a voice, is paid for. */
  readonly confirmsWithoutVoice: boolean;
  /** Otherwise nothing is sent again after a lost answer: the list is searched, or job-not-found. */
  isRepeatable(job: JobOf<K>): boolean;
  send(
    ports: QueueDeps,
    sendable: Sendable<K>,
    source: UploadSource,
    signal: AbortSignal,
    onProgress: (sentBytes: number, totalBytes: number) => void,
  ): Promise<Result<Answer>>;
  poll(ports: QueueDeps, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Answer>>;
  save(ports: QueueDeps, job: JobOf<K>, answer: Answer, source: 'submit' | 'read'): Result<SavedAnswer>;
  fetchResult(
    ports: QueueDeps,
    job: JobOf<K>,
    remoteId: string,
    signal: AbortSignal,
  ): Promise<Result<(() => Result<SavedResult | Failure>) | null>>;
  list(ports: QueueDeps, job: JobOf<K>, signal: AbortSignal): Promise<Result<readonly RemoteItem[]>>;
  /** Makes the result of an earlier job with the same work the output of this job; null when there is none yet. */
  copy(ports: QueueDeps, job: JobOf<K>, sha256: string): Result<SavedResult | null>;
}

export type AnyJobKind = JobKind<JobOptions['kind'], unknown>;
