import type { JobMemory } from '../../../shared/domain/jobs/job-state.ts';
import type { StoredJob } from '../library/store.ts';
import type { Settle } from './commands.ts';
import type { QueuePorts } from './ports.ts';

type ParkedRead = (ports: QueuePorts, job: StoredJob, signal: AbortSignal) => Promise<Settle>;

/** A row and what is known of it only while the app runs. */
export interface Entry {
  job: StoredJob;
  upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  /** Unix milliseconds since when it is what it is. */
  sinceMs: number;
  /** The command under way, if any. */
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  /** A read that waits for the gate to open. */
  parked: ParkedRead | null;
}

/** The rows of the queue in the order they were added, with the number of the latest change. */
export class Entries {
  readonly #rows = new Map<string, Entry>();
  /** Rows that wait for a place among the uploads, in order. */
  readonly line = new Set<string>();
  seq = 0;

  get(jobId: string): Entry | undefined {
    return this.#rows.get(jobId);
  }

  all(): IterableIterator<Entry> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }

  add(job: StoredJob, nowMs: number): Entry {
    const entry: Entry = { job, upload: null, sinceMs: nowMs, running: null, cancelTimer: null, parked: null };
    this.#rows.set(job.id, entry);
    this.seq = Math.max(this.seq, job.seq);
    this.#queue(entry);
    return entry;
  }

  remove(jobId: string): void {
    const entry = this.#rows.get(jobId);
    if (entry === undefined) return;
    stopWork(entry);
    this.line.delete(jobId);
    this.#rows.delete(jobId);
  }

  /** The row as it would be with another memory. */
  next(entry: Entry, memory: JobMemory): StoredJob {
    const sizeBytes = memory.intent?.sizeBytes ?? entry.job.sizeBytes;
    return { ...entry.job, sizeBytes, memory, seq: this.seq + 1 };
  }

  /** Takes over what is on disk now. */
  put(entry: Entry, job: StoredJob, nowMs: number): void {
    if (entry.job.memory.state.tag !== job.memory.state.tag) {
      entry.sinceMs = nowMs;
      entry.upload = null;
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

  /** Place in line, from 1; 0 when it does not wait there. */
  placeOf(jobId: string): number {
    let place = 0;
    for (const id of this.line) {
      place += 1;
      if (id === jobId) return place;
    }
    return 0;
  }

  #queue(entry: Entry): void {
    if (entry.job.memory.state.tag === 'prepared') this.line.add(entry.job.id);
    else this.line.delete(entry.job.id);
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
