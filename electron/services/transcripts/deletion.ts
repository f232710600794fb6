import { z } from 'zod';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { trashDays } from '../../../shared/domain/library/library-item.ts';
import { origins, type Origin } from '../../../shared/domain/modes.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SttApi } from '../../api/stt-api.ts';
import type { Queue } from '../../queue/queue.ts';
import type { ClientClock } from '../../api/http/transport.ts';
import { readNote, type TraceSweeper, type TranscriptLine } from '../library/store.ts';
import { findFacts } from './transcript-service.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export const offeredMs = 20_000;
/** How long a deletion can be undone: pointer or focus on the offer keeps it visible for longer. */
export const undoMs = offeredMs + 40_000;

const dayMs = 24 * 3_600_000;
/** System timers can't wait for more than about 24 days. */
const longestWaitMs = dayMs;

const againMs = 30_000;

export interface Traces {
  /** Resolves when no backup is being made, which would contain what is erased meanwhile. */
  readonly backups: { settled(): Promise<void> };
  readonly sweep: TraceSweeper;
}

const pendingErasure = lazySchema(() =>
  z.object({
    id: z.string(),
    jobId: z.string(),
    remoteId: z.string().nullable(),
    wasListed: z.boolean(),
    atMs: z.number(),
    isErased: z.boolean(),
    origin: z.enum(origins).default('service'),
    trashedUntilMs: z.number().optional(),
  }),
);
type PendingErasure = z.output<ReturnType<typeof pendingErasure>>;

const dueMs = ({ atMs, trashedUntilMs }: PendingErasure): number => trashedUntilMs ?? atMs + undoMs;

export interface DeletionPorts extends Traces {
  readonly store: LibraryStore;
  readonly jobs: Pick<Queue, 'list' | 'act' | 'bringBack'>;
  readonly api: Pick<SttApi, 'remove'>;
  readonly origin: Origin;
  readonly clock: ClientClock;
  readonly log: Logger;
}

export function createDeletion({ store, jobs, api, backups, sweep, origin, clock, log }: DeletionPorts) {
  let requests: readonly PendingErasure[] = readNote(store, 'deleted', z.array(pendingErasure()), []);
  let cancelTimer: (() => void) | null = null;
  let lastPurge: Promise<void> = Promise.resolve();
  let restsUntilMs = -Infinity;
  let isClosed = false;

  const keep = (next: readonly PendingErasure[]): Result<null> => {
    const saved = store.saveNote('deleted', JSON.stringify(next));
    if (saved.ok) requests = next;
    return saved;
  };

  const eraseDue = async (isDue: (one: PendingErasure) => boolean): Promise<void> => {
    const due = requests.filter((one) => !one.isErased && isDue(one));
    if (due.length === 0) return;
    await backups.settled();
    const ids = due.map(({ id }) => id);
    const erased = store.eraseTranscripts(ids);
    if (!erased.ok) {
      restsUntilMs = clock.monotonic() + againMs;
      log.write({ event: 'not-erased', level: 'error', row: erased.error.row, count: ids.length });
      return;
    }
    const { otherIds, unusedContents } = erased.value;
    await sweep({ transcriptIds: [...ids, ...otherIds], contents: unusedContents });
    keep(
      requests.flatMap((one) =>
        !ids.includes(one.id) ? [one] : one.remoteId === null ? [] : [{ ...one, isErased: true }],
      ),
    );
    log.write({ event: 'erased', count: ids.length });
  };

  const tellService = async (): Promise<void> => {
    for (const { id, remoteId } of requests.filter((one) => one.isErased && one.origin === origin)) {
      if (isClosed) return;
      const removed = remoteId === null ? ok(null) : await api.remove(remoteId);
      if (removed.ok) keep(requests.filter((one) => one.id !== id));
      else log.write({ event: 'not-deleted-at-service', level: 'warn', row: removed.error.row });
    }
  };

  /** Permanent deletion waits for undo only while the app runs; the trash has its term. */
  const isToGo = (one: PendingErasure): boolean =>
    one.trashedUntilMs === undefined || one.trashedUntilMs <= clock.now();

  const purge = (isDue: (one: PendingErasure) => boolean): Promise<void> => {
    lastPurge = lastPurge.then(() => eraseDue(isDue)).catch(() => log.write({ event: 'not-erased', level: 'error' }));
    return lastPurge;
  };

  const arm = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    const next = Math.min(...requests.filter(({ isErased }) => !isErased).map(dueMs));
    if (isClosed || !Number.isFinite(next)) return;
    const waitMs = Math.max(0, next - clock.now(), restsUntilMs - clock.monotonic());
    cancelTimer = clock.after(Math.min(longestWaitMs, waitMs), () => {
      void purge((one) => dueMs(one) <= clock.now())
        .then(tellService)
        .finally(arm);
    });
  };

  const takeAway = async (
    transcriptIds: readonly string[],
    atService: boolean,
    trashedUntilMs?: number,
  ): Promise<Result<null>> => {
    const found = store.listTranscripts();
    if (!found.ok) return found;
    const ids = new Set(transcriptIds);
    const gone = new Set(requests.map(({ id }) => id));
    const listed = new Set(jobs.list().jobs.map(({ id }) => id));
    const atMs = clock.now();
    const wanted = found.value
      .filter(({ id }) => ids.has(id) && !gone.has(id))
      .map(({ id, jobId, remoteId }): PendingErasure => ({
        id,
        jobId,
        remoteId: atService ? remoteId : null,
        wasListed: listed.has(jobId),
        atMs,
        isErased: false,
        origin,
        ...(trashedUntilMs === undefined ? {} : { trashedUntilMs }),
      }));
    const saved = keep([...requests, ...wanted]);
    if (!saved.ok) return saved;
    const rows = wanted.flatMap(({ jobId, wasListed }) => (wasListed ? [jobId] : []));
    if (rows.length > 0) await jobs.act(rows, 'remove');
    arm();
    return ok(null);
  };

  return {
    list(): Result<readonly TranscriptLine[]> {
      const listed = store.listTranscripts();
      return listed.ok ? ok(listed.value.filter(({ id }) => !this.isGone(id))) : listed;
    },

    /** Whether it was deleted here, even while that can still be undone. */
    isGone: (transcriptId: string): boolean => requests.some(({ id }) => id === transcriptId),

    isRowGone: (rowId: string): boolean => requests.some(({ jobId }) => jobId === rowId),

    /** `atService`: also there, together with the recording. Can be undone until `undoMs` have passed. */
    async remove(transcriptId: string, atService: boolean): Promise<Result<null>> {
      const found = findFacts(store, transcriptId);
      return found.ok ? this.removeAll([transcriptId], atService) : found;
    },

    removeAll: (transcriptIds: readonly string[], atService: boolean): Promise<Result<null>> =>
      takeAway(transcriptIds, atService),

    async trashAll(transcriptIds: readonly string[]): Promise<Result<null>> {
      return takeAway(transcriptIds, false, clock.now() + trashDays * dayMs);
    },

    trashed: (): ReadonlyMap<string, number> =>
      new Map(requests.flatMap(({ id, atMs, trashedUntilMs }) => (trashedUntilMs === undefined ? [] : [[id, atMs]]))),

    async eraseTrashed(transcriptIds: readonly string[], atService: boolean): Promise<Result<null>> {
      const ids = new Set(transcriptIds);
      const listed = store.listTranscripts();
      if (!listed.ok) return listed;
      const remoteIds = new Map(listed.value.map(({ id, remoteId }) => [id, remoteId]));
      const saved = keep(
        requests.map(({ trashedUntilMs, ...one }) =>
          trashedUntilMs === undefined || ids.has(one.id)
            ? {
                ...one,
                origin,
                remoteId: atService && ids.has(one.id) ? (remoteIds.get(one.id) ?? null) : one.remoteId,
              }
            : { ...one, trashedUntilMs },
        ),
      );
      if (!saved.ok) return saved;
      await purge(({ id }) => ids.has(id));
      void tellService().finally(arm);
      return ok(null);
    },

    async restore(transcriptId: string): Promise<Result<boolean>> {
      const restored = await this.restoreAll([transcriptId]);
      return restored.ok ? ok(restored.value === 1) : restored;
    },

    async restoreAll(transcriptIds: readonly string[]): Promise<Result<number>> {
      await lastPurge;
      const ids = new Set(transcriptIds);
      const found = requests.filter(({ id, isErased }) => ids.has(id) && !isErased);
      if (found.length === 0) return ok(0);
      const saved = keep(requests.filter(({ id, isErased }) => isErased || !ids.has(id)));
      if (!saved.ok) return err(saved.error);
      arm();
      const rows = found.flatMap(({ jobId, wasListed }) => (wasListed ? [jobId] : []));
      if (rows.length > 0) await jobs.bringBack(rows);
      return ok(found.length);
    },

    async start(): Promise<void> {
      isClosed = false;
      await purge(isToGo);
      arm();
      await tellService();
    },

    /** Ends every delay: pending deletions are carried out now. */
    async close(): Promise<void> {
      isClosed = true;
      cancelTimer?.();
      cancelTimer = null;
      await purge(isToGo);
    },
  };
}

/** Hidden at once, erased when undo has expired, in backups too (S-43). */
export type DeletionService = ReturnType<typeof createDeletion>;
