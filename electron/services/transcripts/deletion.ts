import { z } from 'zod';
import { described } from '../../../shared/domain/described.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SttApi } from '../../api/stt-api.ts';
import type { Clock } from '../jobs/ports.ts';
import type { JobService } from '../jobs/job-service.ts';
import type { LibraryStore, TranscriptLine } from '../library/store.ts';
import { findFacts } from './transcript-service.ts';

/** How long the way back is offered, milliseconds. */
export const offeredMs = 20_000;
/** How long a deletion can be undone: whoever holds the offer with the pointer or the focus keeps it for longer. */
export const undoMs = offeredMs + 40_000;

/** A disk that would not erase is asked again after this, milliseconds. */
const againMs = 30_000;

/** Removes what is left outside of the database: copies of it, waveforms, sounds that were taken out. */
export type TraceSweeper = (gone: {
  readonly transcriptIds: readonly string[];
  readonly contents: readonly string[];
}) => Promise<void>;

/** Copies of the library that are made beside it. */
export interface DailyCopies {
  /** When none is being made: it would hold what is erased meanwhile, and the erasing would wait for it. */
  settled(): Promise<void>;
  /** Ends it; one that takes long is given up. */
  close(): Promise<void>;
}

const wish = described(() =>
  z.object({
    id: z.string(),
    jobId: z.string(),
    /** What the service calls it, when the person wants it deleted there too. */
    remoteId: z.string().nullable(),
    wasListed: z.boolean(),
    atMs: z.number(),
    /** Gone here; only the service has not confirmed yet. */
    isErased: z.boolean(),
  }),
);
type Wish = z.output<ReturnType<typeof wish>>;

export interface DeletionPorts {
  readonly store: LibraryStore;
  readonly jobs: Pick<JobService, 'list' | 'act' | 'bringBack'>;
  readonly api: Pick<SttApi, 'remove'>;
  readonly copies: Pick<DailyCopies, 'settled'>;
  readonly sweep: TraceSweeper;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Deletes transcripts for good (S-43): at once for the eye, for real when undoing is over, and in copies too. */
export interface DeletionService {
  /** Those that can be deleted: everything that is not on its way out. */
  list(): Result<readonly TranscriptLine[]>;
  /** `atService`: also there, where the recording is deleted with it. Until `undoMs` have passed it can be undone. */
  remove(transcriptId: string, atService: boolean): Promise<Result<null>>;
  /** The same for many, as one wish; ids that are not there are passed over. */
  removeAll(transcriptIds: readonly string[], atService: boolean): Promise<Result<null>>;
  /** False when it is too late. */
  restore(transcriptId: string): Promise<Result<boolean>>;
  /** How many of them came back. */
  restoreAll(transcriptIds: readonly string[]): Promise<Result<number>>;
  /** Whether it was deleted here, also while that can still be undone. */
  isGone(transcriptId: string): boolean;
  /** The same of the transcript that a row of the queue led to. */
  isRowGone(jobId: string): boolean;
  /** Finishes what an earlier run left. */
  start(): Promise<void>;
  /** Ends every delay: what was to be deleted is deleted now. */
  close(): Promise<void>;
}

/** Deletion for one library; what an earlier run was about to delete is gone from the beginning. */
export function createDeletion({ store, jobs, api, copies, sweep, clock, log }: DeletionPorts): DeletionService {
  let wishes = readWishes(store);
  let cancelTimer: (() => void) | null = null;
  let lastPurge: Promise<void> = Promise.resolve();
  /** Nothing is erased before this, by the clock that only grows. */
  let restsUntilMs = -Infinity;
  let isClosed = false;

  const keep = (next: readonly Wish[]): Result<null> => {
    const saved = store.saveNote('deleted', JSON.stringify(next));
    if (saved.ok) wishes = next;
    return saved;
  };

  const eraseDue = async (isDue: (one: Wish) => boolean): Promise<void> => {
    const due = wishes.filter((one) => !one.isErased && isDue(one));
    if (due.length === 0) return;
    await copies.settled();
    const ids = due.map(({ id }) => id);
    const erased = store.eraseTranscripts(ids);
    if (!erased.ok) {
      restsUntilMs = clock.monotonic() + againMs;
      log.write({ event: 'not-erased', level: 'error', row: erased.error.row, count: ids.length });
      return;
    }
    await sweep({ transcriptIds: ids, contents: erased.value.unusedContents });
    keep(
      wishes.flatMap((one) =>
        !ids.includes(one.id) ? [one] : one.remoteId === null ? [] : [{ ...one, isErased: true }],
      ),
    );
    log.write({ event: 'erased', count: ids.length });
  };

  const tellService = async (): Promise<void> => {
    for (const { id, remoteId } of wishes.filter(({ isErased }) => isErased)) {
      if (isClosed) return;
      const removed = remoteId === null ? ok(null) : await api.remove(remoteId);
      if (removed.ok) keep(wishes.filter((one) => one.id !== id));
      else log.write({ event: 'not-deleted-at-service', level: 'warn', row: removed.error.row });
    }
  };

  const purge = (isDue: (one: Wish) => boolean): Promise<void> => {
    lastPurge = lastPurge.then(() => eraseDue(isDue)).catch(() => log.write({ event: 'not-erased', level: 'error' }));
    return lastPurge;
  };

  const arm = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    const next = Math.min(...wishes.filter(({ isErased }) => !isErased).map(({ atMs }) => atMs + undoMs));
    if (isClosed || !Number.isFinite(next)) return;
    cancelTimer = clock.after(Math.max(0, next - clock.now(), restsUntilMs - clock.monotonic()), () => {
      void purge(({ atMs }) => atMs + undoMs <= clock.now())
        .then(tellService)
        .finally(arm);
    });
  };

  return {
    list() {
      const listed = store.listTranscripts();
      return listed.ok ? ok(listed.value.filter(({ id }) => !this.isGone(id))) : listed;
    },

    isGone: (transcriptId) => wishes.some(({ id }) => id === transcriptId),

    isRowGone: (rowId) => wishes.some(({ jobId }) => jobId === rowId),

    async remove(transcriptId, atService) {
      const found = findFacts(store, transcriptId);
      return found.ok ? this.removeAll([transcriptId], atService) : found;
    },

    async removeAll(transcriptIds, atService) {
      const found = this.list();
      if (!found.ok) return found;
      const ids = new Set(transcriptIds);
      const listed = new Set(jobs.list().jobs.map(({ id }) => id));
      const atMs = clock.now();
      const wanted = found.value.flatMap(({ id, jobId, remoteId }): Wish[] =>
        ids.has(id)
          ? [{ id, jobId, remoteId: atService ? remoteId : null, wasListed: listed.has(jobId), atMs, isErased: false }]
          : [],
      );
      const saved = keep([...wishes, ...wanted]);
      if (!saved.ok) return saved;
      const rows = wanted.flatMap(({ jobId, wasListed }) => (wasListed ? [jobId] : []));
      if (rows.length > 0) await jobs.act(rows, 'remove');
      arm();
      return ok(null);
    },

    async restore(transcriptId) {
      const restored = await this.restoreAll([transcriptId]);
      return restored.ok ? ok(restored.value === 1) : restored;
    },

    async restoreAll(transcriptIds) {
      await lastPurge;
      const ids = new Set(transcriptIds);
      const found = wishes.filter(({ id, isErased }) => ids.has(id) && !isErased);
      if (found.length === 0) return ok(0);
      const saved = keep(wishes.filter(({ id, isErased }) => isErased || !ids.has(id)));
      if (!saved.ok) return err(saved.error);
      arm();
      const rows = found.flatMap(({ jobId, wasListed }) => (wasListed ? [jobId] : []));
      if (rows.length > 0) await jobs.bringBack(rows);
      return ok(found.length);
    },

    async start() {
      isClosed = false;
      await purge(() => true);
      await tellService();
    },

    async close() {
      isClosed = true;
      cancelTimer?.();
      cancelTimer = null;
      await purge(() => true);
    },
  };
}

/** What an earlier run was about to delete; a note that can't be read is none. */
function readWishes(store: LibraryStore): readonly Wish[] {
  const note = store.note('deleted');
  if (!note.ok || note.value === null) return [];
  try {
    return z.array(wish()).parse(JSON.parse(note.value));
  } catch {
    return [];
  }
}
