import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import { planFor } from './decide-failure.ts';
import { localFailure } from './job-failures.ts';
import type { Intent, JobCommand, JobMemory, JobState, ResumeAt, JobResult, Step } from './job-state.ts';
import { newJobMemory } from './job-state.ts';
import { backoffMs } from './pace.ts';

/** Nothing changes: the event came late or adds nothing. The job is returned as the same object. */
export const unchanged = (job: JobMemory): Step => ({ job, commands: [] });

/** Enters a new state with a new attempt number, so that reports of earlier commands are ignored. */
export function move(
  job: JobMemory,
  state: JobState,
  commands: readonly JobCommand[] = [],
  change: Partial<Omit<JobMemory, 'state' | 'attempt'>> = {},
): Step {
  return { job: { ...job, ...change, state, attempt: job.attempt + 1 }, commands };
}

/** Changes some facts of the intent; a job without one (a bug) stays without. */
export const withIntent = (job: JobMemory, change: Partial<Intent>): Pick<JobMemory, 'intent'> => ({
  intent: job.intent === null ? null : { ...job.intent, ...change },
});

/** Progress was made, so the backoff starts over. */
export const resetCounters = { tries: 0, answersWithoutId: 0, pages: 0, missingSinceMs: null } as const;

/** Continues a job where it was stopped. */
export function resume(job: JobMemory, at: ResumeAt, change: Partial<Omit<JobMemory, 'state' | 'attempt'>> = {}): Step {
  switch (at) {
    case 'prepare':
      return move(job, { tag: 'queued' }, [{ type: 'prepare' }], change);
    case 'send':
      return move(job, { tag: 'prepared' }, [], change);
    case 'poll':
      return move(
        job,
        { tag: 'polling', isProcessing: false, rawStatus: null },
        [{ type: 'poll', delayMs: 0 }],
        change,
      );
    case 'look':
      return move(job, { tag: 'looking' }, [{ type: 'look' }], change);
    case 'fetch':
      return move(job, { tag: 'fetching' }, [{ type: 'fetch', delayMs: 0, useExport: false }], change);
    default:
      return assertNever(at);
  }
}

/** Drops the intent: the user wants it sent again under a new key. */
export const startOver = (job: JobMemory): Step =>
  move({ ...newJobMemory, attempt: job.attempt, acceptsNewCharge: true }, { tag: 'queued' }, [{ type: 'prepare' }]);

/** Searches the service's list before anything is repeated. */
export const look = (job: JobMemory, fallbackFailure: Failure): Step =>
  resume(job, 'look', { fallbackFailure, tries: 0 });

/** The text is stored: the job has succeeded. */
export const finish = (job: JobMemory, text: JobResult, now: number, remoteId: string | null): Step =>
  move(job, { tag: 'done', ...text, finishedAtMs: now }, [], {
    ...resetCounters,
    ...withIntent(job, { isUnsettled: false, remoteId: remoteId ?? job.intent?.remoteId ?? null }),
  });

/** Stops until the user answers. */
export const needsUser = (job: JobMemory, failure: Failure): Step => move(job, { tag: 'needs-user', failure });

/** Ends without text. */
export const fail = (job: JobMemory, failure: Failure, hasRawAnswer: boolean): Step =>
  move(job, { tag: 'failed', failure, hasRawAnswer });

/** Waits, blocks, searches, asks or ends, according to the failure's row. */
export function retryOrFail(job: JobMemory, at: ResumeAt, failure: Failure, now: number, roll: number): Step {
  const plan = planFor(failure, job.tries);
  switch (plan.plan) {
    case 'wait': {
      const wait = backoffMs(job.tries, roll, { retryAfterMs: failure.retryAfterMs, isThrottled: plan.isThrottled });
      const untilMs = now + wait;
      return move(job, { tag: 'waiting', resume: at, untilMs, failure }, [{ type: 'wake', atMs: untilMs }], {
        tries: job.tries + 1,
      });
    }
    case 'block':
      return move(job, { tag: 'blocked', resume: at, by: plan.by, failure });
    case 'look': {
      const { status, code, requestId, details } = failure;
      // What the service answered is kept, for whoever asks about it.
      return look(job, localFailure('E-041', status === undefined ? {} : { status, code, requestId, details }));
    }
    case 'ask':
      return needsUser(job, failure);
    case 'fail':
      return fail(job, failure, false);
    default:
      return assertNever(plan);
  }
}
