import type { JobsChange } from '../services/jobs/job-service.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventHub } from '../ipc/events.ts';

/**
 * Publishes the parts of the queue's change feed, numbered without a gap over all workspaces, so that a renderer knows
 * when it has missed one.
 */
export function createJobChangePublisher(events: EventHub<Contract>) {
  let number = 0;
  const followers = new Set<(change: JobsChange) => void>();
  return {
    publish(this: void, change: JobsChange): void {
      const { isWhole = false, jobs, removedIds, queue } = change;
      number += 1;
      // After a change of workspace, renderers read the whole list.
      const rows = isWhole ? { jobs: [], removedIds: [] } : { jobs: [...jobs], removedIds: [...removedIds] };
      events.emit('jobs.changed', { number, isWhole, ...rows, queue });
      for (const follow of followers) follow(change);
    },
    /** Subscribes main itself to the changes of whichever queue is open. */
    follow: (follower: (change: JobsChange) => void): void => void followers.add(follower),
    /** The number of the last part. A list read now contains everything published up to it. */
    lastNumber: (): number => number,
  };
}
