import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { copyTask, copyingRole, type CopyingOutcome } from './copying-work.ts';

const task = z.object({ path: z.string(), nowMs: z.number() });

if (!isMainThread && isInRole(copyingRole.role)) {
  serveThread((message) =>
    Promise.try(() => copyTask(task.parse(message))).catch((): CopyingOutcome => ({ kind: 'failed' })),
  );
}
