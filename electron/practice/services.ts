import type { PermissionId } from './access/permissions.ts';
import type { ApiKeys } from './account/api-keys.ts';
import type { RequestLog } from './account/request-log.ts';
import type { Analyst } from './analysis/analyst.ts';
import type { Credits } from './billing/credits.ts';
import type { WorkQueue } from './queue/work-queue.ts';
import type { Transcriptions } from './state/transcriptions.ts';

export interface Limits {
  readonly maxBodyBytes: number;
  /** Sound up to this long is answered at once, longer sound is queued. */
  readonly shortAudioMs: number;
  /** For each key (service-api 8). */
  readonly requestsPerSecond: number;
}

/** What the handlers work with; made once at the start of the server. */
export interface Services {
  readonly transcriptions: Transcriptions;
  readonly keys: ApiKeys;
  readonly credits: Credits;
  readonly log: RequestLog;
  /** Permissions for which there is at least one route that works. */
  readonly offered: ReadonlySet<PermissionId>;
  /** Looks at what comes in. Has its own thread, so that a long recording in the queue delays no short one. */
  readonly admission: Analyst;
  readonly queue: WorkQueue;
  readonly uploadsDir: string;
  readonly limits: Limits;
  readonly now: () => number;
  /** Repeats of a key wait here for the first request with it. */
  readonly admissions: Map<string, Promise<unknown>>;
}
