import { createImportProgress } from '../../shell/import-progress.ts';
import { createJobChangePublisher } from '../../shell/job-change-publisher.ts';
import type { EventHub } from '../../ipc/events.ts';
import { systemClock } from '../../services/jobs/ports.ts';
import type { contract } from '../../../shared/ipc/contract.ts';

/** Publishes what comes in many parts: rows that change, and files that are being added. */
export const createEventPublishers = (events: EventHub<typeof contract>) => ({
  jobs: createJobChangePublisher((part) => events.emit('jobs.changed', part)),
  adding: createImportProgress(
    (progress) => events.emit('files.adding', progress),
    () => systemClock.monotonic(),
  ),
});
