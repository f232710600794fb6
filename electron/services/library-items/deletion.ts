import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { trashDays, type ItemRef, type LibraryKind } from '../../../shared/domain/library/library-item.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { SttApi } from '../../service/stt.ts';
import type { LeavingItem } from '../../storage/item-rows.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';
import type { Queue } from '../../queue/queue.ts';
import type { ClientClock } from '../../service/transport.ts';
import type { TraceSweeper, TranscriptLine } from '../library/store.ts';
import { findFacts } from '../transcripts/transcript-service.ts';

export const offeredMs = 20_000;
/** How long a deletion can be undone: pointer or focus on the offer keeps it visible for longer. */
export const undoMs = offeredMs + 40_000;

const dayMs = 24 * 3_600_000;
/** System timers can't wait for more than about 24 days. */
const longestWaitMs = dayMs;

const againMs = 30_000;
const longestRestMs = 3_600_000;

export interface Traces {
  /** Resolves when no backup is being made, which would contain what is erased meanwhile. */
  readonly backups: { settled(): Promise<void> };
  readonly sweep: TraceSweeper;
}

export interface DeletionPorts extends Traces {
  readonly store: LibraryStore;
  readonly jobs: Pick<Queue, 'list' | 'act' | 'bringBack'>;
  readonly api: Pick<SttApi, 'remove'>;
  /** The fingerprint of the address and key in use; null without them. */
  readonly account: () => string | null;
  /** Erases items of the other kinds, with their files. */
  readonly eraseOthers: (refs: readonly ItemRef[]) => Promise<Result<null>>;
  readonly clock: ClientClock;
  readonly log: Logger;
}

interface DeletableLine extends TranscriptLine {
  readonly isAtService: boolean;
}

export function createDeletion(ports: DeletionPorts) {
  const { store, jobs, api, account, backups, sweep, eraseOthers, clock, log } = ports;
  const { items } = store;
  let cancelTimer: (() => void) | null = null;
  let lastPurge: Promise<void> = Promise.resolve();
  let lastTold: Promise<void> = Promise.resolve();
  let refusals = 0;
  let cancelRest: (() => void) | null = null;
  let restsUntilMs = -Infinity;
  let isClosed = false;

  const refsOf = (ids: readonly string[], kind: LibraryKind) => ids.map((id): ItemRef => ({ kind, id }));

  const leaving = (): readonly LeavingItem[] => {
    const found = items.leaving();
    return found.ok ? found.value : [];
  };

  const eraseDue = async (isDue: (one: LeavingItem) => boolean): Promise<void> => {
    const due = leaving().filter(isDue);
    const others = due.filter(({ kind }) => kind !== 'transcript');
    const otherErased = others.length === 0 ? ok(null) : await eraseOthers(others);
    if (!otherErased.ok) restsUntilMs = clock.monotonic() + againMs;
    const ids = due.filter(({ kind }) => kind === 'transcript').map(({ id }) => id);
    if (ids.length === 0) return;
    await backups.settled();
    const erased = store.eraseItems(ids);
    if (!erased.ok) {
      restsUntilMs = clock.monotonic() + againMs;
      log.write({ event: 'not-erased', level: 'error', row: erased.error.row, count: ids.length });
      return;
    }
    const { items: gone, unusedContents } = erased.value;
    await sweep({ transcriptIds: [...new Set([...ids, ...gone.map(({ id }) => id)])], contents: unusedContents });
    items.forget(gone);
    log.write({ event: 'erased', count: ids.length });
  };

  const askService = async (): Promise<void> => {
    cancelRest?.();
    cancelRest = null;
    const removals = items.removals();
    let isRefused = false;
    for (const { id, remoteId, boundTo } of removals.ok ? removals.value : []) {
      const present = account();
      if (isClosed || present === null) return;
      // Another service or account does not have it, and would say that it is gone.
      if (boundTo !== null && boundTo !== present) continue;
      const removed = await api.remove(remoteId);
      if (removed.ok) items.removedAtService(id);
      else log.write({ event: 'not-deleted-at-service', level: 'warn', row: removed.error.row });
      isRefused ||= !removed.ok;
    }
    refusals = isRefused ? refusals + 1 : 0;
    if (!isRefused || isClosed) return;
    const restMs = Math.min(longestRestMs, againMs * 2 ** (refusals - 1));
    cancelRest = clock.after(restMs, () => void tellService());
  };
  const tellService = (): Promise<void> => (lastTold = lastTold.then(askService));

  /** Permanent deletion waits for undo only while the app runs; the trash has its term. */
  const isToGo = ({ trashedAtMs, eraseAtMs }: LeavingItem): boolean => trashedAtMs === null || eraseAtMs <= clock.now();

  const purge = (isDue: (one: LeavingItem) => boolean): Promise<void> => {
    lastPurge = lastPurge
      .then(() => eraseDue(isDue))
      .catch(() => {
        restsUntilMs = clock.monotonic() + againMs;
        log.write({ event: 'not-erased', level: 'error' });
      });
    return lastPurge;
  };

  const arm = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    const [next] = leaving();
    if (isClosed || next === undefined) return;
    const waitMs = Math.max(0, next.eraseAtMs - clock.now(), restsUntilMs - clock.monotonic());
    cancelTimer = clock.after(Math.min(longestWaitMs, waitMs), () => {
      void purge(({ eraseAtMs }) => eraseAtMs <= clock.now())
        .then(tellService)
        .finally(arm);
    });
  };

  const takeAway = async (
    refs: readonly ItemRef[],
    term: Pick<LeavingItem, 'trashedAtMs' | 'eraseAtMs'>,
    atService: boolean,
  ): Promise<Result<null>> => {
    const listed = new Set(jobs.list().jobs.map(({ id }) => id));
    const rows = items.putAway(refs, term, (id) => listed.has(id), atService);
    if (!rows.ok) return rows;
    if (rows.value.length > 0) await jobs.act(rows.value, 'remove');
    arm();
    return ok(null);
  };

  return {
    list(): Result<readonly DeletableLine[]> {
      const listed = store.listTranscripts();
      if (!listed.ok) return listed;
      const elsewhere = items.elsewhere(account());
      const here = listed.value.filter(({ id }) => !this.isGone(id));
      return ok(here.map((line) => ({ ...line, isAtService: line.remoteId !== null && !elsewhere.has(line.id) })));
    },

    /** Whether it was deleted here, even while that can still be undone. */
    isGone: (transcriptId: string): boolean => items.isGone({ kind: 'transcript', id: transcriptId }),

    isRowGone: items.isRowGone,

    /** `atService`: also there, together with the recording. Can be undone until `undoMs` have passed. */
    async remove(transcriptId: string, atService: boolean): Promise<Result<null>> {
      const found = findFacts(store, transcriptId);
      return found.ok ? this.removeAll([transcriptId], atService) : found;
    },

    removeAll: (transcriptIds: readonly string[], atService: boolean): Promise<Result<null>> =>
      takeAway(refsOf(transcriptIds, 'transcript'), { trashedAtMs: null, eraseAtMs: clock.now() + undoMs }, atService),

    async trashAll(ids: readonly string[], kind: LibraryKind = 'transcript'): Promise<Result<null>> {
      const trashedAtMs = clock.now();
      return takeAway(refsOf(ids, kind), { trashedAtMs, eraseAtMs: trashedAtMs + trashDays * dayMs }, false);
    },

    trashed: (): ReadonlyMap<string, number> =>
      new Map(leaving().flatMap(({ id, trashedAtMs }) => (trashedAtMs === null ? [] : [[id, trashedAtMs]]))),

    async eraseTrashed(transcriptIds: readonly string[], atService: boolean): Promise<Result<null>> {
      const ids = new Set(transcriptIds);
      const saved = items.endTrash(transcriptIds, clock.now(), atService);
      if (!saved.ok) return saved;
      await purge(({ kind, id }) => kind === 'transcript' && ids.has(id));
      void tellService().finally(arm);
      return ok(null);
    },

    async restore(transcriptId: string): Promise<Result<boolean>> {
      const restored = await this.restoreAll([transcriptId]);
      return restored.ok ? ok(restored.value === 1) : restored;
    },

    async restoreAll(ids: readonly string[], kind: LibraryKind = 'transcript'): Promise<Result<number>> {
      await lastPurge;
      const back = items.bringBack(refsOf(ids, kind));
      if (!back.ok || back.value.length === 0) return back.ok ? ok(0) : back;
      arm();
      const rows = back.value.filter((row) => row !== null);
      if (rows.length > 0) await jobs.bringBack(rows);
      return ok(back.value.length);
    },

    async start(): Promise<void> {
      isClosed = false;
      await purge(isToGo);
      arm();
      await tellService();
    },

    /** There is another connection, or it came back. */
    tellService,

    /** Ends every delay: pending deletions are carried out now. */
    async close(): Promise<void> {
      isClosed = true;
      cancelTimer?.();
      cancelTimer = null;
      cancelRest?.();
      await purge(isToGo);
    },
  };
}

/** Hidden at once, erased when undo has expired, in backups too (S-43). */
export type DeletionService = ReturnType<typeof createDeletion>;
