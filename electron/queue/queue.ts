import { baseName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import type { Gate } from '../../shared/domain/jobs/gate.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { optionsOf, type JobState, type PreparedUpload } from '../../shared/domain/jobs/job-state.ts';
import type { JobView, JobViewState, QueueView } from '../../shared/domain/jobs/job-view.ts';
import { assertNever, err, ok, type Result } from '../../shared/result/result.ts';
import type { ClientClock } from '../service/transport.ts';
import { readLegacyFacts, type LegacyFacts } from '../service/legacy.ts';
import { placeOfAudio } from '../services/media/audio-extractor.ts';
import { isForOther, type QueueDeps } from './effects.ts';
import { createEngine } from './engine.ts';
import type { QueueEntry } from './entries.ts';
import { createRows, unknownJob } from './rows.ts';

/** Rows that changed, in their state when listeners are called, and those that left the list. */
export interface JobsChange {
  readonly isWhole?: true;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

/** Listeners get each row at most ten times a second. */
const gatherMs = 100;

/**
 * Views are made when they leave: none is older than a list that was read before it. `front`: the rows whose place in
 * the queue is shown; those that moved are sent with the next change.
 */
export function createChangeFeed(
  clock: Pick<ClientClock, 'after'>,
  sources: {
    readonly queue: () => QueueView;
    readonly front: () => readonly string[];
    readonly viewOf: (jobId: string) => JobView | null;
  },
) {
  const listeners = new Set<(change: JobsChange) => void>();
  const changed = new Set<string>();
  let shownFront: readonly string[] = [];
  let stopTimer: (() => void) | null = null;

  const publish = (): void => {
    stopTimer = null;
    const front = sources.front();
    for (let at = 0; at < Math.max(front.length, shownFront.length); at += 1) {
      if (front[at] === shownFront[at]) continue;
      for (const id of [front[at], shownFront[at]]) if (id !== undefined) changed.add(id);
    }
    shownFront = front;
    const views = [...changed].map((id) => [id, sources.viewOf(id)] as const);
    changed.clear();
    const jobs = views.flatMap(([, view]) => view ?? []);
    const removedIds = views.flatMap(([id, view]) => (view === null ? [id] : []));
    const change = { jobs, removedIds, queue: sources.queue() };
    for (const listener of listeners) listener(change);
  };

  return {
    listen: (listener: (change: JobsChange) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** A row appeared, changed or left; without an id, only the queue did. */
    changed: (jobId?: string): void => {
      if (jobId !== undefined) changed.add(jobId);
      stopTimer ??= clock.after(gatherMs, publish);
    },
    /** Sends what is collected now. */
    stop(): void {
      if (stopTimer === null) return;
      stopTimer();
      publish();
    },
  };
}

const stopLimitMs = 2_500;
/** How many positions are shown as numbers. Jobs further back show no number, so most moves concern few rows. */
const shownPlaces = 100;

export interface QueueOptions {
  readonly uploadsAtOnce: number;
  readonly takesUp: 'everything' | 'attached';
}

/** The queue for the window and the terminal; unknown ids give a failure. */
export function createQueue(deps: QueueDeps, options: QueueOptions) {
  const feed = createChangeFeed(deps.clock, {
    queue: () => engine.view(),
    front: () => toSend.first(shownPlaces),
    viewOf(jobId) {
      const entry = byId.get(jobId);
      return entry === undefined ? null : view(entry);
    },
  });
  const engine = createEngine(deps, feed.changed);
  engine.setUploadsAtOnce(options.uploadsAtOnce);
  const { byId, toSend } = engine.entries;

  const view = (entry: QueueEntry): JobView => {
    const place = toSend.placeOf(entry.job.id);
    const placeInQueue = place > shownPlaces ? null : place;
    const isElsewhere = entry.job.memory.state.tag === 'paused' && isForOther(deps.connection(), entry.job);
    return viewOf(entry, { placeInQueue, gate: engine.gate(), pause: engine.pauseAt(place), isElsewhere });
  };
  const retryWithModel = (): void => engine.retryWhere((state) => state.tag === 'blocked' && state.by === 'model');

  return {
    /** Recovers what an earlier run left, then works until `stop`. */
    async start(): Promise<void> {
      const started = engine.start(options.takesUp);
      if (!started.ok) deps.log.write({ event: 'queue-not-started', level: 'error', row: started.error.row });
    },

    /** Ends work within three seconds; every state on disk stays valid. */
    async stop(): Promise<void> {
      await engine.stop(stopLimitMs);
      feed.stop();
    },

    ...createRows(engine),

    list: (): Omit<JobsChange, 'removedIds'> => ({ jobs: [...byId.values()].map(view), queue: engine.view() }),

    onChanged: feed.listen,

    /** Holds what is not at the service yet; kept across restarts. */
    async hold(isHeld: boolean): Promise<Result<null>> {
      const held = engine.hold(isHeld);
      feed.changed();
      return held;
    },

    setUploadsAtOnce(count: number): void {
      engine.setUploadsAtOnce(count);
      feed.changed();
    },

    /** Unblocks the queue and tries one job first. */
    async resumeQueue(): Promise<void> {
      engine.liftGate(true);
      retryWithModel();
    },

    noteConnectionChange(): void {
      engine.noteAccount();
      engine.recheck('key', 'service', 'permission');
      retryWithModel();
      // The key that these rows were sent with may be back.
      engine.retryWhere((state) => state.tag === 'needs-user' && state.failure.kind === 'other-key');
    },

    noteNetworkChange(addresses: ReadonlySet<string>): void {
      deps.api.dropStaleConnections(addresses);
      // A key may be valid from one network only (key-restricted).
      engine.recheck('service', 'permission');
      // The refusal came from the other network.
      engine.retryWhere((state) => state.tag === 'waiting' && state.failure.kind === 'refused-by-proxy');
    },

    /** Timers of some systems stop while the computer sleeps. */
    onWake(): void {
      deps.api.dropConnections();
      for (const entry of byId.values()) {
        const { state } = entry.job.memory;
        if (state.tag === 'waiting') engine.wakeAt(entry, state.untilMs);
      }
      engine.recheck('key', 'service', 'permission');
    },

    /** Milliseconds by idempotency key, where known. */
    lengthsOf(keys: readonly string[]): ReadonlyMap<string, number> {
      const wanted = new Set(keys);
      const found = [...byId.values()].flatMap(({ job }): (readonly [string, number])[] => {
        const key = job.memory.intent?.idempotencyKey;
        return key === undefined || !wanted.has(key) || job.durationMs === null ? [] : [[key, job.durationMs]];
      });
      return new Map(found);
    },

    pathOf(jobId: string): Result<string> {
      const entry = byId.get(jobId);
      return entry === undefined ? unknownJob : ok(placeOfAudio(deps.extractor, entry.job.path));
    },
    async rawAnswer(jobId: string): Promise<Result<{ readonly suggestedName: string; readonly text: string }>> {
      const raw = deps.store.latestRawAnswer(jobId);
      if (!raw.ok) return raw;
      if (raw.value === null) return err(localFailure('deleted-at-service', { code: 'no_raw_answer' }));
      const name = byId.get(jobId)?.job.name ?? jobId;
      const extension = /^\s*[[{]/.test(raw.value.body) ? '.json' : '.txt';
      return ok({ suggestedName: safeFileName(`${baseName(name)} answer`, extension), text: raw.value.body });
    },
    async legacyFacts(jobId: string): Promise<Result<LegacyFacts>> {
      const raw = deps.store.latestRawAnswer(jobId);
      return raw.ok ? ok(readLegacyFacts(raw.value?.body ?? '')) : raw;
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;

interface Place {
  /** Among those that wait for an upload; null far back, where no number is shown. */
  readonly placeInQueue: number | null;
  readonly gate: Gate;
  /** What keeps this row from being sent; null while it only waits for its turn. */
  readonly pause: Gate['pausedBy'];
  /** Whether it was ordered for another account than the present one. */
  readonly isElsewhere?: boolean;
}

type Shown = Pick<QueueEntry, 'job' | 'sinceMs' | 'progress' | 'heard'>;

/** A row as a page shows it. */
export function viewOf(entry: Shown, place: Place): JobView {
  const { id, seq, name, sizeBytes, durationMs, addedAtMs, rank, memory } = entry.job;
  const state = withWhatIsThere(viewState(entry, place), memory.intent);
  return { id, seq, name, sizeBytes, durationMs, addedAtMs, rank, ...optionsOf(entry.job), state };
}

/** Work that was or may have been accepted still exists: a user who cancels it has to know. */
function withWhatIsThere(state: JobViewState, intent: PreparedUpload | null): JobViewState {
  if (intent === null || (state.tag !== 'retrying' && state.tag !== 'blocked' && state.tag !== 'needs-user'))
    return state;
  const { failure } = state;
  if (failure.outcome !== 'not_sent' && failure.outcome !== 'refused' && state.tag === 'needs-user') return state;
  if (intent.remoteId !== null) return { ...state, failure: { ...failure, outcome: 'accepted' } };
  return intent.isUnsettled && failure.outcome !== 'accepted'
    ? { ...state, failure: { ...failure, outcome: 'unknown' } }
    : state;
}

const isUnderWay = ({ tag }: JobState): boolean =>
  tag === 'sending' || tag === 'polling' || tag === 'looking' || tag === 'fetching';

function viewState({ job, sinceMs, progress, heard }: Shown, place: Place): JobViewState {
  const { state, intent } = job.memory;
  const { block, trial, isHeld } = place.gate;
  const acceptedAtMs = intent?.acceptedAtMs ?? sinceMs;
  // A full disk holds up everybody, because results can't be stored either.
  if (block?.by === 'disk' && isUnderWay(state)) return { tag: 'blocked', ...block };
  switch (state.tag) {
    case 'queued':
      return progress === null ? { tag: 'preparing' } : { tag: 'preparing', audioShare: progress.done };
    case 'prepared':
      if (block !== null && trial === 'none') return { tag: 'blocked', ...block };
      if (place.pause !== null && !isHeld) return { tag: 'retrying', ...place.pause };
      return { tag: 'waiting', placeInQueue: place.placeInQueue };
    case 'sending':
      return {
        tag: 'uploading',
        sinceMs,
        sentBytes: progress?.done ?? 0,
        totalBytes: progress?.total ?? job.sizeBytes,
      };
    case 'polling': {
      if (!state.isProcessing) return { tag: 'queued-at-service', sinceMs: acceptedAtMs };
      const words = heard === null ? {} : { heard: heard.view };
      return { tag: 'processing', sinceMs: acceptedAtMs, rawStatus: state.rawStatus, ...words };
    }
    case 'looking':
    case 'fetching':
      return { tag: 'processing', sinceMs: acceptedAtMs, rawStatus: null };
    case 'waiting':
      return { tag: 'retrying', untilMs: state.untilMs, failure: state.failure };
    case 'blocked':
      return { tag: 'blocked', by: state.by, failure: state.failure };
    case 'paused':
      return {
        tag: 'paused',
        sentBytes: state.sentBytes,
        totalBytes: job.sizeBytes,
        isAwaitingAnswer: state.isAsking === true || (place.isElsewhere === true && state.isElsewhere === true),
        ...(place.isElsewhere === true && { isElsewhere: true }),
      };
    case 'done':
    case 'needs-user':
    case 'failed':
    case 'cancelled':
      return state;
    default:
      return assertNever(state);
  }
}
