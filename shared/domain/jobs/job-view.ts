import type { Failure } from '../../result/failure.ts';
import type { HeardView } from './heard.ts';
import {
  optionsOf,
  type JobOptions,
  type JobResult,
  type PreparedUpload,
  type JobRecord,
  type JobState,
} from './job-state.ts';
import { noPace, type Pace } from './time-left.ts';
import { assertNever } from '../../result/result.ts';
import type { Gate } from './gate.ts';

export type JobViewState =
  /** `audioShare`: the share of a video's audio that is extracted, 0 to 1; absent while the file is only read. */
  | { readonly tag: 'preparing'; readonly audioShare?: number }
  /** Position among those that wait for an upload, from 1; null far back, where no number is shown. */
  | { readonly tag: 'waiting'; readonly placeInQueue: number | null }
  | { readonly tag: 'uploading'; readonly sentBytes: number; readonly totalBytes: number; readonly sinceMs: number }
  | { readonly tag: 'queued-at-service'; readonly sinceMs: number }
  | {
      readonly tag: 'processing';
      readonly sinceMs: number;
      readonly rawStatus: string | null;
      readonly heard?: HeardView;
    }
  | { readonly tag: 'retrying'; readonly untilMs: number; readonly failure: Failure }
  /** Stopped until something outside the item changes: the network, the key, the credits, the disk. */
  | {
      readonly tag: 'blocked';
      readonly by: 'offline' | 'key' | 'credits' | 'permission' | 'disk' | 'service' | 'model';
      readonly failure: Failure;
    }
  | { readonly tag: 'paused'; readonly sentBytes: number; readonly totalBytes: number }
  /** Only the user can decide how to continue: file changed, job lost by the service, duplicate content. */
  | { readonly tag: 'needs-user'; readonly failure: Failure }
  | ({ readonly tag: 'done'; readonly finishedAtMs: number } & JobResult)
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasRawAnswer: boolean }
  | { readonly tag: 'cancelled'; readonly isAcceptedByService: boolean };

/** Facts about a row in any state. Times are Unix milliseconds, lengths milliseconds. */
interface JobBase {
  readonly id: string;
  readonly seq: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly addedAtMs: number;
  /** Order among unfinished rows: smaller goes first. Not a count; may be fractional. */
  readonly rank: number;
}

export type JobRow = JobBase & JobOptions;

export type JobView = JobRow & { readonly state: JobViewState };

export interface QueueView {
  readonly isHeld: boolean;
  /** 1 to 8. */
  readonly uploadsAtOnce: number;
  readonly pace: Pace;
}

export const noQueue: QueueView = { isHeld: false, uploadsAtOnce: 2, pace: noPace };

export const rowActions = ['pause', 'go-on', 'retry', 'cancel', 'undo-cancel', 'remove'] as const;
export type RowAction = (typeof rowActions)[number];

export type JobFacts = JobRow & { readonly memory: JobRecord };

interface LiveFacts {
  readonly placeInQueue: number | null;
  readonly sinceMs: number;
  readonly upload: { readonly sentBytes: number; readonly totalBytes: number } | null;
  readonly audioShare: number | null;
  readonly heard: HeardView | null;
  readonly gate: Gate;
  /** What keeps this row from being sent, until Unix milliseconds; null while it only waits for its turn. */
  readonly pause: { readonly failure: Failure; readonly untilMs: number } | null;
}

export function toJobView(job: JobFacts, live: LiveFacts): JobView {
  const { id, seq, name, sizeBytes, durationMs, addedAtMs, rank } = job;
  const state = withWhatIsThere(viewState(job, live), job.memory.intent);
  return { id, seq, name, sizeBytes, durationMs, addedAtMs, rank, ...optionsOf(job), state };
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
