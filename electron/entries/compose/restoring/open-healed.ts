import { err, ok, type Result } from '../../../../shared/result/result.ts';
import { openLibraryFile, type LibraryFile } from '../../../platform/node/open-library-file.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { restoringRole, type RestoringOutcome, type RestoringTask } from './restoring-work.ts';

/** It says how far it is; only the end, where files are made durable, takes long without a word. */
const silenceLimitMs = 120_000;

/**
 * As `openLibraryFile`, but a damaged library is restored in a thread: of thousands of rows and texts that takes
 * seconds, and the window is there already. `workerUrl`: a module that serves `restoringRole`.
 */
export async function openHealed(
  workerUrl: URL,
  path: string,
  nowMs: number,
  onShare: (share: number) => void = () => undefined,
): Promise<Result<LibraryFile>> {
  const first = openLibraryFile(path, nowMs, { heals: false });
  if (first.ok || first.error.row !== 'E-182') return first;
  onShare(0);
  const outcome = await inThread(workerUrl, { path, nowMs }, onShare);
  if (outcome.kind === 'refused') return err(outcome.failure);
  // A thread that went down has changed nothing that can't be begun anew, and without a library there is no work at all.
  const opened = openLibraryFile(path, nowMs, { heals: outcome.kind === 'lost', onShare });
  return opened.ok && outcome.kind === 'restored' ? ok({ ...opened.value, notice: outcome.notice }) : opened;
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
