import { assertNever, ok } from '../../../shared/result/result.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobCommand } from '../../../shared/domain/jobs/job-state.ts';
import { longestPauseMs, spread } from '../../../shared/domain/jobs/pace.ts';
import { runFetch, runLook, runPoll, runPrepare, runSend, type PersistOutcome } from './job-effects.ts';
import { stopWork, type LiveJobs, type LiveJob } from './live-jobs.ts';
import type { QueuePorts } from './ports.ts';

const hashesAtOnce = 2;
/** All polling together stays under five requests a second. */
const readPauseMs = 210;

type Read = typeof runPoll;

/** What the workers ask of the queue they work for. */
export interface WorkersHost {
  readonly entries: LiveJobs;
  isRunning(): boolean;
  /** Whether this item may read from the service now. */
  mayRead(jobId: string): boolean;
  changed(jobId: string): void;
  /** Something came back. */
  report(entry: LiveJob, settle: PersistOutcome): void;
  /** The time a waiting item was given is over. */
  woke(entry: LiveJob, attempt: number): void;
}

/** Obeys the machine's commands: starts them, limits how many run, and hands back what they led to. */
export class QueueWorkers {
  readonly #ports: QueuePorts;
  readonly #host: WorkersHost;
  readonly #work = new Set<Promise<void>>();
  #hashing = 0;
  #nextReadAt = 0;
  /** Who would read now, in the order they came; each has its turn, however many there are. */
  readonly #readers = new Set<{ readonly entry: LiveJob; readonly run: Read }>();
  #isTurnSet = false;
  #uploading = 0;

  constructor(ports: QueuePorts, host: WorkersHost) {
    this.#ports = ports;
    this.#host = host;
  }

  /** Uploads that run now. */
  get uploading(): number {
    return this.#uploading;
  }

  /** When everything that was started has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work);
  }

  execute(entry: LiveJob, commands: readonly JobCommand[]): void {
    for (const command of commands) {
      stopWork(entry);
      switch (command.type) {
        case 'abort':
          break;
        case 'prepare':
          this.#host.entries.toPrepare.put(entry.job);
          break;
        case 'send':
          this.#send(entry);
          break;
        case 'poll':
          this.readLater(entry, command.delayMs, runPoll);
          break;
        case 'look':
          this.readLater(entry, 0, runLook);
          break;
        case 'fetch':
          this.readLater(entry, command.delayMs, command.useExport ? runFetch : runPoll);
          break;
        case 'wake': {
          const { attempt } = entry.job.memory;
          // After a restart the clock may stand far from where it stood: no wait is longer than the longest there is.
          const waitMs = Math.min(longestPauseMs, Math.max(0, command.atMs - this.#ports.clock.now()));
          entry.cancelTimer = this.#ports.clock.after(waitMs, () => this.#host.woke(entry, attempt));
          break;
        }
        default:
          assertNever(command);
      }
    }
  }

  /** Hashes whoever is next, as many at once as the disk likes. */
  hashNext(): void {
    const { toPrepare } = this.#host.entries;
    while (this.#hashing < hashesAtOnce && toPrepare.size > 0) {
      const [id = ''] = toPrepare.first(1);
      toPrepare.delete(id);
      const entry = this.#host.entries.get(id);
      if (entry === undefined || entry.job.memory.state.tag !== 'queued' || entry.running !== null) continue;
      this.#hashing += 1;
      this.#run(
        entry,
        (signal) => runPrepare(this.#ports, entry.job, signal, (share) => this.#showShare(entry, share)),
        () => (this.#hashing -= 1),
      );
    }
  }

  #showShare(entry: LiveJob, share: number): void {
    if (entry.job.memory.state.tag !== 'queued' || !this.#host.isRunning()) return;
    entry.soundShare = share;
    this.#host.entries.touch(entry);
    this.#host.changed(entry.job.id);
  }

  /** Reads from the service after a while, in its turn; a read that may not happen then is parked until the gate opens. */
  readLater(entry: LiveJob, delayMs: number, run: Read): void {
    entry.cancelTimer = this.#ports.clock.after(spread(delayMs, this.#ports.random()), () => {
      const ticket = { entry, run };
      this.#readers.add(ticket);
      entry.cancelTimer = () => this.#readers.delete(ticket);
      this.#readNext();
    });
  }

  /** Lets the first of those who wait for their turn read, and the next one when its turn has come. */
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
      const { entry, run } = ticket;
      this.#readers.delete(ticket);
      entry.cancelTimer = null;
      if (!this.#host.isRunning()) continue;
      if (!this.#host.mayRead(entry.job.id)) {
        entry.deferredRead = run;
        continue;
      }
      this.#nextReadAt = now + readPauseMs;
      this.#run(
        entry,
        (signal) => run(this.#ports, entry.job, signal),
        () => undefined,
      );
    }
  }

  #send(entry: LiveJob): void {
    this.#uploading += 1;
    const { attempt } = entry.job.memory;
    const fromMs = this.#ports.clock.now();
    entry.sentBetween = { fromMs, toMs: null };
    const onProgress = (sentBytes: number, totalBytes: number) => {
      if (entry.job.memory.attempt !== attempt || !this.#host.isRunning()) return;
      if (sentBytes >= totalBytes) entry.sentBetween = { fromMs, toMs: this.#ports.clock.now() };
      entry.upload = { sentBytes, totalBytes };
      this.#host.entries.touch(entry);
      this.#host.changed(entry.job.id);
    };
    this.#run(
      entry,
      (signal) => runSend(this.#ports, entry.job, signal, onProgress),
      () => (this.#uploading -= 1),
    );
  }

  #run(entry: LiveJob, work: (signal: AbortSignal) => Promise<PersistOutcome>, done: () => void): void {
    const controller = new AbortController();
    entry.running = controller;
    const track = async (): Promise<void> => {
      const settle = await this.#guarded(entry, work(controller.signal));
      if (entry.running === controller) entry.running = null;
      done();
      this.#host.report(entry, settle);
    };
    const tracked: Promise<void> = track().finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** A throw is a bug of ours: the item asks its person, the others go on. */
  async #guarded(entry: LiveJob, work: Promise<PersistOutcome>): Promise<PersistOutcome> {
    try {
      return await work;
    } catch (error) {
      const code = error instanceof Error ? error.name : 'unknown';
      this.#ports.log.write({ event: 'job-bug', level: 'error', item: entry.job.id, code });
      return bugReport(entry, this.#ports.random());
    }
  }
}

/** What a bug of ours means for the job: whatever was under way has an unknown outcome. */
function bugReport(entry: LiveJob, roll: number): PersistOutcome {
  const { state, attempt } = entry.job.memory;
  const failure = makeFailure('E-230', { code: 'bug' });
  const types = { sending: 'send-failed', queued: 'prepare-failed', looking: 'look-failed' } as const;
  const type = Object.hasOwn(types, state.tag) ? types[state.tag as keyof typeof types] : 'poll-failed';
  return () => ok({ event: { type, attempt, failure, roll }, output: null });
}
