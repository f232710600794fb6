import type { HeardAt, HeardView } from '../../shared/domain/jobs/time-left.ts';
import { byRank, type Ranked } from '../../shared/domain/jobs/rank.ts';
import type { StoredJob } from '../services/library/store.ts';

/** What had got through to the service. */
export interface Passed {
  readonly uploads: number;
  readonly reads: number;
}

/** A row, and what is known about it only while the app runs. */
export interface QueueEntry {
  job: StoredJob;
  /** Of its upload in bytes, or of the audio that is extracted from a video. */
  progress: { readonly done: number; readonly total: number } | null;
  heard: { readonly view: HeardView; readonly from: HeardAt } | null;
  sinceMs: number;
  sentBetween: { readonly fromMs: number; readonly toMs: number } | null;
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  passedAtPage: Passed;
}

/** Rows in the order of their ranks; positions are found by binary search. */
export function createLine() {
  const rows: Ranked[] = [];
  const ranks = new Map<string, number>();
  const indexOf = (row: Ranked): number => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = rows[middle];
      if (other !== undefined && byRank(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const remove = (id: string): void => {
    const rank = ranks.get(id);
    if (rank === undefined) return;
    rows.splice(indexOf({ id, rank }), 1);
    ranks.delete(id);
  };
  return {
    size: () => rows.length,
    has: (id: string) => ranks.has(id),
    put({ id, rank }: Ranked): void {
      if (ranks.get(id) === rank) return;
      remove(id);
      rows.splice(indexOf({ id, rank }), 0, { id, rank });
      ranks.set(id, rank);
    },
    remove,
    /** From 1; 0 when it is not in this line. */
    placeOf(id: string): number {
      const rank = ranks.get(id);
      return rank === undefined ? 0 : indexOf({ id, rank }) + 1;
    },
    /** A snapshot: later changes do not affect the caller's iteration. */
    first: (count = Infinity): readonly string[] => rows.slice(0, count).map(({ id }) => id),
  };
}

/** All rows of the queue, and the two lines they wait in. */
export function createEntries() {
  const byId = new Map<string, QueueEntry>();
  const [toSend, toPrepare] = [createLine(), createLine()];
  let [lastSeq, lastRank] = [0, 0];
  const settle = (entry: QueueEntry, job: StoredJob): void => {
    entry.job = job;
    lastSeq = Math.max(lastSeq, job.seq);
    lastRank = Math.max(lastRank, job.rank);
    const { tag } = job.memory.state;
    if (tag === 'prepared') toSend.put(job);
    else toSend.remove(job.id);
    if (tag !== 'queued') toPrepare.remove(job.id);
    else if (toPrepare.has(job.id)) toPrepare.put(job);
  };
  const nextSeq = (): number => (lastSeq += 1);
  return {
    byId,
    toSend,
    toPrepare,
    nextSeq,
    nextRank: () => (lastRank = Math.floor(lastRank) + 1),
    add(job: StoredJob, sinceMs: number): QueueEntry {
      const entry: QueueEntry = {
        job,
        sinceMs,
        progress: null,
        heard: null,
        sentBetween: null,
        running: null,
        cancelTimer: null,
        passedAtPage: { uploads: 0, reads: 0 },
      };
      byId.set(job.id, entry);
      settle(entry, job);
      if (job.memory.state.tag === 'queued') toPrepare.put(job);
      return entry;
    },
    remove(jobId: string): void {
      const entry = byId.get(jobId);
      if (entry !== undefined) stopWork(entry);
      toSend.remove(jobId);
      toPrepare.remove(jobId);
      byId.delete(jobId);
    },
    put(entry: QueueEntry, job: StoredJob, nowMs: number): void {
      if (entry.job.memory.state.tag !== job.memory.state.tag) {
        entry.sinceMs = nowMs;
        entry.progress = null;
        entry.heard = null;
      }
      settle(entry, job);
    },
    /** What the row shows changed, and nothing of it is stored. */
    touch(entry: QueueEntry, change: Partial<StoredJob> = {}): void {
      settle(entry, { ...entry.job, ...change, seq: nextSeq() } as StoredJob);
    },
  };
}

export type Entries = ReturnType<typeof createEntries>;

export function stopWork(entry: QueueEntry): void {
  entry.cancelTimer?.();
  entry.cancelTimer = null;
  entry.running?.abort();
  entry.running = null;
}
