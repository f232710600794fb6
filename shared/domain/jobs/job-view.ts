import type { Failure } from '../../result/failure.ts';
import type { HeardView } from './heard.ts';
import type { JobOptions } from './job-kind.ts';
import type { JobResult } from './job-state.ts';

/** The visible state of one file on its way to text. */
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
  | {
      readonly tag: 'blocked';
      readonly by: 'offline' | 'key' | 'credits' | 'permission' | 'disk' | 'service' | 'model';
      readonly failure: Failure;
    }
  /** Paused by the user; `sentBytes` of `totalBytes` had been sent when its upload was stopped. */
  | { readonly tag: 'paused'; readonly sentBytes: number; readonly totalBytes: number }
  /** Only the user can decide how to continue: file changed, job lost by the service, duplicate content. */
  | { readonly tag: 'needs-user'; readonly failure: Failure }
  | ({ readonly tag: 'done'; readonly finishedAtMs: number } & JobResult)
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasRawAnswer: boolean }
  | { readonly tag: 'cancelled'; readonly isAcceptedByService: boolean };

/** Facts about a row in any state. Times are Unix milliseconds, lengths milliseconds. */
interface JobBase {
  readonly id: string;
  /** Grows with every change of the whole queue. */
  readonly seq: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly addedAtMs: number;
  /** Order among unfinished rows: smaller goes first. Not a count; may be fractional. */
  readonly rank: number;
}

/** A row of the queue with its options, by kind. */
export type JobRow = JobBase & JobOptions;

/** A row of the queue as shown to the user; the snapshot with the higher `seq` replaces it as a whole. */
export type JobView = JobRow & { readonly state: JobViewState };
