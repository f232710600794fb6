import type { Failure } from '../../result/failure.ts';
import type { JobOptions, JobRecord, JobState } from './job-state.ts';
import { noPace, type HeardView, type Pace } from './time-left.ts';

type StateOf<T extends JobState['tag']> = Extract<JobState, { readonly tag: T }>;

export type JobViewState =
  /** `audioShare`: the share of a video's audio that is extracted, 0 to 1; absent while the file is only read. */
  | { readonly tag: 'preparing'; readonly audioShare?: number }
  /** Position among those that wait for an upload, from 1; null far back, where no number is shown. */
  | { readonly tag: 'waiting'; readonly placeInQueue: number | null }
  | { readonly tag: 'uploading'; readonly sentBytes: number; readonly totalBytes: number; readonly sinceMs: number }
  | { readonly tag: 'queued-at-service'; readonly sinceMs: number }
  | {
      readonly tag: 'processing';
      readonly sinceMs: number;
      readonly rawStatus: string | null;
      readonly heard?: HeardView;
    }
  | { readonly tag: 'retrying'; readonly untilMs: number; readonly failure: Failure }
  /** Stopped until something outside the item changes: the network, the key, the credits, the disk. */
  | Omit<StateOf<'blocked'>, 'resume'>
  /** `isAwaitingAnswer`: it waits for the user without having been paused: a long recording, or the answer to a question. */
  | {
      readonly tag: 'paused';
      readonly sentBytes: number;
      readonly totalBytes: number;
      readonly isAwaitingAnswer?: boolean;
      /** The service or the key is another one than when it was ordered. */
      readonly isElsewhere?: boolean;
    }
  | StateOf<'needs-user' | 'done' | 'failed' | 'cancelled'>;

/** Facts about a row in any state. Times are Unix milliseconds, lengths milliseconds. */
interface JobBase {
  readonly id: string;
  readonly seq: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly addedAtMs: number;
  /** Order among unfinished rows: smaller goes first. Not a count; may be fractional. */
  readonly rank: number;
}

export type JobRow = JobBase & JobOptions;

export type JobView = JobRow & { readonly state: JobViewState };

export interface QueueView {
  readonly isHeld: boolean;
  /** 1 to 8. */
  readonly uploadsAtOnce: number;
  readonly pace: Pace;
}

export const noQueue: QueueView = { isHeld: false, uploadsAtOnce: 2, pace: noPace };

export const rowActions = ['pause', 'go-on', 'retry', 'cancel', 'undo-cancel', 'remove'] as const;
export type RowAction = (typeof rowActions)[number];

export type JobFacts = JobRow & { readonly memory: JobRecord };
