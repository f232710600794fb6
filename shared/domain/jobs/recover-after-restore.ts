import { localFailure } from './job-failures.ts';
import { isFinal, type JobMemory } from './job-state.ts';

/**
 * A job as an older backup of the library knows it, when its later history can't be read: it may have been sent, and
 * charged, after `knownAtMs` (Unix milliseconds). So nothing is sent for it before the service was asked or the user
 * agrees. Returns the same object when none of this is possible.
 */
export function recoverAfterRestore(job: JobMemory, knownAtMs: number): JobMemory {
  // Work that the service has accepted needs only reads, which are free.
  if (isFinal(job.state) || isAtService(job)) return job;
  return lookFirst(job, knownAtMs);
}

/** A finished job whose text is lost: it is read from the service again, or searched for there, for free. */
export function recoverLostText(job: JobMemory, knownAtMs: number): JobMemory {
  return isAtService(job) ? { ...job, state: { tag: 'fetching' }, emptyReads: 0, tries: 0 } : lookFirst(job, knownAtMs);
}

const isAtService = ({ intent }: JobMemory): boolean => intent !== null && intent.remoteId !== null;

function lookFirst(job: JobMemory, knownAtMs: number): JobMemory {
  const maybeSent = localFailure('E-041', { code: 'maybe_sent' });
  const { intent } = job;
  // Without the content's name and time there is nothing to search for.
  if (intent === null) return { ...job, state: { tag: 'needs-user', failure: maybeSent } };
  const firstSentAtMs = intent.firstSentAtMs ?? knownAtMs;
  return {
    ...job,
    state: { tag: 'looking' },
    fallbackFailure: maybeSent,
    tries: 0,
    intent: { ...intent, isUnsettled: true, firstSentAtMs },
  };
}
