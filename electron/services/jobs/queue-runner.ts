import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../../shared/domain/jobs/machine.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Pace } from '../../../shared/domain/jobs/time-left.ts';
import type { JobOutput } from '../library/store.ts';
import { boundTo, type PersistOutcome } from './job-effects.ts';
import { LiveJobs, stopWork, type LiveJob } from './live-jobs.ts';
import type { QueuePorts } from './ports.ts';
import { KeyedTimers, waitAtMost } from './keyed-timers.ts';
import { ThroughputHistory } from './throughput-history.ts';
import { QueueWorkers } from './queue-workers.ts';
import { MissingFileWatcher } from './missing-file-watcher.ts';
import { QueueGate } from './queue-gate.ts';
import { commitTransitions, logTransition, type PendingTransition } from './commit-transitions.ts';

/** So many rows are ready to be sent while others are still added. */
const readyWhileAdding = 16;

/**
 * Runs the machine: stores each step, obeys its commands, reports back. Holds what no single job knows: how many
 * uploads run, whether the queue is stopped, and what waits for a disk that is full.
 */
export class QueueRunner {
  readonly entries = new LiveJobs();
  readonly #ports: QueuePorts;
  /** 1 to 8; uploads that run when it shrinks run to their end. */
  #uploadsAtOnce: number;
  readonly #changed: (jobId: string) => void;
  readonly #workers: QueueWorkers;
  readonly #pace: ThroughputHistory;
  readonly #timers: KeyedTimers;
  readonly gate: QueueGate;
  readonly #returning: MissingFileWatcher;
  #isRunning = false;
  /** Requests for many rows that are being written down. */
  #resting = 0;
  #adding = 0;

  constructor(
    ports: QueuePorts,
    uploadsAtOnce: number,
    changed: (jobId: string) => void,
    /** The way to the service seems to be mended. */
    reached: () => void,
  ) {
    this.#ports = ports;
    this.#uploadsAtOnce = uploadsAtOnce;
    this.#changed = changed;
    this.#pace = new ThroughputHistory(ports.store);
    this.#timers = new KeyedTimers(ports.clock, () => this.#isRunning);
    this.gate = new QueueGate(ports, this.#timers, this.entries, {
      changed,
      changedFront: () => this.#changedFront(),
      schedule: () => this.schedule(),
      unblock: (entry) => this.unblock(entry),
      runDeferredRead: (entry) => this.runDeferredRead(entry),
      reached: () => reached(),
    });
    this.#returning = new MissingFileWatcher(ports, this.#timers, this.entries, (entry) =>
      this.dispatch(entry, { type: 'retry', consent: false }),
    );
    this.#workers = new QueueWorkers(ports, {
      entries: this.entries,
      isRunning: () => this.#isRunning,
      mayRead: (jobId) => {
        if (!ports.isOnline()) this.gate.block('offline', makeFailure('E-001'));
        return this.gate.allowsReads(jobId);
      },
      changed,
      report: (entry, settle) => {
        this.#settle(entry, settle);
        this.schedule();
      },
      woke: (entry, attempt) => this.dispatch(entry, { type: 'woke', attempt }),
    });
  }

  /** Begins to work. With `takesUp` every row of the list goes on as an earlier run left it. */
  start(takesUp: 'everything' | 'attached'): Result<null> {
    this.#isRunning = true;
    if (takesUp === 'attached') return ok(null);
    const loaded = this.#ports.store.loadJobs();
    if (!loaded.ok) return loaded;
    this.#pace.load();
    this.gate.restorePaused();
    const now = this.#ports.clock.now();
    for (const job of loaded.value) this.entries.add(job, now);
    for (const entry of this.entries.all()) {
      const taken = this.resume(entry);
      if (!taken.ok) return taken;
      this.#returning.note(entry);
      const { state } = entry.job.memory;
      if (state.tag === 'blocked') this.gate.restoreBlock(state.by, state.failure);
    }
    this.schedule();
    return ok(null);
  }

  /** Goes on with a row that is new here or was left by an earlier run. */
  resume(entry: LiveJob): Result<null> {
    const step = recover(entry.job.memory);
    if (step.job !== entry.job.memory) {
      const now = this.#ports.clock.now();
      const next = this.entries.next(entry, step.job);
      const stored = this.#ports.store.commit(next, { type: 'recovered' }, now, null);
      if (!stored.ok) return stored;
      this.entries.put(entry, next, now);
    }
    this.#workers.execute(entry, step.commands);
    return ok(null);
  }

  /** Ends all work; what is on disk stays as it is and is taken up by the next start. */
  async stop(limitMs: number): Promise<void> {
    this.#isRunning = false;
    this.#pace.save();
    this.#timers.clear();
    for (const entry of this.entries.all()) stopWork(entry);
    await waitAtMost(limitMs, this.#workers.settled(), this.#ports.clock);
  }

  /** Stores what an event makes of a job, then does what follows from it. */
  apply(entry: LiveJob, event: JobEvent, output: JobOutput | null = null): Result<null> {
    return this.applyAll([{ entry, event, output }]);
  }

  /** The same for many rows in one transaction. */
  applyAll(happenings: readonly PendingTransition[]): Result<null> {
    const written = commitTransitions(this.#ports, this.entries, happenings);
    if (!written.ok) return written;
    for (const { entry, event, commands, hasChanged } of written.value) {
      if (hasChanged) {
        stopWork(entry);
        this.#changed(entry.job.id);
        this.#returning.note(entry);
        logTransition(this.#ports.log, entry.job);
        if (entry.job.memory.state.tag === 'done') this.#pace.learn(entry, this.#ports.clock.now());
      }
      this.gate.recordOutcome(entry, event, !hasChanged);
      this.#workers.execute(entry, commands);
    }
    this.schedule();
    return ok(null);
  }

  get pace(): Pace {
    return this.#pace.pace;
  }

  get uploadsAtOnce(): number {
    return this.#uploadsAtOnce;
  }

  setUploadsAtOnce(count: number): void {
    this.#uploadsAtOnce = count;
    this.schedule();
  }

  /** A person holds the whole queue, or lets it go on. Uploads under way go back to their place in line. */
  hold(isHeld: boolean): Result<null> {
    const saved = this.gate.setPaused(isHeld);
    if (!saved.ok) return saved;
    const sending = [...this.entries.all()].filter(({ job }) => job.memory.state.tag === 'sending');
    const sentBytes = new Map(sending.map((entry) => [entry, entry.upload?.sentBytes ?? 0]));
    const held = isHeld
      ? this.applyAll(sending.map((entry) => ({ entry, event: { type: 'hold' }, output: null })))
      : ok(null);
    if (held.ok) for (const [entry, bytes] of sentBytes) entry.heldAtBytes = isHeld ? bytes : 0;
    this.schedule();
    return held;
  }

  /** Begins nothing new while `work` goes on; what is under way goes on. */
  whileResting<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, (change) => (this.#resting += change));
  }

  /** Reads little ahead while `work` puts rows into the list: hashing would take the disk from it. */
  whileAdding<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, (change) => (this.#adding += change));
  }

  async #during<T>(work: () => Promise<T>, count: (change: 1 | -1) => void): Promise<T> {
    count(1);
    try {
      return await work();
    } finally {
      count(-1);
      this.schedule();
    }
  }

  /** Gives free places to whoever is next. */
  schedule(): void {
    if (!this.#isRunning || this.#resting > 0) return;
    // Also while everything is paused: what a file holds, and whether it was transcribed before, is good to know early.
    if (this.#adding === 0 || this.entries.toSend.size < readyWhileAdding) this.#workers.hashNext();
    if (this.entries.toSend.size === 0 || this.#workers.uploading >= this.#uploadsAtOnce || !this.gate.backlog.isEmpty)
      return;
    const connection = this.#ports.connection();
    if (!this.#ports.isOnline()) this.gate.block('offline', makeFailure('E-001'));
    else if (connection === null && this.gate.blockedBy === null) {
      this.gate.block('key', makeFailure('E-235', { code: 'no_key' }));
    }
    if (connection === null) return;
    while (this.#workers.uploading < this.#uploadsAtOnce) {
      const { trial } = this.gate.state;
      const [first] = this.entries.toSend.first(1);
      const next = typeof trial === 'object' && this.entries.toSend.has(trial.jobId) ? trial.jobId : first;
      const entry = next === undefined ? undefined : this.entries.get(next);
      if (entry === undefined) return;
      if (!this.gate.admit(entry.job.id)) {
        const { pauseLeftMs } = this.gate;
        if (pauseLeftMs > 0) this.#timers.set('pause', pauseLeftMs, () => this.#pauseIsOver());
        return;
      }
      if (!this.#go(entry, boundTo(connection)) || this.entries.toSend.has(entry.job.id)) return;
    }
  }

  /** Those who wait for the pause that is on, and not for a place in line. */
  #changedFront(): void {
    for (const id of this.entries.toSend.first(this.#uploadsAtOnce)) this.#changed(id);
  }

  #pauseIsOver(): void {
    this.#changedFront();
    this.schedule();
  }

  #go(entry: LiveJob, binding: string): boolean {
    const now = this.#ports.clock.now();
    const event = { type: 'go', boundTo: binding } as const;
    const step = transition(entry.job.memory, event, now);
    const next = this.entries.next(entry, step.job);
    const stored = this.#ports.store.commit(next, event, now, null);
    if (!stored.ok) {
      this.gate.waitForDisk(stored.error, () => ok(null));
      return false;
    }
    this.entries.put(entry, next, now);
    this.#changed(entry.job.id);
    logTransition(this.#ports.log, entry.job);
    this.#workers.execute(entry, step.commands);
    return true;
  }

  #settle(entry: LiveJob, settle: PersistOutcome): void {
    if (!this.#isRunning) return;
    const attempt = (): Result<null> => {
      const report = settle();
      return report.ok ? this.apply(entry, this.gate.classify(entry, report.value.event), report.value.output) : report;
    };
    const result = !this.gate.backlog.isEmpty
      ? err(this.gate.state.block?.failure ?? localFailure('E-180'))
      : attempt();
    if (!result.ok) this.gate.waitForDisk(result.error, attempt);
    else this.schedule();
  }

  /** What blocked it is gone, as far as others show. */
  unblock(entry: LiveJob): void {
    this.dispatch(entry, this.gate.classify(entry, { type: 'unblock' }));
  }

  runDeferredRead(entry: LiveJob): void {
    const { deferredRead: parked } = entry;
    entry.deferredRead = null;
    if (parked !== null) this.#workers.readLater(entry, 0, parked);
  }

  /** Measures a wait anew, Unix milliseconds: timers of some systems stand still while the computer sleeps. */
  waitUntil(entry: LiveJob, untilMs: number): void {
    this.#workers.execute(entry, [{ type: 'wake', atMs: untilMs }]);
  }

  /** Tells the machine what a person or the world did; a full disk lets it wait. */
  dispatch(entry: LiveJob, event: JobEvent): void {
    this.#settle(entry, () => ok({ event, output: null }));
  }
}
