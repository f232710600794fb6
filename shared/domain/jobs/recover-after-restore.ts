import { localFailure } from './job-failures.ts';
import { isFinal, type JobMemory } from './job-state.ts';

/**
 * A job as an older copy of the library knows it, while what happened to it since then can't be read any more: it may
 * have been sent, and charged, after `knownAtMs` (Unix milliseconds). So nothing is sent for it before the service was
 * asked or a person says so. The same object when nothing of this can be.
 */
export function recoverAfterRestore(job: JobMemory, knownAtMs: number): JobMemory {
  // What the service has needs only reads, which are free.
  if (isFinal(job.state) || isAtService(job)) return job;
  return lookFirst(job, knownAtMs);
}

/** A job that ended with a text which is lost: it is read again from the service, or looked for there, for nothing. */
export function recoverLostText(job: JobMemory, knownAtMs: number): JobMemory {
  return isAtService(job) ? { ...job, state: { tag: 'fetching' }, emptyReads: 0, tries: 0 } : lookFirst(job, knownAtMs);
}

const isAtService = ({ intent }: JobMemory): boolean => intent !== null && intent.remoteId !== null;

function lookFirst(job: JobMemory, knownAtMs: number): JobMemory {
  const maybeSent = localFailure('E-041', { code: 'maybe_sent' });
  const { intent } = job;
  // Without the content's name and time there is nothing to look for.
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
