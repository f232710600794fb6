import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { QueueView } from '../../shared/domain/jobs/queue-view.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload } from '../../shared/ipc/derive.ts';

interface QueuePart {
  /** Another workspace is open: renderers read the whole list, and the rows here are not sent. */
  readonly isWhole: boolean;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/**
 * Publishes the parts of the queue's change feed, numbered without a gap over all workspaces, so that a renderer knows
 * when it has missed one.
 */
export function createJobChangePublisher(send: (part: EventPayload<Contract, 'jobs.changed'>) => void) {
  let number = 0;
  return {
    publish({ isWhole, jobs, removedIds, queue }: QueuePart): void {
      number += 1;
      const rows = isWhole ? { jobs: [], removedIds: [] } : { jobs: [...jobs], removedIds: [...removedIds] };
      send({ number, isWhole, ...rows, queue });
    },
    /** The number of the last part. A list that is read now holds all that was published up to it. */
    lastNumber: (): number => number,
  };
}
