import type { NewJob } from './job-service.ts';
import type { StoredJob } from '../library/store.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { InspectedFile } from './inspect-file.ts';
import type { QueuePorts } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';

/** What the use cases of the queue share: its ports, the runner and the feed of changed rows. */
export interface QueueContext {
  readonly ports: QueuePorts;
  readonly runner: QueueRunner;
  readonly feed: ChangeFeed;
  /** A row at the end of the list, not stored yet. */
  readonly newJob: (file: InspectedFile, request: NewJob) => StoredJob;
}
