import { z } from 'zod';
import type { BlockedBy } from '../../shared/domain/failures/row.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { planFor, stopsOthers, stopsReads } from '../../shared/domain/jobs/decide-failure.ts';
import * as gates from '../../shared/domain/jobs/gate.ts';
import { heardView, measureFactor, type Heard } from '../../shared/domain/jobs/time-left.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { isFinal, type JobCommand, type JobEvent, type JobState } from '../../shared/domain/jobs/job-state.ts';
import { noQueue, type QueueView } from '../../shared/domain/jobs/job-view.ts';
import { isHtmlAnswer, pagesOfItsOwn, recover, transition, unsentAt } from '../../shared/domain/jobs/machine.ts';
import { longestPauseMs, spread } from '../../shared/domain/jobs/pace.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { assertNever, err, ok, type Result } from '../../shared/result/result.ts';
import { readNote, type JournalEvent } from '../services/library/store.ts';
import {
  accountFingerprint,
  accountOf,
  isForOther,
  serviceOf,
  runEffect,
  type EffectName,
  type QueueDeps,
  type Report,
} from './effects.ts';
import { createEntries, stopWork, type Passed, type QueueEntry } from './entries.ts';
import {
  createBacklog,
  createPaceHistory,
  createTimers,
  wasNotReached,
  watchConnectivity,
  watchMissingFiles,
} from './recover.ts';

interface Happening extends Omit<Report, 'event'> {
  readonly entry: QueueEntry;
  readonly event: JournalEvent;
}

const hashesAtOnce = 2;
const readyWhileAdding = 16;
/** All polling together stays under five requests a second. */
const readPauseMs = 210;
const offlineCheckMs = 30_000;
const heldNote = lazySchema(() => z.object({ isHeld: z.boolean() }));

/** The rows and what stops them. Stores each transition of the state machine, then executes its commands. */
export function createEngine(deps: QueueDeps, changed: (jobId: string) => void) {
  const { clock, store, api, log } = deps;
  let gate = gates.openGate;
  /** The service that refused the key, while that blocks the queue. */
  let refusedAt: string | null = null;
  let isRunning = false;
  let passed: Passed = { uploads: 0, reads: 0 };
  let factor: number | null = null;
  let nextReadAtMs = 0;
  let { uploadsAtOnce } = noQueue;
  const pending = { resting: 0, adding: 0 };
  const atWork: Record<EffectName, number> = { prepare: 0, send: 0, poll: 0, look: 0, export: 0 };
  const working = new Set<Promise<void>>();
  /** Reads that are due: they wait for their turn, and for a gate that lets reads pass. */
  const reads = new Map<string, { readonly entry: QueueEntry; readonly name: EffectName }>();
  const entries = createEntries();
  const { byId, toSend, toPrepare } = entries;
  const backlog = createBacklog();
  const pace = createPaceHistory(store);
  const timers = createTimers(clock, () => isRunning);
  const connectivity = watchConnectivity(deps, timers, (isAnswered) => {
    if (isAnswered) passed = { ...passed, reads: passed.reads + 1 };
    reached();
  });
  const noteMissing = watchMissingFiles(deps, timers, byId, (entry) =>
    dispatch(entry, { type: 'retry', consent: false }),
  );

  /** Stores the results of events, then executes what follows from them. */
  function apply(...happenings: readonly Happening[]): Result<null> {
    const applied = commit(happenings);
    if (applied.ok) schedule();
    return applied;
  }

  /** One transaction for all, and only then memory changes: when the disk refuses, nothing has. */
  function commit(happenings: readonly Happening[]): Result<null> {
    const atMs = clock.now();
    const steps = happenings.map(({ entry, event, output }) => {
      const row = entry.job;
      const { job: memory, commands } =
        event.type === 'recovered' ? recover(row.memory) : transition(row.memory, event, atMs);
      const { raw } = output ?? {};
      if (memory === row.memory) return { entry, event, commands, change: null, late: raw ?? [] };
      const finished = memory.state.tag === 'done' ? output : raw && { raw };
      // Headers of some formats don't state the length, but the service has heard all of it.
      const heardMs = finished?.transcript?.written.durationMs ?? finished?.audio?.durationMs ?? null;
      const sizeBytes = memory.intent?.sizeBytes ?? row.sizeBytes;
      const job = { ...row, memory, sizeBytes, durationMs: row.durationMs ?? heardMs, seq: entries.nextSeq() };
      return { entry, event, commands, change: { job, event, atMs, output: finished ?? null }, late: [] };
    });
    // An answer that changes nothing any more was paid for all the same.
    for (const raw of steps.flatMap(({ late }) => late)) {
      const kept = store.saveRawAnswer(raw);
      if (!kept.ok) return kept;
    }
    const changes = steps.flatMap(({ change }) => change ?? []);
    const stored = changes.length === 0 ? ok(null) : store.commitAll(changes);
    if (!stored.ok) return stored;
    for (const { entry, change } of steps) if (change !== null) entries.put(entry, change.job, atMs);
    for (const { entry, event, commands, change } of steps) {
      if (change !== null) noteChange(entry, event);
      if (event.type === 'polled' && event.answer.heard !== undefined) noteHeard(entry, event.answer.heard);
      if (event.type !== 'go') recordOutcome(entry, event, change === null);
      execute(entry, commands);
    }
    return ok(null);
  }

  function noteChange(entry: QueueEntry, event: JournalEvent): void {
    const { id, kind, memory } = entry.job;
    const { state, attempt, intent } = memory;
    stopWork(entry);
    changed(id);
    noteMissing(entry);
    // Ids and codes only, never file names or content.
    const failure = 'failure' in state ? { row: state.failure.row, code: state.failure.code } : {};
    log.write({ event: `job-${state.tag}`, item: id, attempt, ...failure });
    if (state.tag === 'done') pace.learn(entry, clock.now());
    const remoteId = intent?.remoteId ?? null;
    if (event.type !== 'cancel' || deps.origin !== 'local' || remoteId === null) return;
    // This computer stops its work, which would only keep other recordings waiting.
    void (kind === 'transcribe' ? api.remove(remoteId) : deps.client.isolate.remove(remoteId));
  }

  function noteHeard(entry: QueueEntry, heard: Heard): void {
    if (entry.job.memory.state.tag !== 'polling') return;
    const { durationMs } = entry.job;
    const now = { share: heard.share, atMs: clock.monotonic() };
    const from = entry.heard?.from ?? now;
    factor = measureFactor(from, now, durationMs) ?? factor;
    entry.heard = { view: heardView(heard, durationMs, factor), from };
    entries.touch(entry);
    changed(entry.job.id);
  }

  /** Passes on what an effect reports; a full disk postpones only this. */
  function settle(entry: QueueEntry, report: () => Report): void {
    if (!isRunning) return;
    const attempt = (): Result<null> => {
      const { event, output } = report();
      const isOwn = event.type === 'send-failed' && isItsOwn(entry, event.failure);
      return apply({ entry, event: isOwn ? { ...event, isItsOwn: true } : event, output });
    };
    const result = backlog.isEmpty() ? attempt() : err(gate.block?.failure ?? localFailure('disk-full'));
    if (!result.ok) waitForDisk(result.error, attempt);
    schedule();
  }

  /** Passes an action of the user or an outside change to the state machine; a full disk postpones it. */
  function dispatch(entry: QueueEntry, event: JobEvent): void {
    settle(entry, () => ({ event }));
  }

  /** The obstacle of a blocked row is gone, as far as others show. */
  function unblock(entry: QueueEntry): void {
    const { state } = entry.job.memory;
    if (state.tag === 'blocked') dispatch(entry, { type: 'unblock', isItsOwn: isItsOwn(entry, state.failure) });
  }

  const retryWhere = (isMeant: (state: JobState) => boolean): void => {
    for (const entry of byId.values()) {
      if (isMeant(entry.job.memory.state)) dispatch(entry, { type: 'retry', consent: false });
    }
  };

  function execute(entry: QueueEntry, commands: readonly JobCommand[]): void {
    for (const command of commands) {
      stopWork(entry);
      switch (command.type) {
        case 'abort':
          break;
        case 'prepare':
          toPrepare.put(entry.job);
          break;
        case 'send':
          run(entry, 'send');
          break;
        case 'poll':
          readLater(entry, command.delayMs, 'poll');
          break;
        case 'look':
          readLater(entry, 0, 'look');
          break;
        case 'fetch':
          readLater(entry, command.delayMs, command.useExport ? 'export' : 'poll');
          break;
        case 'wake':
          wakeAt(entry, command.atMs);
          break;
        default:
          assertNever(command);
      }
    }
  }

  /** After a restart the clock may be far off, so no wait is longer than the longest possible one. */
  function wakeAt(entry: QueueEntry, atMs: number): void {
    const { attempt, state } = entry.job.memory;
    const askedMs = state.tag === 'waiting' ? (state.failure.retryAfterMs ?? 0) : 0;
    const waitMs = Math.min(longestPauseMs + askedMs, Math.max(0, atMs - clock.now()));
    entry.cancelTimer?.();
    entry.cancelTimer = clock.after(waitMs, () => dispatch(entry, { type: 'woke', attempt }));
  }

  function prepareNext(): void {
    while (atWork.prepare < hashesAtOnce && toPrepare.size() > 0) {
      const [id = ''] = toPrepare.first(1);
      toPrepare.remove(id);
      const entry = byId.get(id);
      if (entry === undefined || entry.job.memory.state.tag !== 'queued' || entry.running !== null) continue;
      run(entry, 'prepare');
    }
  }

  function readLater(entry: QueueEntry, delayMs: number, name: EffectName): void {
    const { id } = entry.job;
    entry.cancelTimer = clock.after(spread(delayMs, deps.random()), () => {
      reads.set(id, { entry, name });
      entry.cancelTimer = () => reads.delete(id);
      readNext();
    });
  }

  function readNext(): void {
    if (!isRunning || reads.size === 0 || timers.has('read')) return;
    if (!deps.isOnline()) block('offline', makeFailure('offline'));
    for (const [id, { entry, name }] of reads) {
      if (!gates.allowsReads(gate, id)) {
        if (typeof gate.trial !== 'object') return;
        continue;
      }
      const now = clock.monotonic();
      if (nextReadAtMs > now) return timers.set('read', nextReadAtMs - now, readNext);
      reads.delete(id);
      entry.cancelTimer = null;
      nextReadAtMs = now + readPauseMs;
      run(entry, name);
    }
  }

  function run(entry: QueueEntry, name: EffectName): void {
    const controller = new AbortController();
    const { job } = entry;
    const fromMs = clock.now();
    entry.running = controller;
    atWork[name] += 1;
    if (name === 'send') entry.sentBetween = null;
    const progressed = (done: number, total: number): void => {
      if (entry.job.memory.attempt !== job.memory.attempt || !isRunning) return;
      entry.progress = { done, total };
      if (name === 'send' && done >= total) entry.sentBetween = { fromMs, toMs: clock.now() };
      entries.touch(entry);
      changed(job.id);
    };
    const work: Promise<void> = runEffect(deps, name, job, controller.signal, progressed)
      .then((report) => {
        if (entry.running === controller) entry.running = null;
        atWork[name] -= 1;
        settle(entry, report);
      })
      .finally(() => working.delete(work));
    working.add(work);
  }

  function schedule(): void {
    if (!isRunning || pending.resting > 0) return;
    // Also while paused: it is useful to know early what a file contains.
    if (pending.adding === 0 || toSend.size() < readyWhileAdding) prepareNext();
    if (toSend.size() === 0 || atWork.send >= uploadsAtOnce || !backlog.isEmpty()) return;
    const connection = deps.connection();
    if (!deps.isOnline()) block('offline', makeFailure('offline'));
    else if (connection === null && gate.block === null) block('key', makeFailure('key-missing', { code: 'no_key' }));
    if (connection === null) return;
    while (atWork.send < uploadsAtOnce) {
      const { trial } = gate;
      const [first = ''] = toSend.first(1);
      const id = typeof trial === 'object' && toSend.has(trial.jobId) ? trial.jobId : first;
      const entry = byId.get(id);
      if (entry === undefined) return;
      const admission = gates.admit(gate, id, clock.monotonic());
      ({ gate } = admission);
      if (!admission.isAdmitted) {
        if (pauseLeftMs() > 0) timers.set('pause', pauseLeftMs(), endPause);
        return;
      }
      const { job } = entry;
      const boundTo = accountFingerprint(connection, job);
      const gone = commit([{ entry, event: { type: 'go', boundTo, account: accountOf(connection, job) } }]);
      if (!gone.ok) waitForDisk(gone.error, () => ok(null));
      else if (entry.job.memory.state.tag === 'paused') gate = gates.trialEnded(gate, id);
      if (!gone.ok || toSend.has(id)) return;
    }
  }

  const pauseLeftMs = (): number => Math.max(0, gates.pauseEndsAtMs(gate) - clock.monotonic());

  /** The rows that wait for the pause itself, and not for a position in the queue. */
  const showFront = (): void => toSend.first(uploadsAtOnce).forEach(changed);

  function endPause(): void {
    showFront();
    schedule();
  }

  /** The disk refuses writes: nothing new begins, and finished work is kept in memory until it takes them. */
  function waitForDisk(failure: Failure, attempt: () => Result<null>): void {
    backlog.add(attempt);
    block('disk', failure);
    timers.set('disk', backlog.pauseMs(), tryDisk);
  }

  function tryDisk(): void {
    if (!backlog.tryAll()) return timers.set('disk', backlog.pauseMs(), tryDisk);
    if (gate.block?.by === 'disk') open();
    schedule();
  }

  /** HTML is a row's own when an upload got through since its last one or, with no other row left, a read. */
  function isItsOwn(entry: QueueEntry, failure: Failure): boolean {
    if (!isHtmlAnswer(failure) || entry.job.memory.pages === 0) return false;
    const { uploads, reads } = entry.passedAtPage;
    return passed.uploads > uploads || (passed.reads > reads && !mayOthersShow(entry));
  }

  const mayOthersShow = (entry: QueueEntry): boolean =>
    byId.values().some((other) => {
      const { state, pages } = other.job.memory;
      return other !== entry && pages < pagesOfItsOwn && unsentAt(state) !== null;
    });

  function recordOutcome(entry: QueueEntry, event: JournalEvent, wasIgnored: boolean): void {
    const { id, memory } = entry.job;
    const { state } = memory;
    const wasUnreached = gate.unreachedUntilMs > 0;
    if (event.type === 'answered' && !wasIgnored) {
      passed = { ...passed, uploads: passed.uploads + 1 };
      setGate(gates.recordSuccess(gate, 'send'));
    } else if (event.type === 'polled' || event.type === 'looked') {
      passed = { ...passed, reads: passed.reads + 1 };
      setGate(gates.recordSuccess(gate, 'read'));
    } else if ('failure' in event && !wasIgnored) {
      if (event.type === 'send-failed' && isHtmlAnswer(event.failure)) entry.passedAtPage = passed;
      if (state.tag === 'blocked' && stopsOthers(state.by)) block(state.by, state.failure);
      if (state.tag === 'waiting' && event.type !== 'prepare-failed') {
        const plan = planFor(event.failure, memory.tries - 1);
        if (plan.plan === 'wait' && plan.holds !== 'item') {
          pauseOthers(event.failure, state.untilMs, plan.holds === 'all-if-repeated');
          connectivity.watch(event.failure);
        }
      }
    }
    if (wasUnreached && gate.unreachedUntilMs === 0) timers.set('reached', 0, reached);
    if (state.tag !== 'sending' && state.tag !== 'prepared' && state.tag !== 'polling')
      gate = gates.trialEnded(gate, id);
  }

  /** One job's trouble makes the others wait too; a service in trouble has to say so twice. */
  function pauseOthers(failure: Failure, untilMs: number, needsProof: boolean): void {
    const endsMs = clock.monotonic() + Math.max(0, untilMs - clock.now());
    const before = gates.pauseEndsAtMs(gate);
    // A pause that the service asked for is kept to its end; a broken network may work again any moment.
    if (wasNotReached(failure)) gate = { ...gate, unreachedUntilMs: Math.max(gate.unreachedUntilMs, endsMs) };
    else gate = needsProof ? gates.recordTrouble(gate, endsMs) : gates.pause(gate, endsMs);
    const after = gates.pauseEndsAtMs(gate);
    if (after <= before) return;
    gate = { ...gate, pausedBy: { failure, untilMs: clock.now() + (after - clock.monotonic()) } };
    showFront();
  }

  function block(by: BlockedBy, failure: Failure): void {
    const before = gate;
    gate = gates.block(gate, by, failure);
    if (by === 'key') refusedAt = serviceOf(deps.connection());
    if (gate === before) return;
    if (by === 'offline' && !timers.has('online')) timers.set('online', offlineCheckMs, openIfOnline);
    if (by === 'service') connectivity.watch(failure);
    if (before.block?.by !== by || before.trial !== 'none') showGate(by === 'disk');
  }

  function openIfOnline(): void {
    if (gate.block?.by !== 'offline') return;
    if (deps.isOnline()) open();
    else timers.set('online', offlineCheckMs, openIfOnline);
  }

  const open = (): void => setGate({ ...gate, block: null, trial: 'none' });

  /** When nothing blocks any longer, every job that waited for it goes on. */
  function setGate(next: gates.Gate): void {
    const { block: before } = gate;
    gate = next;
    if (next.block !== null) return;
    connectivity.reset();
    if (before === null) return;
    for (const entry of byId.values()) unblock(entry);
    readNext();
    showGate(before.by === 'disk');
    schedule();
  }

  /** A change of the gate shows on the waiting rows; a full disk shows on all that is under way. */
  function showGate(isDisk: boolean): void {
    for (const id of toSend.first()) changed(id);
    if (isDisk) for (const { job } of byId.values()) if (!isFinal(job.memory.state)) changed(job.id);
  }

  /** A free read got through. A single strange answer no longer blocks; after several, one upload goes first. */
  function reached(): void {
    if (gate.block?.by === 'service' && !gates.isBelieved(gate.troubles)) open();
    recheck('service');
  }

  /** These obstacles may be gone; any other is unchanged. */
  function recheck(...obstacles: readonly BlockedBy[]): void {
    const by = gate.block?.by;
    if (by === 'offline') openIfOnline();
    else if (by !== undefined && obstacles.includes(by)) liftGate();
    resumeUnreached();
  }

  /** Rows that could not reach the service try now; those that it asked to wait keep waiting. */
  function resumeUnreached(): void {
    api.allowProbe();
    gate = { ...gate, unreachedUntilMs: 0 };
    retryWhere((state) => state.tag === 'waiting' && wasNotReached(state.failure));
    schedule();
  }

  /** One job is tried first; a user's request is carried out whatever is known. */
  function liftGate(isByUser = false): void {
    if (gate.block === null) return resumeUnreached();
    api.allowProbe();
    const first = firstToTry(gate.block.by);
    const [read] = stopsReads(gate.block.by) ? reads.keys() : [];
    gate = gates.tryOne(gate, first?.job.id ?? read ?? null);
    if (first !== undefined && isByUser) dispatch(first, { type: 'unblock' });
    else if (first !== undefined) unblock(first);
    readNext();
    showGate(false);
    schedule();
  }

  /** One that waits for the service, preferably one that met no HTML answer. */
  function firstToTry(by: BlockedBy): QueueEntry | undefined {
    let first: QueueEntry | undefined;
    for (const entry of byId.values()) {
      const { state, pages } = entry.job.memory;
      if (state.tag !== 'blocked' || state.by !== by) continue;
      if (first === undefined || pages < first.job.memory.pages) first = entry;
    }
    if (first === undefined || first.job.memory.pages === 0) return first;
    const unmet = toSend.first().find((id) => byId.get(id)?.job.memory.pages === 0);
    return unmet === undefined ? first : byId.get(unmet);
  }

  /** A blocked job of an earlier run blocks the queue until somebody clears it. */
  function restoreBlock({ state }: { readonly state: JobState }): void {
    if (state.tag === 'blocked' && gate.block === null) gate = gates.block(gate, state.by, state.failure);
  }

  return {
    deps,
    entries,
    changed,
    apply,
    retryWhere,
    wakeAt,
    schedule,
    liftGate,
    recheck,
    /** What keeps the row at this place from being sent; those further back would wait even without the pause. */
    pauseAt: (place: number) => (place > 0 && place <= uploadsAtOnce && pauseLeftMs() > 0 ? gate.pausedBy : null),
    gate: () => gate,
    view: (): QueueView => ({ isHeld: gate.isHeld, uploadsAtOnce, pace: pace.pace() }),

    /** What waits for the account of other settings stops until the user decides; a refused key is just replaced. */
    noteAccount(): void {
      const connection = deps.connection();
      const replacesRefused = gate.block?.by === 'key' && serviceOf(connection) === refusedAt;
      if (!isRunning) return;
      const others: QueueEntry[] = [];
      for (const entry of byId.values()) {
        const { tag } = entry.job.memory.state;
        if (tag === 'paused') changed(entry.job.id);
        else if (tag !== 'sending' && isForOther(connection, entry.job)) others.push(entry);
      }
      const tell = (event: JobEvent): void => {
        const happenings = others.map((entry) => ({ entry, event }));
        const told = apply(...happenings);
        if (!told.ok) waitForDisk(told.error, () => apply(...happenings));
      };
      tell({ type: 'pause', sentBytes: 0, isElsewhere: true });
      if (replacesRefused) tell({ type: 'unpause', isOrderedAnew: true });
    },

    start(takesUp: 'everything' | 'attached'): Result<null> {
      isRunning = true;
      if (takesUp === 'attached') return ok(null);
      const loaded = store.loadJobs();
      if (!loaded.ok) return loaded;
      pace.load();
      gate = { ...gate, ...readNote(store, 'queue', heldNote(), { isHeld: false }) };
      for (const job of loaded.value) entries.add(job, clock.now());
      for (const entry of byId.values()) {
        const resumed = commit([{ entry, event: { type: 'recovered' } }]);
        if (!resumed.ok) return resumed;
        noteMissing(entry);
        restoreBlock(entry.job.memory);
      }
      schedule();
      if (gate.block?.by === 'key' || gate.block?.by === 'permission') liftGate();
      return ok(null);
    },

    /** Waits for the work that was stopped, but no longer than `limitMs`. */
    async stop(limitMs: number): Promise<void> {
      isRunning = false;
      timers.clear();
      for (const entry of byId.values()) stopWork(entry);
      let cancel = (): void => undefined;
      const limit = new Promise<void>((resolve) => void (cancel = clock.after(limitMs, resolve)));
      await Promise.race([Promise.allSettled(working), limit]);
      cancel();
    },

    /** A row that an earlier run left blocked goes first; what else waits follows when it gets through. */
    tryBlocked(entry: QueueEntry): void {
      if (gate.block !== null) return;
      restoreBlock(entry.job.memory);
      gate = gates.tryOne(gate, entry.job.id);
      dispatch(entry, { type: 'unblock' });
    },

    /** Uploads under way finish: stopped, they would start over. */
    hold(isHeld: boolean): Result<null> {
      const saved = store.saveNote('queue', JSON.stringify({ isHeld }));
      if (saved.ok) gate = { ...gate, isHeld };
      schedule();
      return saved;
    },

    /** 1 to 8; uploads under way are never restarted. */
    setUploadsAtOnce(wanted: number): void {
      uploadsAtOnce = Math.min(8, Math.max(1, Math.trunc(wanted)));
      schedule();
    },

    /** `resting`: nothing new starts during `work`; `adding`: little is read ahead, which would compete for the disk. */
    async during<T>(what: 'resting' | 'adding', work: () => Promise<T>): Promise<T> {
      pending[what] += 1;
      try {
        return await work();
      } finally {
        pending[what] -= 1;
        schedule();
      }
    },
  };
}

export type Engine = ReturnType<typeof createEngine>;
