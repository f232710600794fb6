import { createImportProgress } from '../../shell/import-progress.ts';
import { createJobChangePublisher } from '../../shell/job-change-publisher.ts';
import type { EventHub } from '../../ipc/events.ts';
import { systemClock } from '../../services/jobs/ports.ts';
import type { contract } from '../../../shared/ipc/contract.ts';

/** What pages are told of that comes in many pieces: rows that change, and files that are being added. */
export const createEventPublishers = (events: EventHub<typeof contract>) => ({
  jobs: createJobChangePublisher({
    send: (part) => events.emit('jobs.changed', part),
    after: (ms, callback) => systemClock.after(ms, callback),
  }),
  adding: createImportProgress(
    (progress) => events.emit('files.adding', progress),
    () => systemClock.monotonic(),
  ),
});
