import { z } from 'zod';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { heardView, measureFactor, type Heard } from '../../../shared/domain/jobs/heard.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { recover, transition } from '../../../shared/domain/jobs/machine.ts';
import { learnPace, rememberedSamples, type Pace, type PaceSample } from '../../../shared/domain/jobs/time-left.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ChangeFeed } from './change-feed.ts';
import { boundTo, type SaveResult } from './job-effects.ts';
import { LiveJobs, stopWork, type QueueEntry } from './live-jobs.ts';
import { KeyedTimers, waitAtMost, type QueueDeps } from './ports.ts';
import { QueueGate } from './queue-gate.ts';
import { QueueWorkers } from './queue-workers.ts';
import { readNote, type JobOutput, type StoredJob } from '../library/store.ts';
import { placeOfAudio } from '../media/audio-extractor.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

const measure = lazySchema(() => z.number().finite().nonnegative());
const samplesSchema = lazySchema(() =>
  z.array(z.object({ sentBytes: measure(), uploadMs: measure(), audioMs: measure(), serviceMs: measure() })),
);

/** Shorter uploads measure the first packets rather than the connection. */
const leastUploadMs = 200;
const savedEvery = 10;

/** Losing the last few costs nothing, so they are written rarely. */
function createPaceHistory(store: LibraryStore) {
  let samples: readonly PaceSample[] = [];
  let unsaved = 0;
  const save = (): void => {
    if (unsaved === 0) return;
    unsaved = 0;
    store.saveNote('pace', JSON.stringify(samples));
  };
  return {
    pace: (): Pace => learnPace(samples),
    load(): void {
      samples = readNote(store, 'pace', samplesSchema(), []).slice(-rememberedSamples);
    },
    /** A job succeeded in this run; one that was continued from an earlier run shows nothing about time. */
    learn({ sentBetween, job }: QueueEntry, nowMs: number): void {
      if (sentBetween === null || sentBetween.toMs === null) return;
      const uploadMs = sentBetween.toMs - sentBetween.fromMs;
      const sample = {
        sentBytes: job.sizeBytes,
        uploadMs: uploadMs < leastUploadMs ? 0 : uploadMs,
        audioMs: job.durationMs ?? 0,
        serviceMs: Math.max(0, nowMs - sentBetween.toMs),
      };
      samples = [...samples, sample].slice(-rememberedSamples);
      unsaved += 1;
      if (unsaved >= savedEvery) save();
    },
    save,
  };
}

const lookEveryMs = 5_000;

/** A drive with thousands of recordings may be unplugged: this many are checked at a time. */
const looksAtOnce = 200;

/** file-unreadable: resumes when the drive is plugged in; one that can't be read is left to the user. */
export function watchMissingFiles(
  { files, extractor }: Pick<QueueDeps, 'files' | 'extractor'>,
  timers: KeyedTimers,
  liveJobs: LiveJobs,
  goOn: (live: QueueEntry) => void,
) {
  /** Whether the recording was seen to be missing, by job. */
  const awaited = new Map<string, boolean>();
  let isLooking = false;
  const arm = (): void => {
    if (awaited.size > 0 && !isLooking && !timers.has('returning')) {
      timers.set('returning', lookEveryMs, () => void look());
    }
  };
  const look = async (): Promise<void> => {
    isLooking = true;
    for (const id of [...awaited.keys()].slice(0, looksAtOnce)) {
      const path = liveJobs.get(id)?.job.path;
      const isThere = path !== undefined && (await files.isThere(placeOfAudio(extractor, path)));
      const wasAway = awaited.get(id);
      const live = liveJobs.get(id);
      // Move checked jobs to the back of the queue.
      awaited.delete(id);
      if (live === undefined || wasAway === undefined || !timers.isWanted) continue;
      if (isThere && wasAway) goOn(live);
      else awaited.set(id, !isThere);
    }
    isLooking = false;
    arm();
  };
  /** Notes the new state of a job. */
  return ({ job: { id, memory } }: QueueEntry): void => {
    const { state } = memory;
    if (state.tag !== 'needs-user' || state.failure.kind !== 'file-unreadable') {
      awaited.delete(id);
      return;
    }
    awaited.set(id, state.failure.code === 'file_missing');
    arm();
  };
}

const readyWhileAdding = 16;

/** Stores each transition, then executes its commands. */
export class QueueRunner {
  readonly liveJobs = new LiveJobs();
  readonly #ports: QueueDeps;
  #uploadsAtOnce: number;
  readonly #feed: ChangeFeed;
  readonly #workers: QueueWorkers;
  readonly #pace: ReturnType<typeof createPaceHistory>;
  readonly #timers: KeyedTimers;
  readonly gate: QueueGate;
  readonly #noteMissing: ReturnType<typeof watchMissingFiles>;
  #isRunning = false;
  #factor: number | null = null;
  #resting = 0;
  #adding = 0;

  constructor(ports: QueueDeps, uploadsAtOnce: number, feed: ChangeFeed, reached: () => void) {
    this.#ports = ports;
    this.#uploadsAtOnce = uploadsAtOnce;
    this.#feed = feed;
    const changed = (jobId: string): void => feed.changed(jobId);
    this.#pace = createPaceHistory(ports.store);
    this.#timers = new KeyedTimers(ports.clock, () => this.#isRunning);
    this.gate = new QueueGate(ports, this.#timers, this.liveJobs, {
      changed,
      changedFront: () => this.#changedFront(),
      schedule: () => this.schedule(),
      unblock: (live) => this.unblock(live),
      runDeferredRead: (live) => this.runDeferredRead(live),
      reached: () => reached(),
    });
    this.#noteMissing = watchMissingFiles(ports, this.#timers, this.liveJobs, (live) =>
      this.dispatch(live, { type: 'retry', consent: false }),
    );
    this.#workers = new QueueWorkers(ports, {
      liveJobs: this.liveJobs,
      isRunning: () => this.#isRunning,
      mayRead: (jobId) => {
        if (!ports.isOnline()) this.gate.block('offline', makeFailure('offline'));
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
      this.#noteMissing(live);
      const { state } = live.job.memory;
      if (state.tag === 'blocked') this.gate.restoreBlock(state.by, state.failure);
    }
    this.schedule();
    return ok(null);
  }

  /** Continues a row that is new here or was left by an earlier run. */
  resume(live: QueueEntry): Result<null> {
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

  async stop(limitMs: number): Promise<void> {
    this.#isRunning = false;
    this.#pace.save();
    this.#timers.clear();
    for (const live of this.liveJobs.all()) stopWork(live);
    await waitAtMost(limitMs, this.#workers.settled(), this.#ports.clock);
  }

  /** Stores the result of an event, then executes what follows from it. */
  apply(live: QueueEntry, event: JobEvent, output: JobOutput | null = null): Result<null> {
    return this.applyAll([{ live, event, output }]);
  }

  applyAll(happenings: readonly PendingTransition[]): Result<null> {
    const written = commitTransitions(this.#ports, this.liveJobs, happenings);
    if (!written.ok) return written;
    for (const { live, event, commands, hasChanged } of written.value) {
      if (hasChanged) {
        stopWork(live);
        this.#feed.changed(live.job.id);
        this.#noteMissing(live);
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

  #noteHeard(live: QueueEntry, heard: Heard): void {
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
  #endAtService({ job: { kind, memory } }: QueueEntry): void {
    const remoteId = memory.intent?.remoteId ?? null;
    if (this.#ports.origin !== 'local' || remoteId === null) return;
    const { api, client } = this.#ports;
    void (kind === 'transcribe' ? api.remove(remoteId) : client.isolate.remove(remoteId));
  }

  get pace(): Pace {
    return this.#pace.pace();
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

  schedule(): void {
    if (!this.#isRunning || this.#resting > 0) return;
    // Also while paused: it is useful to know early what a file contains.
    if (this.#adding === 0 || this.liveJobs.toSend.size < readyWhileAdding) this.#workers.hashNext();
    if (this.liveJobs.toSend.size === 0 || this.#workers.uploading >= this.#uploadsAtOnce || !this.gate.backlog.isEmpty)
      return;
    const connection = this.#ports.connection();
    if (!this.#ports.isOnline()) this.gate.block('offline', makeFailure('offline'));
    else if (connection === null && this.gate.blockedBy === null) {
      this.gate.block('key', makeFailure('key-missing', { code: 'no_key' }));
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

  #go(live: QueueEntry, binding: string): boolean {
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

  #settle(live: QueueEntry, settle: SaveResult): void {
    if (!this.#isRunning) return;
    const attempt = (): Result<null> => {
      const report = settle();
      if (!report.ok) return report;
      const event = this.gate.classify(live, report.value.event);
      return this.applyAll([{ live, event, output: report.value.output }]);
    };
    const result = !this.gate.backlog.isEmpty
      ? err(this.gate.state.block?.failure ?? localFailure('disk-full'))
      : attempt();
    if (!result.ok) this.gate.waitForDisk(result.error, attempt);
    else this.schedule();
  }

  /** The obstacle of a blocked row is gone, as far as others show. */
  unblock(live: QueueEntry): void {
    this.dispatch(live, this.gate.classify(live, { type: 'unblock' }));
  }

  runDeferredRead(live: QueueEntry): void {
    const { deferredRead } = live;
    live.deferredRead = null;
    if (deferredRead !== null) this.#workers.readLater(live, 0, deferredRead);
  }

  /** Restarts a wait until a Unix time, because timers of some systems stop while the computer sleeps. */
  waitUntil(live: QueueEntry, untilMs: number): void {
    this.#workers.execute(live, [{ type: 'wake', atMs: untilMs }]);
  }

  /** Passes an action of the user or an outside change to the state machine; a full disk postpones it. */
  dispatch(live: QueueEntry, event: JobEvent): void {
    this.#settle(live, () => ok({ event, output: null }));
  }
}

interface PendingTransition {
  readonly live: QueueEntry;
  readonly event: JobEvent;
  readonly output: JobOutput | null;
}

/** One transaction for all, and only then memory changes: when the disk refuses, nothing has. */
function commitTransitions(
  ports: Pick<QueueDeps, 'store' | 'clock'>,
  liveJobs: LiveJobs,
  pending: readonly PendingTransition[],
) {
  const atMs = ports.clock.now();
  let ahead = 0;
  const steps = pending.map(({ live, event, output }) => {
    const before = live.job.memory;
    const { job: memory, commands } = transition(before, event, atMs);
    if (memory === before) return { live, event, commands, next: null, output: null };
    const finished = memory.state.tag === 'done' ? output : null;
    const moved = liveJobs.next(live, memory, ahead);
    ahead += 1;
    // Headers of some formats don't state the length, but the service has heard all of it.
    const heardMs = finished?.transcript?.written.durationMs ?? finished?.audio?.durationMs ?? null;
    const next = { ...moved, durationMs: moved.durationMs ?? heardMs };
    return { live, event, commands, next, output: finished };
  });
  const changes = steps.flatMap(({ event, next, output }) =>
    next === null ? [] : [{ job: next, event, atMs, output }],
  );
  const stored = changes.length === 0 ? ok(null) : ports.store.commitAll(changes);
  if (!stored.ok) return stored;
  for (const { live, next } of steps) if (next !== null) liveJobs.put(live, next, atMs);
  return ok(steps.map(({ live, event, commands, next }) => ({ live, event, commands, hasChanged: next !== null })));
}

/** Logs the new state of a job: ids and codes only, never file names or content. */
function logTransition(log: Logger, { id, memory: { state, attempt } }: StoredJob): void {
  const failure = 'failure' in state ? { row: state.failure.row, code: state.failure.code } : {};
  log.write({ event: `job-${state.tag}`, item: id, attempt, ...failure });
}
