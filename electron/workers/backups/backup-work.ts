import { DatabaseSync } from 'node:sqlite';
import { backUp, isWhole } from '../../storage/library-backups.ts';
import { openingFailure } from '../../platform/node/storage-failure.ts';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';

export const backupRole = { role: 'copying' } as const;

/** The file of the library, and its owner's time (Unix milliseconds). */
export interface BackupTask {
  readonly path: string;
  readonly nowMs: number;
}

/** `failed`: the disk refused, or the thread ended; there is no backup today then, and nothing else has changed. */
export type BackupOutcome = { readonly kind: 'copied' | 'damaged' | 'failed' };

/** Checks a whole library while it is open elsewhere, and copies it when it is intact. */
export function runBackup({ path, nowMs }: BackupTask): BackupOutcome {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    // A damaged backup would displace a good one.
    if (!isWhole(database, true)) return { kind: 'damaged' };
    backUp(database, path, nowMs);
    return { kind: 'copied' };
  } catch (error) {
    return { kind: openingFailure(error).row === 'E-182' ? 'damaged' : 'failed' };
  } finally {
    database?.close();
  }
}

const task = z.object({ path: z.string(), nowMs: z.number() });

if (!isMainThread && isInRole(backupRole.role)) {
  serveThread((message) =>
    Promise.try(() => runBackup(task.parse(message))).catch((): BackupOutcome => ({ kind: 'failed' })),
  );
}
