import type { HeardAt, HeardView } from '../../../shared/domain/jobs/heard.ts';
import type { JobRecord } from '../../../shared/domain/jobs/job-state.ts';
import { byRank, type Ranked } from '../../../shared/domain/jobs/rank.ts';
import type { StoredJob } from '../library/store.ts';
import type { SaveResult } from './job-effects.ts';
import type { QueueDeps } from './ports.ts';

/** Rows waiting for an upload slot, in order; positions are found by binary search. */
export class RankedQueue {
  readonly #rows: Ranked[] = [];
  readonly #ranks = new Map<string, number>();

  get size(): number {
    return this.#rows.length;
  }

  has(id: string): boolean {
    return this.#ranks.has(id);
  }

  put(row: Ranked): void {
    if (this.#ranks.get(row.id) === row.rank) return;
    this.delete(row.id);
    this.#rows.splice(this.#indexOf(row), 0, { id: row.id, rank: row.rank });
    this.#ranks.set(row.id, row.rank);
  }

  delete(id: string): void {
    const rank = this.#ranks.get(id);
    if (rank === undefined) return;
    this.#rows.splice(this.#indexOf({ id, rank }), 1);
    this.#ranks.delete(id);
  }

  placeOf(id: string): number {
    const rank = this.#ranks.get(id);
    return rank === undefined ? 0 : this.#indexOf({ id, rank }) + 1;
  }

  first(count: number): readonly string[] {
    return this.#rows.slice(0, count).map(({ id }) => id);
  }

  /** A snapshot of all ids; later changes do not affect the caller's iteration. */
  ids(): readonly string[] {
    return this.#rows.map(({ id }) => id);
  }

  #indexOf(row: Ranked): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#rows[middle];
      if (other !== undefined && byRank(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

type DeferredRead = (ports: QueueDeps, job: StoredJob, signal: AbortSignal) => Promise<SaveResult>;

/** A row, and what is known about it only while the app runs. */
export interface QueueEntry {
  job: StoredJob;
  upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  audioShare: number | null;
  heard: { readonly view: HeardView; readonly from: HeardAt } | null;
  sinceMs: number;
  sentBetween: { readonly fromMs: number; readonly toMs: number | null } | null;
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  deferredRead: DeferredRead | null;
}

export class LiveJobs {
  readonly #rows = new Map<string, QueueEntry>();
  readonly toSend = new RankedQueue();
  readonly toPrepare = new RankedQueue();
  seq = 0;
  #lastRank = 0;

  get(jobId: string): QueueEntry | undefined {
    return this.#rows.get(jobId);
  }

  all(): IterableIterator<QueueEntry> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }

  nextRank(): number {
    this.#lastRank = Math.floor(this.#lastRank) + 1;
    return this.#lastRank;
  }

  add(job: StoredJob, nowMs: number): QueueEntry {
    const live: QueueEntry = {
      job,
      sinceMs: nowMs,
      upload: null,
      audioShare: null,
      heard: null,
      sentBetween: null,
      running: null,
      cancelTimer: null,
      deferredRead: null,
    };
    this.#rows.set(job.id, live);
    this.seq = Math.max(this.seq, job.seq);
    this.#lastRank = Math.max(this.#lastRank, job.rank);
    this.#queue(live);
    if (job.memory.state.tag === 'queued') this.toPrepare.put(job);
    return live;
  }

  remove(jobId: string): void {
    const live = this.#rows.get(jobId);
    if (live === undefined) return;
    stopWork(live);
    this.toSend.delete(jobId);
    this.toPrepare.delete(jobId);
    this.#rows.delete(jobId);
  }

  next(live: QueueEntry, memory: JobRecord, ahead = 0): StoredJob {
    const sizeBytes = memory.intent?.sizeBytes ?? live.job.sizeBytes;
    return { ...live.job, sizeBytes, memory, seq: this.seq + 1 + ahead };
  }

  put(live: QueueEntry, job: StoredJob, nowMs: number): void {
    if (live.job.memory.state.tag !== job.memory.state.tag) {
      live.sinceMs = nowMs;
      live.upload = null;
      live.audioShare = null;
      live.heard = null;
    }
    live.job = job;
    this.seq = Math.max(this.seq, job.seq);
    this.#queue(live);
  }

  touch(live: QueueEntry): void {
    this.seq += 1;
    live.job = { ...live.job, seq: this.seq };
  }

  rerank(live: QueueEntry, rank: number): void {
    this.seq += 1;
    live.job = { ...live.job, rank, seq: this.seq };
    this.#lastRank = Math.max(this.#lastRank, rank);
    if (this.toPrepare.has(live.job.id)) this.toPrepare.put(live.job);
    this.#queue(live);
  }

  #queue({ job }: QueueEntry): void {
    const { tag } = job.memory.state;
    if (tag === 'prepared') this.toSend.put(job);
    else this.toSend.delete(job.id);
    if (tag !== 'queued') this.toPrepare.delete(job.id);
  }
}

export function stopWork(live: QueueEntry): void {
  live.cancelTimer?.();
  live.cancelTimer = null;
  live.running?.abort();
  live.running = null;
  live.deferredRead = null;
}
