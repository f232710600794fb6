import type { Transcriptions } from './state/transcriptions.ts';
import type { Analyst } from './analysis/analyst.ts';
import type { WorkQueue } from './queue/work-queue.ts';

export interface Limits {
  readonly maxBodyBytes: number;
  /** Sound up to this long is answered at once, longer sound is queued. */
  readonly shortAudioMs: number;
}

/** What the handlers work with; made once at the start of the server. */
export interface Services {
  readonly transcriptions: Transcriptions;
  /** Looks at what comes in. Has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: Analyst;
  readonly queue: WorkQueue;
  readonly uploadsDir: string;
  readonly limits: Limits;
  readonly now: () => number;
  /** Repeats of a key wait here for the first request with it. */
  readonly admissions: Map<string, Promise<unknown>>;
}
