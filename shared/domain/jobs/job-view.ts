import type { Failure } from '../../result/failure.ts';
import type { JobOptions } from './job-kind.ts';
import type { JobResult } from './job-state.ts';

/** What a person sees of one file on its way to text. */
export type JobViewState =
  /** `audioShare`: 0 to 1 of the audio is extracted from a video; absent while the file is only read. */
  | { readonly tag: 'preparing'; readonly audioShare?: number }
  /**
   * Place among those that wait for an upload, from 1; null far back, where no number is shown. `heldAtBytes` had left
   * when a pause of the whole queue stopped its upload, which begins anew when the queue goes on.
   */
  | { readonly tag: 'waiting'; readonly placeInLine: number | null; readonly heldAtBytes?: number }
  | { readonly tag: 'uploading'; readonly sentBytes: number; readonly totalBytes: number; readonly sinceMs: number }
  | { readonly tag: 'queued-at-service'; readonly sinceMs: number }
  | { readonly tag: 'processing'; readonly sinceMs: number; readonly rawStatus: string | null }
  | { readonly tag: 'retrying'; readonly untilMs: number; readonly failure: Failure }
  /** Stopped until something outside the item changes: the network, the key, the credits, the disk. */
  | {
      readonly tag: 'blocked';
      readonly by: 'offline' | 'key' | 'credits' | 'permission' | 'disk' | 'service';
      readonly failure: Failure;
    }
  /** A person lets it wait; `sentBytes` of `totalBytes` had left when its upload was stopped. */
  | { readonly tag: 'paused'; readonly sentBytes: number; readonly totalBytes: number }
  /** Only a person can say how to go on: file changed, job lost by the service, duplicate content. */
  | { readonly tag: 'needs-user'; readonly failure: Failure }
  | ({ readonly tag: 'done'; readonly finishedAtMs: number } & JobResult)
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasRawAnswer: boolean }
  | { readonly tag: 'cancelled'; readonly isAcceptedByService: boolean };

/** What is known of a row whatever it is doing. Times are Unix milliseconds, lengths milliseconds. */
interface JobBase {
  readonly id: string;
  /** Grows with every change of the whole queue. */
  readonly seq: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly addedAtMs: number;
  /** Order among those that are not finished: smaller goes first. Not a count; may be fractional. */
  readonly rank: number;
}

/** A row of the queue with what was asked for, by kind. */
export type JobRow = JobBase & JobOptions;

/** A row of the queue as a person sees it; replaced whole by the snapshot with the higher `seq`. */
export type JobView = JobRow & { readonly state: JobViewState };
