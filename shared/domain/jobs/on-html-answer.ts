import type { Failure } from '../../result/failure.ts';
import { localFailure } from './job-failures.ts';
import type { JobEvent, JobMemory, JobState, Step } from './job-state.ts';
import { pagePauseMs } from './pace.ts';
import { needsUser, move, resume } from './steps.ts';

/** From this HTML answer on the recording waits alone and holds up no other. */
export const pagesOfItsOwn = 2;
/** At this HTML answer the user is asked: the obstacle does not go away by waiting. */
const pagesUntilAsked = 6;

/** Something on the way answered an upload in place of the service: a page of a network, of a proxy or of a scanner. */
export const isHtmlAnswer = ({ row, envelope }: Failure): boolean =>
  row === 'E-009' || row === 'E-059' || (row === 'E-038' && envelope === 'html');

/**
 * An upload got an HTML answer. At first that is blamed on the network, and all jobs wait until the service answers
 * (E-009). A file that gets HTML answers again and again although others get through is refused for its content: it
 * waits alone, longer each time, and finally asks the user (E-240). Whether its bytes arrived is unknown, so it keeps
 * its key.
 */
export function onHtmlAnswer(job: JobMemory, event: Extract<JobEvent, { type: 'send-failed' }>, now: number): Step {
  const { failure, roll, isItsOwn = false } = event;
  const pages = isItsOwn || job.pages === 0 ? job.pages + 1 : job.pages;
  if (isItsOwn && pages >= pagesOfItsOwn) return waitAlone({ ...job, pages }, failure, now, roll);
  return move(job, { tag: 'blocked', resume: 'send', by: 'service', failure }, [], { pages });
}

/** The service is reachable again. A job that is refused alone is not sent at once, only to get the same answer. */
export function onUnblock(
  job: JobMemory,
  { failure, resume: at }: Extract<JobState, { tag: 'blocked' }>,
  isItsOwn: boolean,
  now: number,
): Step {
  if (!isItsOwn || at !== 'send' || !isHtmlAnswer(failure) || job.pages < pagesOfItsOwn) return resume(job, at);
  return waitAlone({ ...job, pages: job.pages + 1 }, failure, now, 0);
}

function waitAlone(job: JobMemory, { status, requestId, params }: Failure, now: number, roll: number): Step {
  const failure = localFailure('E-240', { requestId, params, ...(status === undefined ? {} : { status }) });
  if (job.pages >= pagesUntilAsked) return needsUser(job, failure);
  const untilMs = now + pagePauseMs(job.pages - pagesOfItsOwn, roll);
  return move(job, { tag: 'waiting', resume: 'send', untilMs, failure }, [{ type: 'wake', atMs: untilMs }]);
}
