import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { JobsChange } from '../services/jobs/job-service.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import type { Workspace } from './workspace.ts';

export interface WorkspaceSwitchOptions {
  /** Opens the workspace of one mode; the other one is closed at that point. */
  readonly open: (mode: ModeId) => Promise<Result<Workspace>>;
  /** Changes of whichever queue is open. */
  readonly onJobsChanged: (change: JobsChange) => void;
  /** Opening a workspace threw, which is a bug. */
  readonly onBug: (thrown: unknown) => void;
}

interface OpenWorkspace {
  readonly mode: ModeId;
  readonly workspace: Workspace;
  readonly release: () => void;
}

/**
 * Holds the one open workspace. No two modes share a library (S-55), so changing the mode closes one and opens another.
 */
export function createWorkspaceSwitch({ open, onJobsChanged, onBug }: WorkspaceSwitchOptions) {
  let current: OpenWorkspace | null = null;
  let lastFailure = makeFailure('E-236');
  let lastUse: Promise<unknown> = Promise.resolve();

  const list = (): Omit<JobsChange, 'removedIds'> => current?.workspace.jobs.list() ?? { jobs: [], queue: noQueue };
  const emitWhole = (removedIds: readonly string[]) => onJobsChanged({ ...list(), removedIds, isWhole: true });

  const close = async (): Promise<readonly string[]> => {
    const last = current;
    current = null;
    lastFailure = makeFailure('E-236');
    if (last === null) return [];
    const closedIds = last.workspace.jobs.list().jobs.map((job) => job.id);
    last.release();
    await last.workspace.jobs.stop();
    await last.workspace.close();
    return closedIds;
  };

  const use = async (mode: ModeId): Promise<Result<Workspace>> => {
    if (current?.mode === mode) return ok(current.workspace);
    const removedIds = await close();
    const opened = await open(mode).catch((thrown: unknown) => {
      onBug(thrown);
      return err(makeFailure('E-230', { code: 'library_not_opened' }));
    });
    if (!opened.ok) {
      lastFailure = opened.error;
      emitWhole(removedIds);
      return opened;
    }
    const { jobs } = opened.value;
    // Its initial rows are read as a list, not published as if each had changed.
    current = { mode, workspace: opened.value, release: () => undefined };
    await jobs.start();
    const release = jobs.onChanged(onJobsChanged);
    current = { mode, workspace: opened.value, release };
    emitWhole(removedIds);
    return opened;
  };

  return {
    /** The open workspace, or the reason why there is none. */
    current: (): Result<Workspace> => (current === null ? err(lastFailure) : ok(current.workspace)),
    /** The rows of the open queue; none when no workspace is open. */
    list,
    /**
     * Like `current`, but waits for a change that is under way, so that an early request gets the workspace and no
     * refusal.
     */
    async opened(): Promise<Result<Workspace>> {
      await lastUse;
      return this.current();
    },
    /** Closes the other workspace first; its rows leave the list and those of the new one appear. */
    use(mode: ModeId): Promise<Result<Workspace>> {
      const used = lastUse.then(() => use(mode));
      lastUse = used.catch(() => undefined);
      return used;
    },
    /** Closes the open workspace, publishes that its rows are gone, and runs `work` before any other can be opened. */
    whileClosed<T>(work: () => Promise<T>): Promise<T> {
      const done = lastUse.then(async () => {
        const removedIds = await close();
        emitWhole(removedIds);
        return work();
      });
      lastUse = done.catch(() => undefined);
      return done;
    },
    close: async (): Promise<void> => void (await close()),
  };
}

export type WorkspaceSwitch = ReturnType<typeof createWorkspaceSwitch>;
