import type { Failure } from '../../../shared/result/failure.ts';
import { openLibraryFile } from '../../storage/open-library-file.ts';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';

export const restoringRole = { role: 'restoring' } as const;

/** The file of the library, and its owner's time (Unix milliseconds). */
export interface RestoringTask {
  readonly path: string;
  readonly nowMs: number;
}

export type RestoringOutcome =
  | { readonly kind: 'restored'; readonly notice: Failure | null }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'lost' };

/** Opens a library as its owner, with all checks and repairs, and leaves it closed and intact. */
export function restoreTask({ path, nowMs }: RestoringTask, onShare: (share: number) => void): RestoringOutcome {
  const opened = openLibraryFile(path, nowMs, { copiesDaily: false, onShare });
  if (!opened.ok) return { kind: 'refused', failure: opened.error };
  opened.value.close();
  return { kind: 'restored', notice: opened.value.notice };
}

const task = z.object({ path: z.string(), nowMs: z.number() });

if (!isMainThread && isInRole(restoringRole.role)) {
  serveThread((message, sign) =>
    Promise.try(() => restoreTask(task.parse(message), sign)).catch((): RestoringOutcome => ({ kind: 'lost' })),
  );
}
