import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import type { Gate } from './gate.ts';
import type { HeardView } from './heard.ts';
import type { Intent, JobMemory, JobState } from './job-state.ts';
import { optionsOf } from './job-kind.ts';
import type { JobRow, JobView, JobViewState } from './job-view.ts';

/** One row of the queue as stored, without what only main may know (paths, hashes). */
export type JobFacts = JobRow & { readonly memory: JobMemory };

/** Facts that exist only while the app runs: never stored, gone after a restart. */
export interface LiveFacts {
  readonly placeInQueue: number | null;
  readonly sinceMs: number;
  readonly upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  /** 0 to 1 while audio is extracted from a video, else null. */
  readonly audioShare: number | null;
  /** How far the service is; null where it does not say. */
  readonly heard: HeardView | null;
  readonly gate: Gate;
  /**
   * The pause that keeps this row from being sent now, with Unix milliseconds; null while it only waits for its turn.
   */
  readonly pause: { readonly failure: Failure; readonly untilMs: number } | null;
}

/** The row as the user sees it. */
export function toJobView(job: JobFacts, live: LiveFacts): JobView {
  const { id, seq, name, sizeBytes, durationMs, addedAtMs, rank } = job;
  const state = withWhatIsThere(viewState(job, live), job.memory.intent);
  return { id, seq, name, sizeBytes, durationMs, addedAtMs, rank, ...optionsOf(job), state };
}

/**
 * A row shows the failure of its last request. Work that was accepted earlier still exists, and work that may have been
 * accepted still may: a user who cancels it has to know.
 */
function withWhatIsThere(state: JobViewState, intent: Intent | null): JobViewState {
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

function viewState(job: JobFacts, live: LiveFacts): JobViewState {
  const { state, intent } = job.memory;
  const acceptedAtMs = intent?.acceptedAtMs ?? live.sinceMs;
  // A full disk holds up everybody, because results can't be stored either.
  if (live.gate.block?.by === 'disk' && isUnderWay(state)) return { tag: 'blocked', ...live.gate.block };
  switch (state.tag) {
    case 'queued':
      return live.audioShare === null ? { tag: 'preparing' } : { tag: 'preparing', audioShare: live.audioShare };
    case 'prepared':
      if (live.gate.block !== null && live.gate.trial === 'none') return { tag: 'blocked', ...live.gate.block };
      if (live.pause !== null && !live.gate.isHeld) return { tag: 'retrying', ...live.pause };
      return { tag: 'waiting', placeInQueue: live.placeInQueue };
    case 'sending':
      return {
        tag: 'uploading',
        sentBytes: live.upload?.sentBytes ?? 0,
        totalBytes: live.upload?.totalBytes ?? job.sizeBytes,
        sinceMs: live.sinceMs,
      };
    case 'polling':
      return state.isProcessing
        ? {
            tag: 'processing',
            sinceMs: acceptedAtMs,
            rawStatus: state.rawStatus,
            ...(live.heard === null ? {} : { heard: live.heard }),
          }
        : { tag: 'queued-at-service', sinceMs: acceptedAtMs };
    case 'looking':
    case 'fetching':
      return { tag: 'processing', sinceMs: acceptedAtMs, rawStatus: null };
    case 'done':
      return state;
    case 'waiting':
      return { tag: 'retrying', untilMs: state.untilMs, failure: state.failure };
    case 'blocked':
      return { tag: 'blocked', by: state.by, failure: state.failure };
    case 'paused':
      return { tag: 'paused', sentBytes: state.sentBytes, totalBytes: job.sizeBytes };
    case 'needs-user':
      return { tag: 'needs-user', failure: state.failure };
    case 'failed':
      return { tag: 'failed', failure: state.failure, hasRawAnswer: state.hasRawAnswer };
    case 'cancelled':
      return { tag: 'cancelled', isAcceptedByService: state.isAcceptedByService };
    default:
      return assertNever(state);
  }
}
