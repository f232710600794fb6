import { err, ok, type Result } from '../../../shared/result/result.ts';
import { openLibraryFile, workLeft, type LibraryFile } from '../../storage/open-library-file.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { restoringRole, type RestoringOutcome, type RestoringTask } from './restoring-work.ts';

/** It reports its progress; only the end, where files are flushed, is silent for long. */
const silenceLimitMs = 120_000;

/**
 * Like `openLibraryFile`, but long work is done in a thread before the library is opened here: the check after a crash,
 * the migration, the restore of a damaged one. The window is open already; nothing is written before it is known that
 * nothing is damaged. `workerUrl`: a module that serves `restoringRole`.
 */
export async function openOrRestore(
  workerUrl: URL,
  path: string,
  nowMs: number,
  onShare: (share: number) => void = () => undefined,
): Promise<Result<LibraryFile>> {
  const first = openLibraryFile(path, nowMs, { isHasty: true, copiesDaily: false });
  if (first.ok || first.error.row !== 'E-182') return first;
  if (first.error.code !== workLeft) onShare(0);
  const outcome = await inThread(workerUrl, { path, nowMs }, onShare);
  if (outcome.kind === 'refused') return err(outcome.failure);
  const opened = openLibraryFile(path, nowMs, { isHasty: true, copiesDaily: false });
  if (opened.ok) return outcome.kind === 'restored' ? ok({ ...opened.value, notice: outcome.notice }) : opened;
  // A crashed thread has changed nothing that can't be started over, and without a library no work is possible.
  return opened.error.row === 'E-182' ? openLibraryFile(path, nowMs, { copiesDaily: false, onShare }) : opened;
}

async function inThread(
  workerUrl: URL,
  task: RestoringTask,
  onShare: (share: number) => void,
): Promise<RestoringOutcome> {
  const thread = new WorkThread<RestoringTask, RestoringOutcome>({
    workerUrl,
    workerData: restoringRole,
    silenceLimitMs,
    lost: () => ({ kind: 'lost' }),
  });
  try {
    return await thread.run(task, onShare);
  } finally {
    await thread.close();
  }
}
