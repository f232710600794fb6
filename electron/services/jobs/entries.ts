import type { JobMemory } from '../../../shared/domain/jobs/job-state.ts';
import type { StoredJob } from '../library/store.ts';
import type { Settle } from './commands.ts';
import { Line } from './line.ts';
import type { QueuePorts } from './ports.ts';

type ParkedRead = (ports: QueuePorts, job: StoredJob, signal: AbortSignal) => Promise<Settle>;

/** A row and what is known of it only while the app runs. */
export interface Entry {
  job: StoredJob;
  upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  /** 0 to 1 of the sound is taken out of the recording; null while nothing is taken out. */
  soundShare: number | null;
  /** Unix milliseconds since when it is what it is. */
  sinceMs: number;
  /** When the bytes of this run's upload began and ended to leave; Unix milliseconds. */
  sentBetween: { readonly fromMs: number; readonly toMs: number | null } | null;
  /** The command under way, if any. */
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  /** A read that waits for the gate to open. */
  parked: ParkedRead | null;
}

/** The rows of the queue, with the number of the latest change. */
export class Entries {
  readonly #rows = new Map<string, Entry>();
  /** Rows that wait for a place among the uploads. */
  readonly line = new Line();
  /** Rows that wait to be read and hashed. */
  readonly toPrepare = new Line();
  seq = 0;
  #lastRank = 0;

  get(jobId: string): Entry | undefined {
    return this.#rows.get(jobId);
  }

  all(): IterableIterator<Entry> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The rank of a row that is added behind all others. */
  nextRank(): number {
    this.#lastRank = Math.floor(this.#lastRank) + 1;
    return this.#lastRank;
  }

  add(job: StoredJob, nowMs: number): Entry {
    const live = { upload: null, soundShare: null, sentBetween: null, running: null, cancelTimer: null, parked: null };
    const entry: Entry = { job, sinceMs: nowMs, ...live };
    this.#rows.set(job.id, entry);
    this.seq = Math.max(this.seq, job.seq);
    this.#lastRank = Math.max(this.#lastRank, job.rank);
    this.#queue(entry);
    return entry;
  }

  remove(jobId: string): void {
    const entry = this.#rows.get(jobId);
    if (entry === undefined) return;
    stopWork(entry);
    this.line.delete(jobId);
    this.toPrepare.delete(jobId);
    this.#rows.delete(jobId);
  }

  /** The row as it would be with another memory; `ahead` counts the changes that become durable before it. */
  next(entry: Entry, memory: JobMemory, ahead = 0): StoredJob {
    const sizeBytes = memory.intent?.sizeBytes ?? entry.job.sizeBytes;
    return { ...entry.job, sizeBytes, memory, seq: this.seq + 1 + ahead };
  }

  /** Takes over what is on disk now. */
  put(entry: Entry, job: StoredJob, nowMs: number): void {
    if (entry.job.memory.state.tag !== job.memory.state.tag) {
      entry.sinceMs = nowMs;
      entry.upload = null;
      entry.soundShare = null;
    }
    entry.job = job;
    this.seq = Math.max(this.seq, job.seq);
    this.#queue(entry);
  }

  /** Something changed that is not on disk (progress, place in line). */
  touch(entry: Entry): void {
    this.seq += 1;
    entry.job = { ...entry.job, seq: this.seq };
  }

  /** Gives a row another place in the order. */
  rerank(entry: Entry, rank: number): void {
    this.seq += 1;
    entry.job = { ...entry.job, rank, seq: this.seq };
    this.#lastRank = Math.max(this.#lastRank, rank);
    if (this.toPrepare.has(entry.job.id)) this.toPrepare.put(entry.job);
    this.#queue(entry);
  }

  #queue({ job }: Entry): void {
    const { tag } = job.memory.state;
    if (tag === 'prepared') this.line.put(job);
    else this.line.delete(job.id);
    if (tag !== 'queued') this.toPrepare.delete(job.id);
  }
}

/** Ends whatever runs or waits for this row. */
export function stopWork(entry: Entry): void {
  entry.cancelTimer?.();
  entry.cancelTimer = null;
  entry.running?.abort();
  entry.running = null;
  entry.parked = null;
}
