import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Gate } from '../../../shared/domain/jobs/gate.ts';
import { stopsOthers } from '../../../shared/domain/jobs/decide-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { isFinal, newJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { optionsOf, type JobOptions } from '../../../shared/domain/jobs/job-kind.ts';
import { excerptOf } from '../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { QueueView } from '../../../shared/domain/jobs/queue-view.ts';
import { toJobView } from '../../../shared/domain/jobs/to-view.ts';
import { safeFileName, baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { readLegacyFacts } from '../../api/legacy/resources.ts';
import type { JobService, NewJob } from './job-service.ts';
import type { StoredJob } from '../library/store.ts';
import { placeOfAudio } from '../media/audio-extractor.ts';
import type { InspectedFile } from '../library/file-inspector.ts';
import { jobAdder } from './add-jobs.ts';
import { joinOrAddJob } from './join-or-add-job.ts';
import { ChangeFeed } from './change-feed.ts';
import { copyResult, relocate } from './copy-result.ts';
import type { LiveJob } from './live-jobs.ts';
import { firstToTry } from './intercepted-uploads.ts';
import type { QueuePorts } from './ports.ts';
import { QueueRunner } from './queue-runner.ts';
import { wasNotReached } from './connectivity-monitor.ts';
import { actOnRows, changeLanguage, hideRows, moveRows, runNext, showRows } from './row-actions.ts';

const stopLimitMs = 2_500;
/** How many positions are shown as numbers. Jobs further back show no number, so most moves concern few rows. */
const shownPlaces = 100;
const uploadsIn = (wanted: number): number => Math.min(8, Math.max(1, Math.trunc(wanted)));
const gone: Result<never, Failure> = err(localFailure('E-040', { code: 'unknown_job' }));

/** The options of a row with the length of what will be sent. */
function optionsFor(
  { durationMs }: InspectedFile,
  request: NewJob,
): JobOptions & { readonly durationMs: number | null } {
  const options = optionsOf(request);
  if (options.kind !== 'isolate') return { ...options, durationMs };
  const part = options.part ?? (options.isExcerpt === true ? excerptOf(durationMs) : null);
  // A recording hardly longer than the excerpt is sent as a whole.
  return part === null
    ? { ...optionsOf({ ...options, isExcerpt: undefined }), durationMs }
    : { ...options, part, durationMs: Math.min(part.endMs, durationMs ?? part.endMs) - part.startMs };
}

export interface QueueOptions {
  /** 1 to 8; jobs that the service works on do not count. */
  readonly uploadsAtOnce: number;
  /** `attached`: a run from the terminal works only on its own files and leaves other rows as they are. */
  readonly takesUp: 'everything' | 'attached';
}

/** The queue of one library. */
export function createJobQueue(ports: QueuePorts, options: QueueOptions): JobService {
  const feed = new ChangeFeed(ports.clock, {
    queue: () => queue(),
    front: () => liveJobs.toSend.first(shownPlaces),
    viewOf: (jobId) => viewOf(jobId),
  });
  const runner: QueueRunner = new QueueRunner(ports, uploadsIn(options.uploadsAtOnce), feed, () => {
    runner.gate.openIfOnce();
    wayIsFree();
  });
  const { liveJobs } = runner;
  const viewOf = (jobId: string): JobView | null => {
    const live = liveJobs.get(jobId);
    return live === undefined ? null : view(live, liveJobs.toSend.placeOf(jobId));
  };
  /** Why nothing is sent right now; null when the queue is not paused. */
  const pauseShown = (): Gate['pausedBy'] => (runner.gate.pauseLeftMs > 0 ? runner.gate.state.pausedBy : null);
  const view = (live: LiveJob, placeInQueue: number): JobView =>
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
  const withRow = (jobId: string, work: (live: LiveJob) => Result<null, Failure>): Result<null, Failure> => {
    const live = liveJobs.get(jobId);
    return live === undefined ? gone : work(live);
  };

  const newJob = (file: InspectedFile, request: NewJob): StoredJob => ({
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

  /**
   * One item is tried first; the rest follow when it gets through. A user's request is carried out whatever is known.
   */
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
  const wayIsFree = () => {
    if (runner.gate.blockedBy === 'service') liftGate(false);
    goOn();
  };

  const lookAgain = () => {
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
    async start() {
      const started = runner.start(options.takesUp);
      if (!started.ok) {
        ports.log.write({ event: 'queue-not-started', level: 'error', row: started.error.row });
        return;
      }
      const by = runner.gate.blockedBy;
      if (by === 'key' || by === 'permission') liftGate();
    },

    async stop() {
      await runner.stop(stopLimitMs);
      feed.stop();
    },

    add: jobAdder(context),

    attach: (request, signal) => joinOrAddJob(context, request, signal),

    list() {
      const places = new Map(liveJobs.toSend.ids().map((id, index) => [id, index + 1]));
      const jobs = [...liveJobs.all()].map((live) => view(live, places.get(live.job.id) ?? 0));
      return { jobs, queue: queue() };
    },

    onChanged: (listener) => feed.listen(listener),

    async retry(jobId, acceptsNewCharge) {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      const { state } = live.job.memory;
      if ((state.tag === 'blocked' && stopsOthers(state.by)) || state.tag === 'prepared') {
        liftGate();
        return ok(null);
      }
      return runner.apply(live, { type: 'retry', consent: acceptsNewCharge });
    },

    async cancel(jobId) {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      const cancelled = runner.apply(live, { type: 'cancel' });
      if (!cancelled.ok) return cancelled;
      return ok({ isAcceptedByService: live.job.memory.intent?.remoteId != null });
    },

    async remove(jobId) {
      const live = liveJobs.get(jobId);
      if (live === undefined) return gone;
      if (!isFinal(live.job.memory.state)) {
        const cancelled = runner.apply(live, { type: 'cancel' });
        if (!cancelled.ok) return cancelled;
      }
      return hideRows(context, [jobId]);
    },

    bringBack: (jobIds) => showRows(context, jobIds),
    act: (jobIds, action) => actOnRows(context, jobIds, action),
    move: async (jobIds, beforeId) => moveRows(context, jobIds, beforeId),
    runNext: async (jobId) => runNext(context, jobId),
    changeLanguage: async (jobId, language) => changeLanguage(context, jobId, language),
    copyResult: async (jobId) => withRow(jobId, (live) => copyResult(ports, runner, live)),
    relocate: async (jobId, path) => withRow(jobId, (live) => relocate(ports, runner, live, path)),

    async hold(isHeld) {
      const held = runner.hold(isHeld);
      feed.queueChanged();
      return held;
    },

    setUploadsAtOnce(count) {
      if (uploadsIn(count) === runner.uploadsAtOnce) return;
      runner.setUploadsAtOnce(uploadsIn(count));
      feed.queueChanged();
    },

    async resumeQueue() {
      liftGate();
      tryWithModel();
    },

    noteConnectionChange() {
      lookAgain();
      tryWithModel();
      // The key that these rows were sent with may be back.
      for (const live of liveJobs.all()) {
        const { state } = live.job.memory;
        if (state.tag === 'needs-user' && state.failure.row === 'E-042')
          runner.dispatch(live, { type: 'retry', consent: false });
      }
    },

    noteNetworkChange(addresses) {
      ports.api.dropStaleConnections(addresses);
      const by = runner.gate.blockedBy;
      if (by === 'offline') runner.gate.openIfOnline();
      // A key may be valid from one network only (E-038).
      else if (by === 'permission') liftGate();
      wayIsFree();
      // The refusal came from the other network.
      for (const live of liveJobs.all()) {
        const { state } = live.job.memory;
        if (state.tag === 'waiting' && state.failure.row === 'E-240')
          runner.dispatch(live, { type: 'retry', consent: false });
      }
    },

    noteWake() {
      ports.api.dropConnections();
      const now = ports.clock.now();
      for (const live of liveJobs.all()) {
        const { state, attempt } = live.job.memory;
        if (state.tag !== 'waiting') continue;
        if (state.untilMs <= now) runner.dispatch(live, { type: 'woke', attempt });
        else runner.waitUntil(live, state.untilMs);
      }
      lookAgain();
    },

    lengthsOf(keys) {
      const wanted = new Set(keys);
      const found = [...liveJobs.all()].flatMap(({ job }): (readonly [string, number])[] => {
        const key = job.memory.intent?.idempotencyKey;
        return key === undefined || !wanted.has(key) || job.durationMs === null ? [] : [[key, job.durationMs]];
      });
      return new Map(found);
    },

    pathOf(jobId) {
      const live = liveJobs.get(jobId);
      return live === undefined
        ? err(localFailure('E-040', { code: 'unknown_job' }))
        : ok(placeOfAudio(ports.extractor, live.job.path));
    },
    async rawAnswer(jobId) {
      const raw = ports.store.latestRawAnswer(jobId);
      if (!raw.ok) return raw;
      if (raw.value === null) return err(localFailure('E-040', { code: 'no_raw_answer' }));
      const name = liveJobs.get(jobId)?.job.name ?? jobId;
      const extension = /^\s*[[{]/.test(raw.value.body) ? '.json' : '.txt';
      return ok({ suggestedName: safeFileName(`${baseName(name)} answer`, extension), text: raw.value.body });
    },
    async legacyFacts(jobId) {
      const raw = ports.store.latestRawAnswer(jobId);
      return raw.ok ? ok(readLegacyFacts(raw.value?.body ?? '')) : raw;
    },
  };
}
