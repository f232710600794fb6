import { assertNever, ok } from '../../../shared/result/result.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobCommand } from '../../../shared/domain/jobs/job-state.ts';
import { longestPauseMs, spread } from '../../../shared/domain/jobs/pace.ts';
import { runFetch, runLook, runPoll, runPrepare, runSend, type SaveResult } from './job-effects.ts';
import { stopWork, type LiveJobs, type QueueEntry } from './live-jobs.ts';
import type { QueueDeps } from './ports.ts';

const hashesAtOnce = 2;
/** All polling together stays under five requests a second. */
const readPauseMs = 210;

type Read = typeof runPoll;

export interface WorkersHost {
  readonly liveJobs: LiveJobs;
  isRunning(): boolean;
  mayRead(jobId: string): boolean;
  changed(jobId: string): void;
  report(live: QueueEntry, settle: SaveResult): void;
  woke(live: QueueEntry, attempt: number): void;
}

/** Executes the state machine's commands: starts them, limits how many run, and returns their results. */
export class QueueWorkers {
  readonly #ports: QueueDeps;
  readonly #host: WorkersHost;
  readonly #work = new Set<Promise<void>>();
  #hashing = 0;
  #nextReadAt = 0;
  readonly #readers = new Set<{ readonly live: QueueEntry; readonly run: Read }>();
  #isTurnSet = false;
  #uploading = 0;

  constructor(ports: QueueDeps, host: WorkersHost) {
    this.#ports = ports;
    this.#host = host;
  }

  get uploading(): number {
    return this.#uploading;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }

  execute(live: QueueEntry, commands: readonly JobCommand[]): void {
    for (const command of commands) {
      stopWork(live);
      switch (command.type) {
        case 'abort':
          break;
        case 'prepare':
          this.#host.liveJobs.toPrepare.put(live.job);
          break;
        case 'send':
          this.#send(live);
          break;
        case 'poll':
          this.readLater(live, command.delayMs, runPoll);
          break;
        case 'look':
          this.readLater(live, 0, runLook);
          break;
        case 'fetch':
          this.readLater(live, command.delayMs, command.useExport ? runFetch : runPoll);
          break;
        case 'wake': {
          const { attempt, state } = live.job.memory;
          const askedMs = state.tag === 'waiting' ? (state.failure.retryAfterMs ?? 0) : 0;
          // After a restart the clock may be far off, so no wait is longer than the longest possible one.
          const waitMs = Math.min(longestPauseMs + askedMs, Math.max(0, command.atMs - this.#ports.clock.now()));
          live.cancelTimer = this.#ports.clock.after(waitMs, () => this.#host.woke(live, attempt));
          break;
        }
        default:
          assertNever(command);
      }
    }
  }

  hashNext(): void {
    const { toPrepare } = this.#host.liveJobs;
    while (this.#hashing < hashesAtOnce && toPrepare.size > 0) {
      const [id = ''] = toPrepare.first(1);
      toPrepare.delete(id);
      const live = this.#host.liveJobs.get(id);
      if (live === undefined || live.job.memory.state.tag !== 'queued' || live.running !== null) continue;
      this.#hashing += 1;
      this.#run(
        live,
        (signal) => runPrepare(this.#ports, live.job, signal, (share) => this.#showShare(live, share)),
        () => (this.#hashing -= 1),
      );
    }
  }

  #showShare(live: QueueEntry, share: number): void {
    if (live.job.memory.state.tag !== 'queued' || !this.#host.isRunning()) return;
    live.audioShare = share;
    this.#host.liveJobs.touch(live);
    this.#host.changed(live.job.id);
  }

  /** A read that the gate forbids when its turn comes is deferred until the gate opens. */
  readLater(live: QueueEntry, delayMs: number, run: Read): void {
    live.cancelTimer = this.#ports.clock.after(spread(delayMs, this.#ports.random()), () => {
      const ticket = { live, run };
      this.#readers.add(ticket);
      live.cancelTimer = () => this.#readers.delete(ticket);
      this.#readNext();
    });
  }

  #readNext(): void {
    if (this.#isTurnSet) return;
    for (const ticket of this.#readers) {
      const now = this.#ports.clock.monotonic();
      const turnInMs = this.#nextReadAt - now;
      if (turnInMs > 0) {
        this.#isTurnSet = true;
        this.#ports.clock.after(turnInMs, () => {
          this.#isTurnSet = false;
          this.#readNext();
        });
        return;
      }
      const { live, run } = ticket;
      this.#readers.delete(ticket);
      live.cancelTimer = null;
      if (!this.#host.isRunning()) continue;
      if (!this.#host.mayRead(live.job.id)) {
        live.deferredRead = run;
        continue;
      }
      this.#nextReadAt = now + readPauseMs;
      this.#run(
        live,
        (signal) => run(this.#ports, live.job, signal),
        () => undefined,
      );
    }
  }

  #send(live: QueueEntry): void {
    this.#uploading += 1;
    const { attempt } = live.job.memory;
    const fromMs = this.#ports.clock.now();
    live.sentBetween = { fromMs, toMs: null };
    const onProgress = (sentBytes: number, totalBytes: number) => {
      if (live.job.memory.attempt !== attempt || !this.#host.isRunning()) return;
      if (sentBytes >= totalBytes) live.sentBetween = { fromMs, toMs: this.#ports.clock.now() };
      live.upload = { sentBytes, totalBytes };
      this.#host.liveJobs.touch(live);
      this.#host.changed(live.job.id);
    };
    this.#run(
      live,
      (signal) => runSend(this.#ports, live.job, signal, onProgress),
      () => (this.#uploading -= 1),
    );
  }

  #run(live: QueueEntry, work: (signal: AbortSignal) => Promise<SaveResult>, done: () => void): void {
    const controller = new AbortController();
    live.running = controller;
    const track = async (): Promise<void> => {
      const settle = await this.#guarded(live, work(controller.signal));
      if (live.running === controller) live.running = null;
      done();
      this.#host.report(live, settle);
    };
    const tracked: Promise<void> = track().finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** A throw is a bug of ours: this item asks the user, the others go on. */
  async #guarded(live: QueueEntry, work: Promise<SaveResult>): Promise<SaveResult> {
    try {
      return await work;
    } catch (error) {
      const code = error instanceof Error ? error.name : 'unknown';
      this.#ports.log.write({ event: 'job-bug', level: 'error', item: live.job.id, code });
      return bugReport(live, this.#ports.random());
    }
  }
}

function bugReport(live: QueueEntry, roll: number): SaveResult {
  const { state, attempt } = live.job.memory;
  const failure = makeFailure('internal-error', { code: 'bug' });
  const types = { sending: 'send-failed', queued: 'prepare-failed', looking: 'look-failed' } as const;
  const type = Object.hasOwn(types, state.tag) ? types[state.tag as keyof typeof types] : 'poll-failed';
  return () => ok({ event: { type, attempt, failure, roll }, output: null });
}
