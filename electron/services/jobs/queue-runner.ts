import { err, ok, type Result } from '../../../shared/result/result.ts';
import { planFor } from '../../../shared/domain/jobs/decide-failure.ts';
import {
  admit,
  allowsReads,
  close,
  openGate,
  passed,
  pause,
  trialEnded,
  type Gate,
} from '../../../shared/domain/jobs/gate.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { isFinal, type BlockedBy, type JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../../shared/domain/jobs/machine.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { StoredTranscript } from '../library/store.ts';
import { boundTo, type Settle } from './commands.ts';
import { DiskBacklog } from './disk-backlog.ts';
import { Entries, stopWork, type Entry } from './entries.ts';
import type { QueuePorts } from './ports.ts';
import { QueueWorkers } from './queue-workers.ts';

const offlineCheckMs = 30_000;
/** Of two reasons to stop the heavier is shown and has to be lifted first. */
const weight: readonly BlockedBy[] = ['credits', 'permission', 'service', 'key', 'offline', 'disk'];

/**
 * Runs the machine: stores each step, obeys its commands, reports back. Holds what no single job knows: how many
 * uploads run, whether the queue is stopped, and what waits for a disk that is full.
 */
export class QueueRunner {
  readonly entries = new Entries();
  gate: Gate = openGate;
  readonly #ports: QueuePorts;
  readonly #uploadsAtOnce: number;
  readonly #changed: (jobId: string) => void;
  readonly #workers: QueueWorkers;
  readonly #backlog = new DiskBacklog();
  readonly #timers = new Map<string, () => void>();
  #isRunning = false;

  constructor(ports: QueuePorts, uploadsAtOnce: number, changed: (jobId: string) => void) {
    this.#ports = ports;
    this.#uploadsAtOnce = uploadsAtOnce;
    this.#changed = changed;
    this.#workers = new QueueWorkers(ports, {
      entries: this.entries,
      isRunning: () => this.#isRunning,
      mayRead: (jobId) => {
        if (!ports.isOnline()) this.#block('offline', makeFailure('E-001'));
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

  /** Begins to work. With `takesUp` every row of the list goes on as an earlier run left it. */
  start(takesUp: 'everything' | 'attached'): Result<null> {
    this.#isRunning = true;
    if (takesUp === 'attached') return ok(null);
    const loaded = this.#ports.store.loadJobs();
    if (!loaded.ok) return loaded;
    const now = this.#ports.clock.now();
    for (const job of loaded.value) this.entries.add(job, now);
    for (const entry of this.entries.all()) {
      const taken = this.takeUp(entry);
      if (!taken.ok) return taken;
      this.#changed(entry.job.id);
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
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    for (const entry of this.entries.all()) stopWork(entry);
    let cancelLimit: (() => void) | null = null;
    const limit = new Promise<void>((resolve) => {
      cancelLimit = this.#ports.clock.after(limitMs, resolve);
    });
    await Promise.race([this.#workers.settled(), limit]);
    (cancelLimit as (() => void) | null)?.();
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Stores what an event makes of a job, then does what follows from it. */
  apply(entry: Entry, event: JobEvent, text: StoredTranscript | null = null): Result<null> {
    const now = this.#ports.clock.now();
    const before = entry.job.memory;
    const step = transition(before, event, now);
    if (step.job !== before) {
      const finished = step.job.state.tag === 'done' ? text : null;
      const moved = this.entries.next(entry, step.job);
      // Headers of some formats don't tell the length; the service has heard all of it.
      const next = { ...moved, durationMs: moved.durationMs ?? finished?.transcript.durationMs ?? null };
      const stored = this.#ports.store.commit(next, event, now, finished);
      if (!stored.ok) return stored;
      this.entries.put(entry, next, now);
      stopWork(entry);
      this.#changed(entry.job.id);
      this.#log(entry);
    }
    this.#learn(entry, event, step.job === before);
    this.#workers.obey(entry, step.commands);
    this.schedule();
    return ok(null);
  }

  /** Gives free places to whoever is next. */
  schedule(): void {
    if (!this.#isRunning) return;
    this.#workers.hashNext();
    if (this.entries.line.size === 0 || this.#workers.uploading >= this.#uploadsAtOnce || !this.#backlog.isEmpty)
      return;
    const connection = this.#ports.connection();
    if (!this.#ports.isOnline()) this.#block('offline', makeFailure('E-001'));
    else if (connection === null && this.gate.block === null) {
      this.#block('key', makeFailure('E-235', { code: 'no_key' }));
    }
    if (connection === null) return;
    const now = this.#ports.clock.now();
    for (const id of this.entries.line) {
      if (this.#workers.uploading >= this.#uploadsAtOnce) return;
      const entry = this.entries.get(id);
      if (entry === undefined) continue;
      const { isAdmitted, gate } = admit(this.gate, id, now);
      if (!isAdmitted) {
        if (now < this.gate.pausedUntilMs) this.#timer('pause', this.gate.pausedUntilMs - now, () => this.schedule());
        if (typeof this.gate.trial === 'object' && this.entries.line.has(this.gate.trial.jobId)) continue;
        return;
      }
      this.gate = gate;
      if (!this.#go(entry, boundTo(connection))) return;
    }
  }

  #go(entry: Entry, binding: string): boolean {
    const now = this.#ports.clock.now();
    const event = { type: 'go', boundTo: binding } as const;
    const step = transition(entry.job.memory, event, now);
    const next = this.entries.next(entry, step.job);
    const stored = this.#ports.store.commit(next, event, now, null);
    if (!stored.ok) {
      this.#waitForDisk(stored.error, () => ok(null));
      return false;
    }
    this.entries.put(entry, next, now);
    this.#changed(entry.job.id);
    for (const id of [...this.entries.line].slice(0, 100)) this.#changed(id);
    this.#log(entry);
    this.#workers.obey(entry, step.commands);
    return true;
  }

  #settle(entry: Entry, settle: Settle): void {
    if (!this.#isRunning) return;
    const attempt = (): Result<null> => {
      const report = settle();
      return report.ok ? this.apply(entry, report.value.event, report.value.text) : report;
    };
    const result = !this.#backlog.isEmpty ? err(this.gate.block?.failure ?? localFailure('E-180')) : attempt();
    if (!result.ok) this.#waitForDisk(result.error, attempt);
    else this.schedule();
  }

  /** The disk takes nothing: no new work, and what is known is kept in memory until it does. */
  #waitForDisk(failure: Failure, attempt: () => Result<null>): void {
    this.#backlog.add(attempt);
    this.#block('disk', failure);
    this.#timer('disk', this.#backlog.pauseMs, () => this.#tryDisk());
  }

  #tryDisk(): void {
    if (!this.#backlog.tryAll()) {
      this.#timer('disk', this.#backlog.pauseMs, () => this.#tryDisk());
      return;
    }
    if (this.gate.block?.by === 'disk') this.open({ ...this.gate, block: null, trial: 'none' });
    this.schedule();
  }

  /** What one item met tells about the others. */
  #learn(entry: Entry, event: JobEvent, wasIgnored: boolean): void {
    const { state } = entry.job.memory;
    if (event.type === 'answered' && !wasIgnored) this.open(passed(this.gate, 'send'));
    else if (event.type === 'polled' || event.type === 'looked') this.open(passed(this.gate, 'read'));
    else if ('failure' in event && !wasIgnored) {
      if (state.tag === 'blocked') this.#block(state.by, state.failure);
      else if (state.tag === 'waiting' && event.type !== 'prepare-failed') {
        const plan = planFor(event.failure, entry.job.memory.tries - 1);
        if (plan.plan === 'wait' && plan.pausesQueue) this.gate = pause(this.gate, state.untilMs);
      }
    }
    if (state.tag !== 'sending' && state.tag !== 'prepared' && state.tag !== 'polling')
      this.gate = trialEnded(this.gate, entry.job.id);
  }

  #block(by: BlockedBy, failure: Failure): void {
    const current = this.gate.block?.by;
    if (current !== undefined && this.gate.trial === 'none' && weight.indexOf(by) < weight.indexOf(current)) return;
    const isNews = this.gate.block?.by !== by || this.gate.trial !== 'none';
    this.gate = close(this.gate, by, failure);
    if (by === 'offline' && !this.#timers.has('online'))
      this.#timer('online', offlineCheckMs, () => this.openIfOnline());
    if (isNews) this.#changedRows(by === 'disk');
  }

  openIfOnline(): void {
    if (this.gate.block?.by !== 'offline') return;
    if (this.#ports.isOnline()) this.open({ ...this.gate, block: null, trial: 'none' });
    else this.#timer('online', offlineCheckMs, () => this.openIfOnline());
  }

  /** Takes over a gate; when it stands open again everybody who waited for it goes on. */
  open(gate: Gate): void {
    const wasClosed = this.gate.block !== null;
    const wasDisk = this.gate.block?.by === 'disk';
    this.gate = gate;
    if (gate.block !== null || !wasClosed) return;
    for (const entry of this.entries.all()) {
      if (entry.job.memory.state.tag === 'blocked') this.tell(entry, { type: 'unblock' });
      else this.unpark(entry);
    }
    this.#changedRows(wasDisk);
    this.schedule();
  }

  /** A gate that moved shows on the rows in line; that of a full disk on everything that is under way. */
  #changedRows(isOfDisk: boolean): void {
    for (const id of this.entries.line) this.#changed(id);
    if (!isOfDisk) return;
    for (const { job } of this.entries.all()) if (!isFinal(job.memory.state)) this.#changed(job.id);
  }

  unpark(entry: Entry): void {
    const { parked } = entry;
    entry.parked = null;
    if (parked !== null) this.#workers.readLater(entry, 0, parked);
  }

  /** Tells the machine what a person or the world did; a full disk lets it wait. */
  tell(entry: Entry, event: JobEvent): void {
    this.#settle(entry, () => ok({ event, text: null }));
  }

  #timer(name: string, ms: number, callback: () => void): void {
    this.#timers.get(name)?.();
    const cancel = this.#ports.clock.after(ms, () => {
      this.#timers.delete(name);
      if (this.#isRunning) callback();
    });
    this.#timers.set(name, cancel);
  }

  #log(entry: Entry): void {
    const { state, attempt } = entry.job.memory;
    const failure = 'failure' in state ? { row: state.failure.row, code: state.failure.code } : {};
    this.#ports.log.write({ event: `job-${state.tag}`, item: entry.job.id, attempt, ...failure });
  }
}
