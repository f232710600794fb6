import { err, ok, type Result } from '../../../shared/result/result.ts';
import { admit, allowsReads, close, pauseEndsAtMs, type Gate } from '../../../shared/domain/jobs/gate.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../../shared/domain/jobs/machine.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Pace } from '../../../shared/domain/jobs/time-left.ts';
import type { NewTranscript } from '../library/store.ts';
import { boundTo, type Settle } from './commands.ts';
import { Entries, stopWork, type Entry } from './entries.ts';
import type { QueuePorts } from './ports.ts';
import { logStep } from './log-step.ts';
import { NamedTimers } from './named-timers.ts';
import { PaceMemory } from './pace-memory.ts';
import { QueueWorkers } from './queue-workers.ts';
import { ReturningFiles } from './returning-files.ts';
import { wasHeld } from './queue-note.ts';
import { QueueStops } from './queue-stops.ts';
import { within } from './within.ts';
import { writeSteps, type Happening } from './write-steps.ts';

/** So many rows are ready to be sent while others are still added. */
const readyWhileAdding = 16;

/**
 * Runs the machine: stores each step, obeys its commands, reports back. Holds what no single job knows: how many
 * uploads run, whether the queue is stopped, and what waits for a disk that is full.
 */
export class QueueRunner {
  readonly entries = new Entries();
  readonly #ports: QueuePorts;
  /** 1 to 8; uploads that run when it shrinks run to their end. */
  #uploadsAtOnce: number;
  readonly #changed: (jobId: string) => void;
  readonly #workers: QueueWorkers;
  readonly #pace: PaceMemory;
  readonly #timers: NamedTimers;
  readonly #stops: QueueStops;
  readonly #returning: ReturningFiles;
  #isRunning = false;
  /** Wishes for many rows that are being written down. */
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
    this.#pace = new PaceMemory(ports.store);
    this.#timers = new NamedTimers(ports.clock, () => this.#isRunning);
    this.#stops = new QueueStops(ports, this.#timers, this.entries, {
      changed,
      changedFront: () => this.#changedFront(),
      schedule: () => this.schedule(),
      unblock: (entry) => this.unblock(entry),
      unpark: (entry) => this.unpark(entry),
      reached: () => reached(),
    });
    this.#returning = new ReturningFiles(ports, this.#timers, this.entries, (entry) =>
      this.tell(entry, { type: 'retry', consent: false }),
    );
    this.#workers = new QueueWorkers(ports, {
      entries: this.entries,
      isRunning: () => this.#isRunning,
      mayRead: (jobId) => {
        if (!ports.isOnline()) this.#stops.block('offline', makeFailure('E-001'));
        return allowsReads(this.gate, jobId);
      },
      changed,
      report: (entry, settle) => {
        this.#settle(entry, settle);
        this.schedule();
      },
      woke: (entry, attempt) => this.tell(entry, { type: 'woke', attempt }),
    });
  }

  get gate(): Gate {
    return this.#stops.gate;
  }

  set gate(gate: Gate) {
    this.#stops.gate = gate;
  }

  /** Begins to work. With `takesUp` every row of the list goes on as an earlier run left it. */
  start(takesUp: 'everything' | 'attached'): Result<null> {
    this.#isRunning = true;
    if (takesUp === 'attached') return ok(null);
    const loaded = this.#ports.store.loadJobs();
    if (!loaded.ok) return loaded;
    this.#pace.load();
    this.gate = { ...this.gate, isHeld: wasHeld(this.#ports.store) };
    const now = this.#ports.clock.now();
    for (const job of loaded.value) this.entries.add(job, now);
    for (const entry of this.entries.all()) {
      const taken = this.takeUp(entry);
      if (!taken.ok) return taken;
      this.#returning.note(entry);
      const { state } = entry.job.memory;
      if (state.tag === 'blocked' && this.gate.block === null) this.gate = close(this.gate, state.by, state.failure);
    }
    this.schedule();
    return ok(null);
  }

  /** Goes on with a row that is new here or was left by an earlier run. */
  takeUp(entry: Entry): Result<null> {
    const step = recover(entry.job.memory);
    if (step.job !== entry.job.memory) {
      const now = this.#ports.clock.now();
      const next = this.entries.next(entry, step.job);
      const stored = this.#ports.store.commit(next, { type: 'recovered' }, now, null);
      if (!stored.ok) return stored;
      this.entries.put(entry, next, now);
    }
    this.#workers.obey(entry, step.commands);
    return ok(null);
  }

  /** Ends all work; what is on disk stays as it is and is taken up by the next start. */
  async stop(limitMs: number): Promise<void> {
    this.#isRunning = false;
    this.#pace.save();
    this.#timers.clear();
    for (const entry of this.entries.all()) stopWork(entry);
    await within(limitMs, this.#workers.settled(), this.#ports.clock);
  }

  /** Stores what an event makes of a job, then does what follows from it. */
  apply(entry: Entry, event: JobEvent, text: NewTranscript | null = null): Result<null> {
    return this.applyAll([{ entry, event, text }]);
  }

  /** The same for many rows in one transaction. */
  applyAll(happenings: readonly Happening[]): Result<null> {
    const written = writeSteps(this.#ports, this.entries, happenings);
    if (!written.ok) return written;
    for (const { entry, event, commands, hasChanged } of written.value) {
      if (hasChanged) {
        stopWork(entry);
        this.#changed(entry.job.id);
        this.#returning.note(entry);
        logStep(this.#ports.log, entry.job);
        if (entry.job.memory.state.tag === 'done') this.#pace.learn(entry, this.#ports.clock.now());
      }
      this.#stops.learn(entry, event, !hasChanged);
      this.#workers.obey(entry, commands);
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
    const saved = this.#ports.store.saveNote('queue', JSON.stringify({ isHeld }));
    if (!saved.ok) return saved;
    this.gate = { ...this.gate, isHeld };
    const sending = [...this.entries.all()].filter(({ job }) => job.memory.state.tag === 'sending');
    const held = isHeld
      ? this.applyAll(sending.map((entry) => ({ entry, event: { type: 'hold' }, text: null })))
      : ok(null);
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
    if (this.#adding === 0 || this.entries.line.size < readyWhileAdding) this.#workers.hashNext();
    if (this.entries.line.size === 0 || this.#workers.uploading >= this.#uploadsAtOnce || !this.#stops.backlog.isEmpty)
      return;
    const connection = this.#ports.connection();
    if (!this.#ports.isOnline()) this.#stops.block('offline', makeFailure('E-001'));
    else if (connection === null && this.gate.block === null) {
      this.#stops.block('key', makeFailure('E-235', { code: 'no_key' }));
    }
    if (connection === null) return;
    // The pause of the gate counts on the clock that can't be moved.
    const now = this.#ports.clock.monotonic();
    while (this.#workers.uploading < this.#uploadsAtOnce) {
      const { trial } = this.gate;
      const [first] = this.entries.line.first(1);
      const next = typeof trial === 'object' && this.entries.line.has(trial.jobId) ? trial.jobId : first;
      const entry = next === undefined ? undefined : this.entries.get(next);
      if (entry === undefined) return;
      const { isAdmitted, gate } = admit(this.gate, entry.job.id, now);
      if (!isAdmitted) {
        const endsAtMs = pauseEndsAtMs(this.gate);
        if (now < endsAtMs) this.#timers.set('pause', endsAtMs - now, () => this.#pauseIsOver());
        return;
      }
      this.gate = gate;
      if (!this.#go(entry, boundTo(connection)) || this.entries.line.has(entry.job.id)) return;
    }
  }

  /** Those who wait for the pause that is on, and not for a place in line. */
  #changedFront(): void {
    for (const id of this.entries.line.first(this.#uploadsAtOnce)) this.#changed(id);
  }

  #pauseIsOver(): void {
    this.#changedFront();
    this.schedule();
  }

  #go(entry: Entry, binding: string): boolean {
    const now = this.#ports.clock.now();
    const event = { type: 'go', boundTo: binding } as const;
    const step = transition(entry.job.memory, event, now);
    const next = this.entries.next(entry, step.job);
    const stored = this.#ports.store.commit(next, event, now, null);
    if (!stored.ok) {
      this.#stops.waitForDisk(stored.error, () => ok(null));
      return false;
    }
    this.entries.put(entry, next, now);
    this.#changed(entry.job.id);
    for (const id of this.entries.line.first(100)) this.#changed(id);
    logStep(this.#ports.log, entry.job);
    this.#workers.obey(entry, step.commands);
    return true;
  }

  #settle(entry: Entry, settle: Settle): void {
    if (!this.#isRunning) return;
    const attempt = (): Result<null> => {
      const report = settle();
      return report.ok ? this.apply(entry, this.#stops.judged(entry, report.value.event), report.value.text) : report;
    };
    const result = !this.#stops.backlog.isEmpty ? err(this.gate.block?.failure ?? localFailure('E-180')) : attempt();
    if (!result.ok) this.#stops.waitForDisk(result.error, attempt);
    else this.schedule();
  }

  readonly openIfOnline = (): void => this.#stops.openIfOnline();
  readonly openIfOnce = (): void => this.#stops.openIfOnce();

  /** What blocked it is gone, as far as others show. */
  unblock(entry: Entry): void {
    this.tell(entry, this.#stops.judged(entry, { type: 'unblock' }));
  }

  unpark(entry: Entry): void {
    const { parked } = entry;
    entry.parked = null;
    if (parked !== null) this.#workers.readLater(entry, 0, parked);
  }

  /** Measures a wait anew, Unix milliseconds: timers of some systems stand still while the computer sleeps. */
  waitUntil(entry: Entry, untilMs: number): void {
    this.#workers.obey(entry, [{ type: 'wake', atMs: untilMs }]);
  }

  /** Tells the machine what a person or the world did; a full disk lets it wait. */
  tell(entry: Entry, event: JobEvent): void {
    this.#settle(entry, () => ok({ event, text: null }));
  }
}
