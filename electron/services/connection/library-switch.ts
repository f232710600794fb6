import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { noQueue } from '../../../shared/domain/jobs/queue-view.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { JobsChange } from '../jobs/job-service.ts';
import type { Library } from '../library/library.ts';

export type LibraryKind = 'service' | 'practice';

/** A change of the queue; with `isWhole` the rows are all that there are now, because another library is open. */
export interface QueueChange extends JobsChange {
  readonly isWhole: boolean;
}

export interface LibrarySwitchOptions {
  /** Opens one of the two libraries; the other is closed by then. */
  readonly open: (kind: LibraryKind) => Promise<Result<Library>>;
  /** Changes of whichever library is open, with numbers that only grow. */
  readonly onJobsChanged: (change: QueueChange) => void;
  /** A library that could not be opened for a reason nobody thought of. */
  readonly onBug: (thrown: unknown) => void;
}

interface OpenLibrary {
  readonly kind: LibraryKind;
  readonly library: Library;
  /** Added to every `seq` of this library, because a page that follows the queue knows only ever higher numbers. */
  readonly seqOffset: number;
  readonly release: () => void;
}

const shift = (change: JobsChange, offset: number): JobsChange =>
  offset === 0
    ? change
    : {
        ...change,
        seq: change.seq + offset,
        jobs: change.jobs.map((job) => ({ ...job, seq: job.seq + offset })),
      };

/** Holds the one open library. The service and practice never share one (S-55), so changing the mode changes it. */
export function createLibrarySwitch({ open, onJobsChanged, onBug }: LibrarySwitchOptions) {
  let current: OpenLibrary | null = null;
  let lastFailure = makeFailure('E-236');
  let lastSeq = 0;
  let lastUse: Promise<unknown> = Promise.resolve();

  const emit = (change: JobsChange, isWhole = false) => {
    lastSeq = Math.max(lastSeq, change.seq);
    onJobsChanged({ ...change, isWhole });
  };

  const close = async (): Promise<readonly string[]> => {
    const last = current;
    current = null;
    lastFailure = makeFailure('E-236');
    if (last === null) return [];
    const closedIds = last.library.jobs.list().jobs.map((job) => job.id);
    last.release();
    await last.library.jobs.stop();
    await last.library.close();
    return closedIds;
  };

  const use = async (kind: LibraryKind): Promise<Result<Library>> => {
    if (current?.kind === kind) return ok(current.library);
    const removedIds = await close();
    const opened = await open(kind).catch((thrown: unknown) => {
      onBug(thrown);
      return err(makeFailure('E-230', { code: 'library_not_opened' }));
    });
    if (!opened.ok) {
      lastFailure = opened.error;
      emit({ seq: lastSeq + 1, jobs: [], removedIds, queue: noQueue }, true);
      return opened;
    }
    const { jobs } = opened.value;
    // The rows that it begins with are read from the list at once, not told as if each had changed.
    current = { kind, library: opened.value, seqOffset: 0, release: () => undefined };
    await jobs.start();
    const seqOffset = Math.max(0, lastSeq + 1 - jobs.list().seq);
    const release = jobs.onChanged((change) => emit(shift(change, seqOffset)));
    current = { kind, library: opened.value, seqOffset, release };
    emit(shift({ ...jobs.list(), removedIds }, seqOffset), true);
    return opened;
  };

  return {
    /** The open library, or the reason why there is none. */
    current: (): Result<Library> => (current === null ? err(lastFailure) : ok(current.library)),
    /** The rows of the open library, numbered as the events are. None open: no rows. */
    list(): Omit<JobsChange, 'removedIds'> {
      if (current === null) return { seq: lastSeq, jobs: [], queue: noQueue };
      return shift({ ...current.library.jobs.list(), removedIds: [] }, current.seqOffset);
    },
    /** As `current`, after a change that is under way; so a page that asks early gets the library, not a refusal. */
    async opened(): Promise<Result<Library>> {
      await lastUse;
      return this.current();
    },
    /** Closes the other library first; its rows leave the queue and those of the new one come. */
    use(kind: LibraryKind): Promise<Result<Library>> {
      const used = lastUse.then(() => use(kind));
      lastUse = used.catch(() => undefined);
      return used;
    },
    /** Closes the open library, tells that its rows are gone, and runs `work` before any other can be opened. */
    whileClosed<T>(work: () => Promise<T>): Promise<T> {
      const done = lastUse.then(async () => {
        const removedIds = await close();
        emit({ seq: lastSeq + 1, jobs: [], removedIds, queue: noQueue }, true);
        return work();
      });
      lastUse = done.catch(() => undefined);
      return done;
    },
    close: async (): Promise<void> => void (await close()),
  };
}

export type LibrarySwitch = ReturnType<typeof createLibrarySwitch>;
