import { assertNever } from '../../result/result.ts';
import type { Failure } from '../../result/failure.ts';
import { planFor } from './decide-failure.ts';
import { localFailure } from './job-failures.ts';
import {
  newJobMemory,
  type PreparedUpload,
  type JobCommand,
  type JobRecord,
  type JobState,
  type ResumeAt,
  type JobResult,
  type Step,
  type JobEvent,
} from './job-state.ts';
import { backoffMs, pagePauseMs } from './pace.ts';

/** Nothing changes: the event came late or adds nothing. The job is returned as the same object. */
export const unchanged = (job: JobRecord): Step => ({ job, commands: [] });

/** Enters a new state with a new attempt number, so that reports of earlier commands are ignored. */
export function move(
  job: JobRecord,
  state: JobState,
  commands: readonly JobCommand[] = [],
  change: Partial<Omit<JobRecord, 'state' | 'attempt'>> = {},
): Step {
  return { job: { ...job, ...change, state, attempt: job.attempt + 1 }, commands };
}

export const withIntent = (job: JobRecord, change: Partial<PreparedUpload>): Pick<JobRecord, 'intent'> => ({
  intent: job.intent === null ? null : { ...job.intent, ...change },
});

export const resetCounters = { tries: 0, answersWithoutId: 0, pages: 0, missingSinceMs: null } as const;

export function resume(job: JobRecord, at: ResumeAt, change: Partial<Omit<JobRecord, 'state' | 'attempt'>> = {}): Step {
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

export const startOver = (job: JobRecord): Step =>
  move({ ...newJobMemory, attempt: job.attempt, acceptsNewCharge: true }, { tag: 'queued' }, [{ type: 'prepare' }]);

export const look = (job: JobRecord, fallbackFailure: Failure): Step =>
  resume(job, 'look', { fallbackFailure, tries: 0 });

export const finish = (job: JobRecord, text: JobResult, now: number, remoteId: string | null): Step =>
  move(job, { tag: 'done', ...text, finishedAtMs: now }, [], {
    ...resetCounters,
    ...withIntent(job, { isUnsettled: false, remoteId: remoteId ?? job.intent?.remoteId ?? null }),
  });

export const needsUser = (job: JobRecord, failure: Failure): Step => move(job, { tag: 'needs-user', failure });

export const fail = (job: JobRecord, failure: Failure, hasRawAnswer: boolean): Step =>
  move(job, { tag: 'failed', failure, hasRawAnswer });

export function retryOrFail(job: JobRecord, at: ResumeAt, failure: Failure, now: number, roll: number): Step {
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
      return look(job, localFailure('job-not-found', status === undefined ? {} : { status, code, requestId, details }));
    }
    case 'ask':
      return needsUser(job, failure);
    case 'fail':
      return fail(job, failure, false);
    default:
      return assertNever(plan);
  }
}

/** From this HTML answer on the recording waits alone and holds up no other. */
export const pagesOfItsOwn = 2;
/** At this HTML answer the user is asked: the obstacle does not go away by waiting. */
const pagesUntilAsked = 6;

/** Something on the way answered an upload in place of the service: a page of a network, of a proxy or of a scanner. */
export const isHtmlAnswer = ({ kind, envelope }: Failure): boolean =>
  kind === 'web-page-answered' || kind === 'network-sign-in' || (kind === 'key-restricted' && envelope === 'html');

/** HTML is blamed on the network; a file that gets it while others get through asks the user (refused-by-proxy). */
export function onHtmlAnswer(job: JobRecord, event: Extract<JobEvent, { type: 'send-failed' }>, now: number): Step {
  const { failure, roll, isItsOwn = false } = event;
  const pages = isItsOwn || job.pages === 0 ? job.pages + 1 : job.pages;
  if (isItsOwn && pages >= pagesOfItsOwn) return waitAlone({ ...job, pages }, failure, now, roll);
  return move(job, { tag: 'blocked', resume: 'send', by: 'service', failure }, [], { pages });
}

/** The service is reachable again. A job that is refused alone is not sent at once, only to get the same answer. */
export function onUnblock(
  job: JobRecord,
  { failure, resume: at }: Extract<JobState, { tag: 'blocked' }>,
  isItsOwn: boolean,
  now: number,
): Step {
  if (!isItsOwn || at !== 'send' || !isHtmlAnswer(failure) || job.pages < pagesOfItsOwn) return resume(job, at);
  return waitAlone({ ...job, pages: job.pages + 1 }, failure, now, 0);
}

function waitAlone(job: JobRecord, { status, requestId, params }: Failure, now: number, roll: number): Step {
  const failure = localFailure('refused-by-proxy', { requestId, params, ...(status === undefined ? {} : { status }) });
  if (job.pages >= pagesUntilAsked) return needsUser(job, failure);
  const untilMs = now + pagePauseMs(job.pages - pagesOfItsOwn, roll);
  return move(job, { tag: 'waiting', resume: 'send', untilMs, failure }, [{ type: 'wake', atMs: untilMs }]);
}
