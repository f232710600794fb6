import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import type { JobMemory, Step } from './job-state.ts';
import { look, resume, startOver, unchanged } from './steps.ts';

/**
 * The user asks to continue. Free steps first: read again, search again, the same key again. A new key, which may mean
 * a new charge, only with `consent`, or when it is certain that nothing was accepted under the old one.
 */
export function onRetry(job: JobMemory, consent: boolean): Step {
  const { state } = job;
  switch (state.tag) {
    case 'waiting':
    case 'blocked':
    case 'paused':
      return resume(job, state.resume);
    case 'cancelled':
      // What never left is checked again: it may have been cancelled because the same recording is here already.
      return goOn(job.intent?.firstSentAtMs === null ? { ...job, intent: null } : job);
    case 'needs-user':
    case 'failed':
      return afterFailure(job, state.failure, consent);
    case 'queued':
    case 'prepared':
    case 'sending':
    case 'looking':
    case 'polling':
    case 'fetching':
    case 'done':
      return unchanged(job);
    default:
      return assertNever(state);
  }
}

const fresh = { tries: 0, answersWithoutId: 0, pages: 0, emptyReads: 0, missingSinceMs: null } as const;

/** Same intent, from the furthest point that is known for certain. */
function goOn(job: JobMemory): Step {
  if (job.intent === null) return resume(job, 'prepare', fresh);
  if (job.intent.remoteId !== null) return resume(job, 'poll', fresh);
  // The bytes are hashed again first, because time has passed and the key stays bound to the old content.
  return resume(job, 'prepare', fresh);
}

function afterFailure(job: JobMemory, failure: Failure, consent: boolean): Step {
  const { intent } = job;
  switch (failure.row) {
    case 'E-011':
    case 'E-212':
    case 'E-244':
    case 'E-245':
      if (!consent) return unchanged(job);
      return failure.row === 'E-011' ? startOver(job) : resume(job, 'send', fresh);
    case 'E-041':
      return consent ? startOver(job) : look(job, failure);
    case 'E-042':
      // The old API key may be back: `go` compares, and searches for the job when it is not.
      return consent ? startOver(job) : goOn(job);
    case 'E-160':
      return consent ? startOver(job) : unchanged(job);
    default:
      break;
  }
  const nothingAccepted = intent === null || (intent.remoteId === null && !intent.isUnsettled);
  const wasRefused = failure.outcome === 'refused' && failure.layer === 'http';
  return nothingAccepted && wasRefused ? startOver(job) : goOn(job);
}
