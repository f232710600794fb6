import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue } from '../../shared/domain/jobs/job-view.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { JobsChange } from '../queue/queue.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import type { Workspace } from './open-workspace.ts';

/** No two modes share a library (S-55), so changing the mode closes one and opens another. */
export function createWorkspaceSwitch({
  open,
  onJobsChanged,
  onBug,
}: {
  readonly open: (mode: ModeId) => Promise<Result<Workspace>>;
  readonly onJobsChanged: (change: JobsChange) => void;
  readonly onBug: (thrown: unknown) => void;
}) {
  let current: { mode: ModeId; workspace: Workspace; release: () => void } | null = null;
  let lastFailure = makeFailure('nothing-open');
  let lastUse: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = lastUse.then(work);
    lastUse = done.catch(() => undefined);
    return done;
  };

  const list = (): Omit<JobsChange, 'removedIds'> => current?.workspace.jobs.list() ?? { jobs: [], queue: noQueue };
  const emitWhole = (removedIds: readonly string[]) => onJobsChanged({ ...list(), removedIds, isWhole: true });

  const close = async (): Promise<readonly string[]> => {
    const last = current;
    current = null;
    lastFailure = makeFailure('nothing-open');
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
      return err(makeFailure('internal-error', { code: 'library_not_opened' }));
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
    current: (): Result<Workspace> => (current === null ? err(lastFailure) : ok(current.workspace)),
    list,
    /** Waits for a change that is under way, so that an early request gets the workspace. */
    async opened(): Promise<Result<Workspace>> {
      await lastUse;
      return this.current();
    },
    use: (mode: ModeId): Promise<Result<Workspace>> => inTurn(() => use(mode)),
    /** Closes the open workspace, publishes that its rows are gone, and runs `work` before any other can be opened. */
    whileClosed: <T>(work: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        emitWhole(await close());
        return work();
      }),
    close: async (): Promise<void> => void (await close()),
  };
}

export type WorkspaceSwitch = ReturnType<typeof createWorkspaceSwitch>;
