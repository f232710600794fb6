import { type RowAction, toJobView, type JobView, type QueueView } from '../../../shared/domain/jobs/job-view.ts';
import { basename } from 'node:path';
import { baseName, safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { stopsOthers } from '../../../shared/domain/jobs/decide-failure.ts';
import type { Gate } from '../../../shared/domain/jobs/gate.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { optionsOf, isFinal, newJobMemory, type JobOptions } from '../../../shared/domain/jobs/job-state.ts';
import { transition } from '../../../shared/domain/jobs/machine.ts';
import { excerptOf } from '../../../shared/domain/jobs/recording-parts.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import { readLegacyFacts, type LegacyFacts } from '../../service/legacy.ts';
import { createChangeFeed } from './change-feed.ts';
import { findLostPayment, kindOf } from './job-effects.ts';
import { inspectFile, type ImportWatch, type LocalFile } from '../library/file-inspector.ts';
import type { StoredJob, FileIdentity } from '../library/store.ts';
import { placeOfAudio } from '../media/audio-extractor.ts';
import type { QueueEntry } from './live-jobs.ts';
import type { AddedJobs, AddOptions, Attached, ChargedWatch, JobsChange, NewJob, QueueDeps } from './ports.ts';
import { firstToTry, wasNotReached } from './queue-gate.ts';
import { QueueRunner } from './queue-runner.ts';
import {
  actOnRows,
  addJobs,
  changeLanguage,
  hideRows,
  moveRows,
  runNext,
  showRows,
  type QueueContext,
} from './row-actions.ts';

/** How far a job with the same content is; the furthest is the one to join. */
const order = [
  'done',
  'fetching',
  'polling',
  'looking',
  'sending',
  'waiting',
  'blocked',
  'paused',
  'prepared',
  'queued',
  'needs-user',
  'failed',
  'cancelled',
];

const stopLimitMs = 2_500;
/** How many positions are shown as numbers. Jobs further back show no number, so most moves concern few rows. */
const shownPlaces = 100;
const uploadsIn = (wanted: number): number => Math.min(8, Math.max(1, Math.trunc(wanted)));
const gone: Result<never> = err(localFailure('deleted-at-service', { code: 'unknown_job' }));

function optionsFor({ durationMs }: LocalFile, request: NewJob): JobOptions & { readonly durationMs: number | null } {
  const options = optionsOf(request);
  if (options.kind !== 'isolate') return { ...options, durationMs };
  const part = options.part ?? (options.isExcerpt === true ? excerptOf(durationMs) : null);
  // A recording hardly longer than the excerpt is sent as a whole.
  return part === null
    ? { ...optionsOf({ ...options, isExcerpt: undefined }), durationMs }
    : { ...options, part, durationMs: Math.min(part.endMs, durationMs ?? part.endMs) - part.startMs };
}

export interface QueueOptions {
  readonly uploadsAtOnce: number;
  readonly takesUp: 'everything' | 'attached';
}

export function createJobQueue(ports: QueueDeps, options: QueueOptions) {
  const feed = createChangeFeed(ports.clock, {
    queue: () => queue(),
    front: () => liveJobs.toSend.first(shownPlaces),
    viewOf: (jobId) => viewOf(jobId),
  });
  const runner: QueueRunner = new QueueRunner(ports, uploadsIn(options.uploadsAtOnce), feed, () => {
    runner.gate.openIfOnce();
    onReachable();
  });
  const { liveJobs } = runner;
  const viewOf = (jobId: string): JobView | null => {
    const live = liveJobs.get(jobId);
    return live === undefined ? null : view(live, liveJobs.toSend.placeOf(jobId));
  };
  const pauseShown = (): Gate['pausedBy'] => (runner.gate.pauseLeftMs > 0 ? runner.gate.state.pausedBy : null);
  const view = (live: QueueEntry, placeInQueue: number): JobView =>
    toJobView(live.job, {
      placeInQueue: placeInQueue > shownPlaces ? null : placeInQueue,
      sinceMs: live.sinceMs,
      upload: live.upload,
      audioShare: live.audioShare,
      heard: live.heard?.view ?? null,
      gate: runner.gate.state,
      // Rows further back would wait even without the pause.
      pause: placeInQueue > 0 && placeInQueue <= runner.uploadsAtOnce ? pauseShown() : null,
    });
  const queue = (): QueueView => ({
    isHeld: runner.gate.state.isHeld,
    uploadsAtOnce: runner.uploadsAtOnce,
    pace: runner.pace,
  });
  const withRow = (jobId: string, work: (live: QueueEntry) => Result<null>): Result<null> => {
    const live = liveJobs.get(jobId);
    return live === undefined ? gone : work(live);
  };

  const newJob = (file: LocalFile, request: NewJob): StoredJob => ({
    id: ports.newId(),
    seq: (liveJobs.seq += 1),
    path: file.path,
    name: request.name ?? file.name,
    sizeBytes: file.sizeBytes,
    ...optionsFor(file, request),
    // This computer tells nobody apart.
    ...(ports.origin === 'local' && request.kind === 'transcribe' ? { includeSpeakers: false } : {}),
    addedAtMs: ports.clock.now(),
    rank: liveJobs.nextRank(),
    memory: newJobMemory,
  });

  const context = { ports, runner, feed, newJob };

  /** Rows that could not reach the service try now; those that it asked to wait keep waiting. */
  const goOn = () => {
    ports.api.allowProbe();
    runner.gate.clearNetworkPause();
    for (const live of liveJobs.all()) {
      const { state } = live.job.memory;
      if (state.tag === 'waiting' && wasNotReached(state.failure)) {
        runner.dispatch(live, { type: 'retry', consent: false });
      }
    }
    runner.schedule();
  };

  /** One job is tried first; a user's request is carried out whatever is known. */
  const liftGate = (isPersons = true) => {
    const by = runner.gate.blockedBy;
    if (by === null) return goOn();
    ports.api.allowProbe();
    const first = firstToTry(liveJobs, by);
    const trial = first ?? [...liveJobs.all()].find(({ deferredRead }) => deferredRead !== null);
    runner.gate.tryOne(trial?.job.id ?? null);
    if (first?.job.memory.state.tag === 'blocked') {
      if (isPersons) runner.dispatch(first, { type: 'unblock' });
      else runner.unblock(first);
    }
    if (first === undefined && trial !== undefined) runner.runDeferredRead(trial);
    for (const id of liveJobs.toSend.ids()) feed.changed(id);
    runner.schedule();
  };

  /** A rejected key or a full disk is unchanged. */
  const onReachable = () => {
    if (runner.gate.blockedBy === 'service') liftGate(false);
    goOn();
  };

  const recheckPaused = () => {
    const by = runner.gate.blockedBy;
    if (by === 'offline') runner.gate.openIfOnline();
    else if (by === 'key' || by === 'service' || by === 'permission') liftGate();
    goOn();
  };

  const tryWithModel = () => {
    for (const live of liveJobs.all()) {
      const { state } = live.job.memory;
      if (state.tag === 'blocked' && state.by === 'model') runner.dispatch(live, { type: 'unblock' });
    }
  };

  return {
    /** Recovers what an earlier run left, then works until `stop`. */
    async start(): Promise<void> {
      const started = runner.start(options.takesUp);
      if (!started.ok) {
        ports.log.write({ event: 'queue-not-started', level: 'error', row: started.error.row });
        return;
      }
      const by = runner.gate.blockedBy;
      if (by === 'key' || by === 'permission') liftGate();
    },

    /** Ends work within three seconds; every state on disk stays valid. */
    async stop(): Promise<void> {
      await runner.stop(stopLimitMs);
      feed.stop();
    },

    add: (
      requests: readonly NewJob[],
      watch?: ImportWatch | ChargedWatch,
      how: AddOptions = { skipsRepeats: false },
    ): Promise<AddedJobs> => addJobs(context, requests, watch, how),

    attach: (request: NewJob, signal: AbortSignal): Promise<Result<Attached>> => joinOrAddJob(context, request, signal),

    list(): Omit<JobsChange, 'removedIds'> {
      const places = new Map(liveJobs.toSend.ids().map((id, index) => [id, index + 1]));
      const jobs = [...liveJobs.all()].map((live) => view(live, places.get(live.job.id) ?? 0));
      return { jobs, queue: queue() };
    },

    onChanged: (listener: (change: JobsChange) => void): (() => void) => feed.listen(listener),

    /** Only `acceptsNewCharge` allows a new key, which may be charged again. */
    async retry(jobId: string, acceptsNewCharge: boolean): Promise<Result<null>> {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      const { state } = live.job.memory;
      if ((state.tag === 'blocked' && stopsOthers(state.by)) || state.tag === 'prepared') {
        liftGate();
        return ok(null);
      }
      return runner.apply(live, { type: 'retry', consent: acceptsNewCharge });
    },

    /** `isAcceptedByService`: it may still be finished there and charged. */
    async cancel(jobId: string): Promise<Result<{ readonly isAcceptedByService: boolean }>> {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      const cancelled = runner.apply(live, { type: 'cancel' });
      if (!cancelled.ok) return cancelled;
      return ok({ isAcceptedByService: live.job.memory.intent?.remoteId != null });
    },

    async remove(jobId: string): Promise<Result<null>> {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      if (!isFinal(live.job.memory.state)) {
        const cancelled = runner.apply(live, { type: 'cancel' });
        if (!cancelled.ok) return cancelled;
      }
      return hideRows(context, [jobId]);
    },

    bringBack: (jobIds: readonly string[]) => showRows(context, jobIds),
    act: (jobIds: readonly string[], action: RowAction) => actOnRows(context, jobIds, action),
    move: async (jobIds: readonly string[], beforeId: string | null) => moveRows(context, jobIds, beforeId),
    runNext: async (jobId: string) => runNext(context, jobId),
    changeLanguage: async (jobId: string, language: SpeechLanguage) => changeLanguage(context, jobId, language),
    copyResult: async (jobId: string) => withRow(jobId, (live) => copyResult(ports, runner, live)),
    relocate: async (jobId: string, path: string) => withRow(jobId, (live) => relocate(ports, runner, live, path)),

    /** Holds what is not at the service yet; kept across restarts. */
    async hold(isHeld: boolean): Promise<Result<null>> {
      const held = runner.hold(isHeld);
      feed.queueChanged();
      return held;
    },

    /** 1 to 8; uploads under way are never restarted. */
    setUploadsAtOnce(count: number): void {
      if (uploadsIn(count) === runner.uploadsAtOnce) return;
      runner.setUploadsAtOnce(uploadsIn(count));
      feed.queueChanged();
    },

    /** Unblocks the queue and tries one job first. */
    async resumeQueue(): Promise<void> {
      liftGate();
      tryWithModel();
    },

    noteConnectionChange(): void {
      recheckPaused();
      tryWithModel();
      // The key that these rows were sent with may be back.
      for (const live of liveJobs.all()) {
        const { state } = live.job.memory;
        if (state.tag === 'needs-user' && state.failure.kind === 'other-key')
          runner.dispatch(live, { type: 'retry', consent: false });
      }
    },

    noteNetworkChange(addresses: ReadonlySet<string>): void {
      ports.api.dropStaleConnections(addresses);
      const by = runner.gate.blockedBy;
      if (by === 'offline') runner.gate.openIfOnline();
      // A key may be valid from one network only (key-restricted).
      else if (by === 'permission') liftGate();
      onReachable();
      // The refusal came from the other network.
      for (const live of liveJobs.all()) {
        const { state } = live.job.memory;
        if (state.tag === 'waiting' && state.failure.kind === 'refused-by-proxy')
          runner.dispatch(live, { type: 'retry', consent: false });
      }
    },

    onWake(): void {
      ports.api.dropConnections();
      const now = ports.clock.now();
      for (const live of liveJobs.all()) {
        const { state, attempt } = live.job.memory;
        if (state.tag !== 'waiting') continue;
        if (state.untilMs <= now) runner.dispatch(live, { type: 'woke', attempt });
        else runner.waitUntil(live, state.untilMs);
      }
      recheckPaused();
    },

    /** Milliseconds by idempotency key, where known. */
    lengthsOf(keys: readonly string[]): ReadonlyMap<string, number> {
      const wanted = new Set(keys);
      const found = [...liveJobs.all()].flatMap(({ job }): (readonly [string, number])[] => {
        const key = job.memory.intent?.idempotencyKey;
        return key === undefined || !wanted.has(key) || job.durationMs === null ? [] : [[key, job.durationMs]];
      });
      return new Map(found);
    },

    pathOf(jobId: string): Result<string> {
      const live = liveJobs.get(jobId);
      return live === undefined ? gone : ok(placeOfAudio(ports.extractor, live.job.path));
    },
    async rawAnswer(jobId: string): Promise<Result<{ readonly suggestedName: string; readonly text: string }>> {
      const raw = ports.store.latestRawAnswer(jobId);
      if (!raw.ok) return raw;
      if (raw.value === null) return err(localFailure('deleted-at-service', { code: 'no_raw_answer' }));
      const name = liveJobs.get(jobId)?.job.name ?? jobId;
      const extension = /^\s*[[{]/.test(raw.value.body) ? '.json' : '.txt';
      return ok({ suggestedName: safeFileName(`${baseName(name)} answer`, extension), text: raw.value.body });
    },
    async legacyFacts(jobId: string): Promise<Result<LegacyFacts>> {
      const raw = ports.store.latestRawAnswer(jobId);
      return raw.ok ? ok(readLegacyFacts(raw.value?.body ?? '')) : raw;
    },
  };
}

/** The queue for the window and the terminal; unknown ids give a failure. */
export type JobService = ReturnType<typeof createJobQueue>;

/** Nothing is sent or charged. already-in-queue `same_in_queue` while the earlier job is under way. */
function copyResult(ports: QueueDeps, runner: QueueRunner, live: QueueEntry): Result<null> {
  const { job } = live;
  const { intent, state } = job.memory;
  if (intent === null || state.tag !== 'needs-user' || state.failure.kind !== 'already-in-queue')
    return err(localFailure('deleted-at-service', { code: 'nothing_to_copy' }));
  const copied = kindOf(job).copy(ports, job, intent.sha256);
  if (!copied.ok) return copied;
  if (copied.value === null) return err(localFailure('already-in-queue', { code: 'same_in_queue' }));
  const { result, output } = copied.value;
  return runner.apply(live, { type: 'copied', result }, output);
}

/** Updates the path of a row's recording and continues; different content is detected by its hash (file-changed). */
function relocate(ports: QueueDeps, runner: QueueRunner, live: QueueEntry, path: string): Result<null> {
  const moved = ports.store.movePath(live.job.id, path);
  if (!moved.ok) return moved;
  live.job = { ...live.job, path };
  return runner.apply(live, { type: 'retry', consent: false });
}

/** A command that is repeated after a crash joins its own jobs instead of paying twice. */
async function joinOrAddJob(context: QueueContext, request: NewJob, signal: AbortSignal): Promise<Result<Attached>> {
  const { ports } = context;
  const file = await inspectFile(ports.extractor, request.path);
  if (!file.ok) return file;
  const params = { name: file.value.name };
  const audio = await ports.extractor.prepare(
    request.path,
    null,
    signal,
    () => undefined,
    kindOf(request).prepareOptions(request),
  );
  if (!audio.ok) return err({ ...audio.error, params });
  const hashed = await ports.files.hash(audio.value.path, signal);
  if (!hashed.ok) return err({ ...hashed.error, params });
  const { preparedName } = audio.value;
  const content = { ...hashed.value, ...(preparedName === null ? {} : { preparedName }) };
  const refusal = kindOf(request).check(request, {
    name: preparedName ?? basename(request.path),
    sizeBytes: content.sizeBytes,
  });
  if (refusal !== null) return err({ ...refusal, params });
  const same = ports.store.findSame({ sha256: content.sha256, ...optionsOf(request) });
  if (!same.ok) return same;
  const [best] = same.value.toSorted((a, b) => order.indexOf(a.memory.state.tag) - order.indexOf(b.memory.state.tag));
  return best === undefined ? add(context, file.value, request, content) : join(context, best, request);
}

/** Row, hash and key become durable together: a crash leaves either all of them or nothing. */
function add(
  { ports, runner, feed, newJob }: QueueContext,
  file: LocalFile,
  request: NewJob,
  content: FileIdentity & { readonly preparedName?: string },
): Result<Attached> {
  const job = newJob(file, request);
  const event = {
    type: 'hashed',
    attempt: job.memory.attempt,
    ...content,
    freshKey: ports.newId(),
    duplicate: null,
    earlier: request.acceptsNewCharge === true ? null : findLostPayment(ports, { ...request, sha256: content.sha256 }),
  } as const;
  const prepared = { ...job, memory: transition(job.memory, event, ports.clock.now()).job };
  const stored = ports.store.addJobs([prepared]);
  if (!stored.ok) return stored;
  const live = runner.liveJobs.add(prepared, ports.clock.now());
  feed.changed(job.id);
  if (event.earlier !== null) return takeUp(runner, live);
  runner.schedule();
  return ok({ jobId: job.id, relation: 'new' });
}

function join({ ports, runner, feed }: QueueContext, job: StoredJob, request: NewJob): Result<Attached> {
  const { state } = job.memory;
  if (state.tag === 'done') return ok({ jobId: job.id, relation: 'done', result: state });
  const known = runner.liveJobs.get(job.id);
  if (known !== undefined) return ok({ jobId: job.id, relation: 'resumed' });
  // The recording may have moved since; its content is the same.
  const live = runner.liveJobs.add({ ...job, path: request.path }, ports.clock.now());
  feed.changed(job.id);
  switch (state.tag) {
    case 'waiting':
      // A pause that the service asked for holds across runs as well.
      if (state.failure.retryAfterMs === undefined || wasNotReached(state.failure)) return goOn(runner, live, request);
      return takeUp(runner, live);
    case 'needs-user':
    case 'failed':
    case 'cancelled':
    case 'paused':
      return goOn(runner, live, request);
    case 'blocked':
      // The first write shows whether the disk works again.
      if (state.by === 'disk') return takeUp(runner, live);
      // Repeating the command means "try again": one job goes first, the rest follow when it gets through.
      if (runner.gate.blockedBy === null) {
        runner.gate.restoreBlock(state.by, state.failure);
        runner.gate.tryOne(job.id);
        runner.dispatch(live, { type: 'unblock' });
      }
      break;
    case 'queued':
    case 'prepared':
    case 'sending':
    case 'looking':
    case 'polling':
    case 'fetching':
      return takeUp(runner, live);
    default:
      assertNever(state);
  }
  return ok({ jobId: job.id, relation: 'resumed' });
}

function goOn(runner: QueueRunner, live: QueueEntry, request: NewJob): Result<Attached> {
  const again = runner.apply(live, { type: 'retry', consent: request.acceptsNewCharge ?? false });
  return again.ok ? ok({ jobId: live.job.id, relation: 'resumed' }) : again;
}

function takeUp(runner: QueueRunner, live: QueueEntry): Result<Attached> {
  const taken = runner.resume(live);
  if (!taken.ok) return taken;
  runner.schedule();
  return ok({ jobId: live.job.id, relation: 'resumed' });
}
