import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { restoreTask, restoringRole, type RestoringOutcome } from './restoring-work.ts';

const task = z.object({ path: z.string(), nowMs: z.number() });

if (!isMainThread && isInRole(restoringRole.role)) {
  serveThread((message, sign) =>
    Promise.try(() => restoreTask(task.parse(message), sign)).catch((): RestoringOutcome => ({ kind: 'lost' })),
  );
}
