import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { runBackup, backupRole, type BackupOutcome } from './backup-work.ts';

const task = z.object({ path: z.string(), nowMs: z.number() });

if (!isMainThread && isInRole(backupRole.role)) {
  serveThread((message) =>
    Promise.try(() => runBackup(task.parse(message))).catch((): BackupOutcome => ({ kind: 'failed' })),
  );
}
