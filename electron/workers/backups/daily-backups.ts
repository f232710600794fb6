import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { isBackupDue } from '../../storage/library-backups.ts';
import type { Clock } from '../../services/jobs/ports.ts';
import type { DailyCopies as DailyBackups } from '../../services/transcripts/deletion.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { backupRole, type BackupOutcome, type BackupTask } from './backup-work.ts';

/** A thread is silent while it copies; a library of some gigabytes takes a fraction of this. */
const silenceLimitMs = 30 * 60_000;
/** How often to check whether a day has passed since the newest backup. */
const lookEveryMs = 3_600_000;
/** How long closing waits for a backup that is being made. */
const patienceMs = 2_000;

export interface DailyBackupOptions {
  /** The file of the library, which is open while this runs. */
  readonly workerUrl: URL;
  /** The file of the library, which is open for as long as copies are kept. */
  readonly library: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The delay of the first check, milliseconds. */
  readonly firstAfterMs: number;
  /** The library has damage that nobody had noticed. */
  readonly onDamaged: () => void;
}

/** Backs up a library once a day while it is in use, in a thread. */
export function startDailyBackups(options: DailyBackupOptions): DailyBackups {
  const { workerUrl, library, clock, log } = options;
  let thread: WorkThread<BackupTask, BackupOutcome> | null = null;
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;
  let cancel = clock.after(options.firstAfterMs, look);

  function look(): void {
    last = copyWhenDue().finally(() => {
      if (!isClosed) cancel = clock.after(lookEveryMs, look);
    });
  }

  async function copyWhenDue(): Promise<void> {
    if (isClosed || !isBackupDue(library, clock.now())) return;
    const own = new WorkThread<BackupTask, BackupOutcome>({
      workerUrl,
      workerData: backupRole,
      silenceLimitMs,
      lost: () => ({ kind: 'failed' }),
    });
    thread = own;
    const { kind } = await own.run({ path: library, nowMs: clock.now() });
    thread = null;
    await own.close();
    if (isClosed && kind === 'failed') return;
    if (kind === 'damaged') options.onDamaged();
    log.write(
      kind === 'copied'
        ? { event: 'library-copied' }
        : { event: 'library-not-copied', level: 'warn', row: kind === 'damaged' ? 'E-182' : 'E-180' },
    );
  }

  return {
    settled: () => last,
    async close() {
      isClosed = true;
      cancel();
      const timer = setTimeout(() => void thread?.close(), patienceMs);
      await last;
      clearTimeout(timer);
    },
  };
}
