import type { HeardAt, HeardView } from '../../shared/domain/jobs/heard.ts';
import type { Gate } from '../../shared/domain/jobs/gate.ts';
import { optionsOf, type JobState, type PreparedUpload } from '../../shared/domain/jobs/job-state.ts';
import type { JobView, JobViewState } from '../../shared/domain/jobs/job-view.ts';
import { byRank, type Ranked } from '../../shared/domain/jobs/rank.ts';
import { assertNever } from '../../shared/result/result.ts';
import type { StoredJob } from '../services/library/store.ts';
import type { EffectName } from './effects.ts';

/** What had got through to the service. */
export interface Passed {
  readonly uploads: number;
  readonly reads: number;
}

/** A row, and what is known about it only while the app runs. */
export interface QueueEntry {
  job: StoredJob;
  upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  audioShare: number | null;
  heard: { readonly view: HeardView; readonly from: HeardAt } | null;
  sinceMs: number;
  sentBetween: { readonly fromMs: number; readonly toMs: number | null } | null;
  running: AbortController | null;
  cancelTimer: (() => void) | null;
  deferredRead: EffectName | null;
  passedAtPage: Passed;
}

/** Rows in the order of their ranks; positions are found by binary search. */
export function createLine() {
  const rows: Ranked[] = [];
  const ranks = new Map<string, number>();
  const indexOf = (row: Ranked): number => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = rows[middle];
      if (other !== undefined && byRank(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const remove = (id: string): void => {
    const rank = ranks.get(id);
    if (rank === undefined) return;
    rows.splice(indexOf({ id, rank }), 1);
    ranks.delete(id);
  };
  return {
    size: () => rows.length,
    has: (id: string) => ranks.has(id),
    put({ id, rank }: Ranked): void {
      if (ranks.get(id) === rank) return;
      remove(id);
      rows.splice(indexOf({ id, rank }), 0, { id, rank });
      ranks.set(id, rank);
    },
    remove,
    /** From 1; 0 when it is not in this line. */
    placeOf(id: string): number {
      const rank = ranks.get(id);
      return rank === undefined ? 0 : indexOf({ id, rank }) + 1;
    },
    /** A snapshot: later changes do not affect the caller's iteration. */
    first: (count = Infinity): readonly string[] => rows.slice(0, count).map(({ id }) => id),
  };
}

/** All rows of the queue, and the two lines they wait in. */
export function createEntries() {
  const byId = new Map<string, QueueEntry>();
  const [toSend, toPrepare] = [createLine(), createLine()];
  let [lastSeq, lastRank] = [0, 0];
  const settle = (entry: QueueEntry, job: StoredJob): void => {
    entry.job = job;
    lastSeq = Math.max(lastSeq, job.seq);
    lastRank = Math.max(lastRank, job.rank);
    const { tag } = job.memory.state;
    if (tag === 'prepared') toSend.put(job);
    else toSend.remove(job.id);
    if (tag !== 'queued') toPrepare.remove(job.id);
    else if (toPrepare.has(job.id)) toPrepare.put(job);
  };
  const nextSeq = (): number => (lastSeq += 1);
  return {
    byId,
    toSend,
    toPrepare,
    nextSeq,
    nextRank: () => (lastRank = Math.floor(lastRank) + 1),
    add(job: StoredJob, sinceMs: number): QueueEntry {
      const entry: QueueEntry = {
        job,
        sinceMs,
        upload: null,
        audioShare: null,
        heard: null,
        sentBetween: null,
        running: null,
        cancelTimer: null,
        deferredRead: null,
        passedAtPage: { uploads: 0, reads: 0 },
      };
      byId.set(job.id, entry);
      settle(entry, job);
      if (job.memory.state.tag === 'queued') toPrepare.put(job);
      return entry;
    },
    remove(jobId: string): void {
      const entry = byId.get(jobId);
      if (entry !== undefined) stopWork(entry);
      toSend.remove(jobId);
      toPrepare.remove(jobId);
      byId.delete(jobId);
    },
    put(entry: QueueEntry, job: StoredJob, nowMs: number): void {
      if (entry.job.memory.state.tag !== job.memory.state.tag) {
        entry.sinceMs = nowMs;
        entry.upload = null;
        entry.audioShare = null;
        entry.heard = null;
      }
      settle(entry, job);
    },
    /** What the row shows changed, and nothing of it is stored. */
    touch(entry: QueueEntry, change: Partial<StoredJob> = {}): void {
      settle(entry, { ...entry.job, ...change, seq: nextSeq() } as StoredJob);
    },
  };
}

export type Entries = ReturnType<typeof createEntries>;

export function stopWork(entry: QueueEntry): void {
  entry.cancelTimer?.();
  entry.cancelTimer = null;
  entry.running?.abort();
  entry.running = null;
  entry.deferredRead = null;
}

interface Place {
  /** Among those that wait for an upload; null far back, where no number is shown. */
  readonly placeInQueue: number | null;
  readonly gate: Gate;
  /** What keeps this row from being sent; null while it only waits for its turn. */
  readonly pause: Gate['pausedBy'];
  /** Whether it was ordered for another account than the present one. */
  readonly isElsewhere?: boolean;
}

type Shown = Pick<QueueEntry, 'job' | 'sinceMs' | 'upload' | 'audioShare' | 'heard'>;

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

function viewState({ job, sinceMs, upload, audioShare, heard }: Shown, place: Place): JobViewState {
  const { state, intent } = job.memory;
  const { block, trial, isHeld } = place.gate;
  const acceptedAtMs = intent?.acceptedAtMs ?? sinceMs;
  // A full disk holds up everybody, because results can't be stored either.
  if (block?.by === 'disk' && isUnderWay(state)) return { tag: 'blocked', ...block };
  switch (state.tag) {
    case 'queued':
      return audioShare === null ? { tag: 'preparing' } : { tag: 'preparing', audioShare };
    case 'prepared':
      if (block !== null && trial === 'none') return { tag: 'blocked', ...block };
      if (place.pause !== null && !isHeld) return { tag: 'retrying', ...place.pause };
      return { tag: 'waiting', placeInQueue: place.placeInQueue };
    case 'sending':
      return { tag: 'uploading', sinceMs, ...(upload ?? { sentBytes: 0, totalBytes: job.sizeBytes }) };
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
        isAwaitingAnswer: state.isAsking === true,
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
