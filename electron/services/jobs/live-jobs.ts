import type { HeardAt, HeardView } from '../../../shared/domain/jobs/heard.ts';
import type { JobMemory } from '../../../shared/domain/jobs/job-state.ts';
import type { StoredJob } from '../library/store.ts';
import type { PersistOutcome } from './job-effects.ts';
import { RankedQueue } from './ranked-queue.ts';
import type { QueuePorts } from './ports.ts';

type DeferredRead = (ports: QueuePorts, job: StoredJob, signal: AbortSignal) => Promise<PersistOutcome>;

/** A row, and what is known about it only while the app runs. */
export interface LiveJob {
  job: StoredJob;
  upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  /** 0 to 1 of the audio is extracted from the recording; null while nothing is being extracted. */
  audioShare: number | null;
  /** How far the service is, and where this run saw it begin; null while it does not say. */
  heard: { readonly view: HeardView; readonly from: HeardAt } | null;
  /** Unix milliseconds at which it entered its state. */
  sinceMs: number;
  /** When this run's upload began and ended; Unix milliseconds. */
  sentBetween: { readonly fromMs: number; readonly toMs: number | null } | null;
  /** The command under way, if any. */
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  /** A read that waits for the gate to open. */
  deferredRead: DeferredRead | null;
}

/** The rows of the queue, with the number of the latest change. */
export class LiveJobs {
  readonly #rows = new Map<string, LiveJob>();
  /** Rows waiting for an upload slot. */
  readonly toSend = new RankedQueue();
  /** Rows that wait to be read and hashed. */
  readonly toPrepare = new RankedQueue();
  seq = 0;
  #lastRank = 0;

  get(jobId: string): LiveJob | undefined {
    return this.#rows.get(jobId);
  }

  all(): IterableIterator<LiveJob> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The rank of a row that is added at the end. */
  nextRank(): number {
    this.#lastRank = Math.floor(this.#lastRank) + 1;
    return this.#lastRank;
  }

  /** A row that was only queued so far waits to be prepared at once. */
  add(job: StoredJob, nowMs: number): LiveJob {
    const live: LiveJob = {
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

  /** The row with another memory; `ahead` counts the changes that become durable before it. */
  next(live: LiveJob, memory: JobMemory, ahead = 0): StoredJob {
    const sizeBytes = memory.intent?.sizeBytes ?? live.job.sizeBytes;
    return { ...live.job, sizeBytes, memory, seq: this.seq + 1 + ahead };
  }

  /** Takes over what is on disk now. */
  put(live: LiveJob, job: StoredJob, nowMs: number): void {
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

  /** Something changed that is not on disk (progress, position in the queue). */
  touch(live: LiveJob): void {
    this.seq += 1;
    live.job = { ...live.job, seq: this.seq };
  }

  /** Gives a row another place in the order. */
  rerank(live: LiveJob, rank: number): void {
    this.seq += 1;
    live.job = { ...live.job, rank, seq: this.seq };
    this.#lastRank = Math.max(this.#lastRank, rank);
    if (this.toPrepare.has(live.job.id)) this.toPrepare.put(live.job);
    this.#queue(live);
  }

  #queue({ job }: LiveJob): void {
    const { tag } = job.memory.state;
    if (tag === 'prepared') this.toSend.put(job);
    else this.toSend.delete(job.id);
    if (tag !== 'queued') this.toPrepare.delete(job.id);
  }
}

/** Ends everything that runs or waits for this row. */
export function stopWork(live: LiveJob): void {
  live.cancelTimer?.();
  live.cancelTimer = null;
  live.running?.abort();
  live.running = null;
  live.deferredRead = null;
}
