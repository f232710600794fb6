import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { heardView, measureFactor, type Heard } from '../../../shared/domain/jobs/heard.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../../shared/domain/jobs/machine.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Pace } from '../../../shared/domain/jobs/time-left.ts';
import type { JobOutput } from '../library/store.ts';
import { boundTo, type PersistOutcome } from './job-effects.ts';
import { LiveJobs, stopWork, type LiveJob } from './live-jobs.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { QueuePorts } from './ports.ts';
import { KeyedTimers, waitAtMost } from './keyed-timers.ts';
import { ThroughputHistory } from './throughput-history.ts';
import { QueueWorkers } from './queue-workers.ts';
import { MissingFileWatcher } from './missing-file-watcher.ts';
import { QueueGate } from './queue-gate.ts';
import { commitTransitions, logTransition, type PendingTransition } from './commit-transitions.ts';

/** How many rows are prepared for sending while others are still being added. */
const readyWhileAdding = 16;

/**
 * Runs the state machine: stores each transition, executes its commands, reports results back. Holds what no single job
 * knows: how many uploads run, whether the queue is stopped, and what waits for a full disk.
 */
export class QueueRunner {
  readonly liveJobs = new LiveJobs();
  readonly #ports: QueuePorts;
  /** 1 to 8; when it shrinks, running uploads finish. */
  #uploadsAtOnce: number;
  readonly #feed: ChangeFeed;
  readonly #workers: QueueWorkers;
  readonly #pace: ThroughputHistory;
  readonly #timers: KeyedTimers;
  readonly gate: QueueGate;
  readonly #returning: MissingFileWatcher;
  #isRunning = false;
  /** Time of work per time of audio as last measured; null: not yet. */
  #factor: number | null = null;
  /** Requests for many rows that are being written. */
  #resting = 0;
  #adding = 0;

  constructor(
    ports: QueuePorts,
    uploadsAtOnce: number,
    feed: ChangeFeed,
    /** The service seems to be reachable again. */
    reached: () => void,
  ) {
    this.#ports = ports;
    this.#uploadsAtOnce = uploadsAtOnce;
    this.#feed = feed;
    const changed = (jobId: string): void => feed.changed(jobId);
    this.#pace = new ThroughputHistory(ports.store);
    this.#timers = new KeyedTimers(ports.clock, () => this.#isRunning);
    this.gate = new QueueGate(ports, this.#timers, this.liveJobs, {
      changed,
      changedFront: () => this.#changedFront(),
      schedule: () => this.schedule(),
      unblock: (live) => this.unblock(live),
      runDeferredRead: (live) => this.runDeferredRead(live),
      reached: () => reached(),
    });
    this.#returning = new MissingFileWatcher(ports, this.#timers, this.liveJobs, (live) =>
      this.dispatch(live, { type: 'retry', consent: false }),
    );
    this.#workers = new QueueWorkers(ports, {
      liveJobs: this.liveJobs,
      isRunning: () => this.#isRunning,
      mayRead: (jobId) => {
        if (!ports.isOnline()) this.gate.block('offline', makeFailure('E-001'));
        return this.gate.allowsReads(jobId);
      },
      changed,
      report: (live, settle) => {
        this.#settle(live, settle);
        this.schedule();
      },
      woke: (live, attempt) => this.dispatch(live, { type: 'woke', attempt }),
    });
  }

  /** Starts working. With `takesUp: 'everything'` every row continues where an earlier run left it. */
  start(takesUp: 'everything' | 'attached'): Result<null> {
    this.#isRunning = true;
    if (takesUp === 'attached') return ok(null);
    const loaded = this.#ports.store.loadJobs();
    if (!loaded.ok) return loaded;
    this.#pace.load();
    this.gate.restorePaused();
    const now = this.#ports.clock.now();
    for (const job of loaded.value) this.liveJobs.add(job, now);
    for (const live of this.liveJobs.all()) {
      const taken = this.resume(live);
      if (!taken.ok) return taken;
      this.#returning.note(live);
      const { state } = live.job.memory;
      if (state.tag === 'blocked') this.gate.restoreBlock(state.by, state.failure);
    }
    this.schedule();
    return ok(null);
  }

  /** Continues a row that is new here or was left by an earlier run. */
  resume(live: LiveJob): Result<null> {
    const step = recover(live.job.memory);
    if (step.job !== live.job.memory) {
      const now = this.#ports.clock.now();
      const next = this.liveJobs.next(live, step.job);
      const stored = this.#ports.store.commit(next, { type: 'recovered' }, now, null);
      if (!stored.ok) return stored;
      this.liveJobs.put(live, next, now);
    }
    this.#workers.execute(live, step.commands);
    return ok(null);
  }

  /** Ends all work; what is on disk stays as it is and continues with the next start. */
  async stop(limitMs: number): Promise<void> {
    this.#isRunning = false;
    this.#pace.save();
    this.#timers.clear();
    for (const live of this.liveJobs.all()) stopWork(live);
    await waitAtMost(limitMs, this.#workers.settled(), this.#ports.clock);
  }

  /** Stores the result of an event, then executes what follows from it. */
  apply(live: LiveJob, event: JobEvent, output: JobOutput | null = null): Result<null> {
    return this.applyAll([{ live, event, output }]);
  }

  /** The same for many rows in one transaction. */
  applyAll(happenings: readonly PendingTransition[]): Result<null> {
    const written = commitTransitions(this.#ports, this.liveJobs, happenings);
    if (!written.ok) return written;
    for (const { live, event, commands, hasChanged } of written.value) {
      if (hasChanged) {
        stopWork(live);
        this.#feed.changed(live.job.id);
        this.#returning.note(live);
        logTransition(this.#ports.log, live.job);
        if (event.type === 'cancel') this.#endAtService(live);
        if (live.job.memory.state.tag === 'done') this.#pace.learn(live, this.#ports.clock.now());
      }
      if (event.type === 'polled' && event.answer.heard !== undefined) this.#noteHeard(live, event.answer.heard);
      this.gate.recordOutcome(live, event, !hasChanged);
      this.#workers.execute(live, commands);
    }
    this.schedule();
    return ok(null);
  }

  #noteHeard(live: LiveJob, heard: Heard): void {
    if (live.job.memory.state.tag !== 'polling') return;
    const { durationMs } = live.job;
    const now = { share: heard.share, atMs: this.#ports.clock.monotonic() };
    const from = live.heard?.from ?? now;
    this.#factor = measureFactor(from, now, durationMs) ?? this.#factor;
    live.heard = { view: heardView(heard, durationMs, this.#factor), from };
    this.liveJobs.touch(live);
    this.#feed.changed(live.job.id);
  }

  /** This computer stops its work, which would only keep other recordings waiting. */
  #endAtService({ job: { kind, memory } }: LiveJob): void {
    const remoteId = memory.intent?.remoteId ?? null;
    if (this.#ports.origin !== 'local' || remoteId === null) return;
    const { api, client } = this.#ports;
    void (kind === 'transcribe' ? api.remove(remoteId) : client.isolate.remove(remoteId));
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

  /** The user pauses the whole queue, or resumes it. Uploads under way finish: stopped, they would start over. */
  hold(isHeld: boolean): Result<null> {
    const saved = this.gate.setPaused(isHeld);
    this.schedule();
    return saved;
  }

  /** Starts nothing new during `work`; what is under way goes on. */
  whileResting<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, (change) => (this.#resting += change));
  }

  /** Reads little ahead while `work` adds rows to the list, because hashing would compete for the disk. */
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

  /** Gives free slots to the next rows. */
  schedule(): void {
    if (!this.#isRunning || this.#resting > 0) return;
    // Also while everything is paused: it is useful to know early what a file contains and whether it was transcribed
    // before.
    if (this.#adding === 0 || this.liveJobs.toSend.size < readyWhileAdding) this.#workers.hashNext();
    if (this.liveJobs.toSend.size === 0 || this.#workers.uploading >= this.#uploadsAtOnce || !this.gate.backlog.isEmpty)
      return;
    const connection = this.#ports.connection();
    if (!this.#ports.isOnline()) this.gate.block('offline', makeFailure('E-001'));
    else if (connection === null && this.gate.blockedBy === null) {
      this.gate.block('key', makeFailure('E-235', { code: 'no_key' }));
    }
    if (connection === null) return;
    while (this.#workers.uploading < this.#uploadsAtOnce) {
      const { trial } = this.gate.state;
      const [first] = this.liveJobs.toSend.first(1);
      const next = typeof trial === 'object' && this.liveJobs.toSend.has(trial.jobId) ? trial.jobId : first;
      const live = next === undefined ? undefined : this.liveJobs.get(next);
      if (live === undefined) return;
      if (!this.gate.admit(live.job.id)) {
        const { pauseLeftMs } = this.gate;
        if (pauseLeftMs > 0) this.#timers.set('pause', pauseLeftMs, () => this.#pauseIsOver());
        return;
      }
      if (!this.#go(live, boundTo(connection, live.job)) || this.liveJobs.toSend.has(live.job.id)) return;
    }
  }

  /** The rows that wait for the pause itself, and not for a position in the queue. */
  #changedFront(): void {
    for (const id of this.liveJobs.toSend.first(this.#uploadsAtOnce)) this.#feed.changed(id);
  }

  #pauseIsOver(): void {
    this.#changedFront();
    this.schedule();
  }

  #go(live: LiveJob, binding: string): boolean {
    const now = this.#ports.clock.now();
    const event = { type: 'go', boundTo: binding } as const;
    const step = transition(live.job.memory, event, now);
    const next = this.liveJobs.next(live, step.job);
    const stored = this.#ports.store.commit(next, event, now, null);
    if (!stored.ok) {
      this.gate.waitForDisk(stored.error, () => ok(null));
      return false;
    }
    this.liveJobs.put(live, next, now);
    this.#feed.changed(live.job.id);
    logTransition(this.#ports.log, live.job);
    this.#workers.execute(live, step.commands);
    return true;
  }

  #settle(live: LiveJob, settle: PersistOutcome): void {
    if (!this.#isRunning) return;
    const attempt = (): Result<null> => {
      const report = settle();
      if (!report.ok) return report;
      const event = this.gate.classify(live, report.value.event);
      return this.applyAll([{ live, event, output: report.value.output }]);
    };
    const result = !this.gate.backlog.isEmpty
      ? err(this.gate.state.block?.failure ?? localFailure('E-180'))
      : attempt();
    if (!result.ok) this.gate.waitForDisk(result.error, attempt);
    else this.schedule();
  }

  /** The obstacle of a blocked row is gone, as far as others show. */
  unblock(live: LiveJob): void {
    this.dispatch(live, this.gate.classify(live, { type: 'unblock' }));
  }

  runDeferredRead(live: LiveJob): void {
    const { deferredRead } = live;
    live.deferredRead = null;
    if (deferredRead !== null) this.#workers.readLater(live, 0, deferredRead);
  }

  /** Restarts a wait until a Unix time, because timers of some systems stop while the computer sleeps. */
  waitUntil(live: LiveJob, untilMs: number): void {
    this.#workers.execute(live, [{ type: 'wake', atMs: untilMs }]);
  }

  /** Passes an action of the user or an outside change to the state machine; a full disk postpones it. */
  dispatch(live: LiveJob, event: JobEvent): void {
    this.#settle(live, () => ok({ event, output: null }));
  }
}
