import type { Failure } from '../../result/failure.ts';
import { assertNever } from '../../result/result.ts';
import type { EarlierPayment } from '../ledger/paid-action.ts';
import { planFor } from './decide-failure.ts';
import { localFailure } from './job-failures.ts';
import {
  isFinal,
  newJobRecord,
  type AnswerFacts,
  type FailedEvent,
  type JobCommand,
  type JobEvent,
  type JobRecord,
  type JobResult,
  type JobState,
  type PreparedUpload,
  type ResumeAt,
  type Step,
} from './job-state.ts';
import {
  backoffMs,
  clockSlackMs,
  heardPollMs,
  keyLifeMs,
  missingDelayMs,
  missingGraceMs,
  pagePauseMs,
  patienceMs,
  pollDelayMs,
} from './pace.ts';

/** How often the same key is sent again after an answer without a receipt (no-receipt). */
const receiptTries = 2;

/** How often a finished job without text is read again before the export route is tried (result-missing). */
const emptyReadTries = 5;
const emptyReadPauseMs = 2_000;
const failedByService = (answer: AnswerFacts) =>
  localFailure('recording-unprocessable', {
    ...(answer.errorCode === null ? {} : { code: answer.errorCode }),
    requestId: answer.requestId ?? undefined,
  });
const readAgain = (job: JobRecord): Step =>
  move(job, { tag: 'fetching' }, [
    { type: 'fetch', delayMs: emptyReadPauseMs, useExport: job.emptyReads > emptyReadTries },
  ]);

const resetCounters = { tries: 0, answersWithoutId: 0, pages: 0, missingSinceMs: null } as const;
const fresh = { ...resetCounters, emptyReads: 0 } as const;

type EventOf<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>;

/** Pure. The caller stores event and job in one transaction before the commands; late events change nothing. */
export function transition(job: JobRecord, event: JobEvent, now: number): Step {
  if ('attempt' in event && event.attempt !== job.attempt) return unchanged(job);
  switch (event.type) {
    case 'hashed':
      return onHashed(job, event);
    case 'prepare-failed':
      return job.state.tag === 'queued' ? retryOrFail(job, 'prepare', event.failure, now, event.roll) : unchanged(job);
    case 'go':
      return onGo(job, event, now);
    case 'answered':
      return onAnswered(job, event.answer, now);
    case 'send-failed':
      return onSendFailed(job, event, now);
    case 'polled':
      return onPolled(job, event.answer, now);
    case 'poll-failed':
      return onPollFailed(job, event, now);
    case 'looked':
      return onLooked(job, event, now);
    case 'look-failed':
      return job.state.tag === 'looking' ? retryOrFail(job, 'look', event.failure, now, event.roll) : unchanged(job);
    case 'exported':
      if (job.state.tag !== 'fetching') return unchanged(job);
      return event.result === null
        ? needsUser(job, localFailure('result-missing'))
        : finish(job, event.result, now, null);
    case 'export-failed':
      return onExportFailed(job, event, now);
    case 'woke':
      return job.state.tag === 'waiting' ? resume(job, job.state.resume) : unchanged(job);
    case 'unblock':
      return job.state.tag === 'blocked' ? onUnblock(job, job.state, event.isItsOwn ?? false, now) : unchanged(job);
    case 'pause':
      return onPause(job, event);
    case 'unpause':
      if (job.state.tag !== 'paused') return unchanged(job);
      return resume(job, job.state.resume, event.isOrderedAnew === true ? { orderedFor: undefined } : {});
    case 'copied':
      return job.state.tag === 'needs-user' && job.state.failure.kind === 'already-in-queue'
        ? finish(job, event.result, now, null)
        : unchanged(job);
    case 'cancel':
      if (isFinal(job.state)) return unchanged(job);
      return move(job, { tag: 'cancelled', isAcceptedByService: isAccepted(job), ...askingIn(job) }, [
        { type: 'abort' },
      ]);
    case 'retry':
      return event.consent ? orderedAnew(job, onRetry(job, true)) : onRetry(job, false);
    default:
      return assertNever(event);
  }
}

/** Where a job that the service has not accepted yet goes on; null for any other. */
export function unsentAt(state: JobState): 'prepare' | 'send' | null {
  if (state.tag === 'queued') return 'prepare';
  if (state.tag === 'prepared' || state.tag === 'sending') return 'send';
  const at = state.tag === 'waiting' || state.tag === 'blocked' ? state.resume : null;
  return at === 'prepare' || at === 'send' ? at : null;
}

/** The key stays, so that continuing can't cost twice. */
function onPause(job: JobRecord, { sentBytes, isElsewhere }: Omit<EventOf<'pause'>, 'type'>): Step {
  const at = unsentAt(job.state);
  if (at === null) return unchanged(job);
  return move(job, { tag: 'paused', resume: at, sentBytes, ...(isElsewhere && { isElsewhere }) }, [{ type: 'abort' }]);
}

const isAccepted = (job: JobRecord): boolean => job.intent !== null && job.intent.remoteId !== null;

function onHashed(job: JobRecord, event: EventOf<'hashed'>): Step {
  if (job.state.tag !== 'queued') return unchanged(job);
  const { sha256, sizeBytes, mtimeMs, preparedName } = event;
  if (job.intent === null) {
    const intent = {
      idempotencyKey: event.freshKey,
      sha256,
      sizeBytes,
      mtimeMs,
      ...(preparedName === undefined ? {} : { preparedName }),
      firstSentAtMs: null,
      isUnsettled: false,
      boundTo: null,
      remoteId: null,
      acceptedAtMs: null,
    };
    const known = { ...job, intent, tries: 0 };
    if (event.earlier !== undefined && event.earlier !== null) return takeOver(known, intent, event.earlier);
    if (event.duplicate === null) {
      if (event.heard === 'nothing') return needsUser(known, localFailure('recording-silent'));
      if (event.heard === 'noise') return needsUser(known, localFailure('voice-not-recognised'));
      return move(known, { tag: 'prepared' });
    }
    const { addedAtMs, isDone, jobId, name, transcriptId, language } = event.duplicate;
    const code = language !== undefined ? 'other_language' : isDone ? 'duplicate' : 'same_in_queue';
    const params = {
      date: addedAtMs,
      name,
      jobId,
      ...(transcriptId !== null && { transcriptId }),
      ...(language !== undefined && { language }),
    };
    return needsUser(known, localFailure('already-in-queue', { code, params }));
  }
  if (job.intent.sha256 === sha256) return move(job, { tag: 'prepared' }, [], withIntent(job, { sizeBytes, mtimeMs }));
  const changed = localFailure('file-changed');
  return job.intent.isUnsettled ? look(job, changed) : needsUser(job, changed);
}

/** The library lost a row of this content: its key is adopted; the service is asked first, then the user. */
function takeOver(job: JobRecord, intent: PreparedUpload, { id, remoteId, beganAtMs }: EarlierPayment): Step {
  const earlier = { ...intent, idempotencyKey: id, firstSentAtMs: beganAtMs, isUnsettled: remoteId === null, remoteId };
  const known = { ...job, intent: { ...earlier, acceptedAtMs: remoteId === null ? null : beganAtMs } };
  return remoteId === null
    ? look(known, localFailure('job-not-found', { code: 'maybe_sent' }))
    : resume(known, 'poll', { missingSinceMs: 0 });
}

function onGo(job: JobRecord, event: EventOf<'go'>, now: number): Step {
  if (job.state.tag !== 'prepared' || job.intent === null) return unchanged(job);
  const { isUnsettled, firstSentAtMs, boundTo } = job.intent;
  if (job.orderedFor !== undefined && event.account !== undefined && job.orderedFor !== event.account)
    return onPause(job, { sentBytes: 0, isElsewhere: true });
  if (isUnsettled && boundTo !== event.boundTo) return look(job, localFailure('other-key'));
  if (isUnsettled && firstSentAtMs !== null && isKeyOld(now - firstSentAtMs))
    return look(job, localFailure('job-not-found'));
  return move(job, { tag: 'sending', wasUnsettled: isUnsettled }, [{ type: 'send' }], {
    orderedFor: event.account ?? job.orderedFor,
    ...withIntent(job, {
      isUnsettled: true,
      firstSentAtMs: isUnsettled ? firstSentAtMs : now,
      boundTo: event.boundTo,
    }),
  });
}

/** A clock that was set back reveals nothing about a key's age: the service is asked before it is used again. */
const isKeyOld = (ageMs: number): boolean => ageMs > keyLifeMs || ageMs < -clockSlackMs;

function onSendFailed(job: JobRecord, event: FailedEvent, now: number): Step {
  if (job.state.tag !== 'sending') return unchanged(job);
  const { failure } = event;
  const isCertain = failure.outcome === 'not_sent' || failure.outcome === 'refused';
  // A clear answer to this attempt proves nothing about an earlier one whose answer was lost.
  const known: JobRecord =
    isCertain && !job.state.wasUnsettled ? { ...job, ...withIntent(job, { isUnsettled: false }) } : job;
  // Size or time differ: only the content decides, so it is hashed again before the user is asked.
  if (failure.kind === 'file-changed' && job.tries < 3) return resume(known, 'prepare', { tries: job.tries + 1 });
  return isHtmlAnswer(failure) ? onHtmlAnswer(known, event, now) : retryOrFail(known, 'send', failure, now, event.roll);
}

function onPollFailed(job: JobRecord, event: FailedEvent, now: number): Step {
  const { state } = job;
  if (state.tag !== 'polling' && state.tag !== 'fetching') return unchanged(job);
  if (event.failure.status !== 404 && event.failure.status !== 410) {
    return retryOrFail(job, state.tag === 'polling' ? 'poll' : 'fetch', event.failure, now, event.roll);
  }
  if (now - (job.intent?.acceptedAtMs ?? now) > patienceMs) return needsUser(job, localFailure('unusually-long'));
  const missingSinceMs = job.missingSinceMs ?? now;
  const missingForMs = now - missingSinceMs;
  if (missingForMs >= missingGraceMs) return look(job, localFailure('job-not-found'));
  const polling = { tag: 'polling', isProcessing: false, rawStatus: null } as const;
  return move(job, polling, [{ type: 'poll', delayMs: missingDelayMs(missingForMs) }], { missingSinceMs });
}

function onLooked(job: JobRecord, event: EventOf<'looked'>, now: number): Step {
  if (job.state.tag !== 'looking') return unchanged(job);
  if (event.remoteId !== null) {
    const since = job.intent?.acceptedAtMs ?? null;
    const step = accept(job, event.remoteId, null, now);
    return since === null ? step : { ...step, job: { ...step.job, ...withIntent(step.job, { acceptedAtMs: since }) } };
  }
  // It was or may have been accepted, so it is never shown as failed.
  return needsUser(job, job.fallbackFailure ?? localFailure('job-not-found'));
}

function onExportFailed(job: JobRecord, event: FailedEvent, now: number): Step {
  if (job.state.tag !== 'fetching') return unchanged(job);
  // It was downloaded several times already.
  if (event.failure.kind === 'download-damaged') return needsUser(job, event.failure);
  const step = retryOrFail(job, 'fetch', event.failure, now, event.roll);
  const isOver = step.job.state.tag === 'failed' || step.job.state.tag === 'needs-user';
  return isOver || event.failure.status === 404 ? needsUser(job, localFailure('result-missing')) : step;
}

/** After a restart. A send that was under way has an unknown outcome and goes out again under the same key. */
export function recover(job: JobRecord): Step {
  const { state } = job;
  // The file may have changed while the app was closed: hashed before the same key is used again.
  if (state.tag === 'sending') return resume(job, 'prepare');
  if (state.tag === 'waiting') return { job, commands: [{ type: 'wake', atMs: state.untilMs }] };
  if (state.tag === 'blocked' && state.by !== 'credits' && state.by !== 'permission' && state.by !== 'key')
    return resume(job, state.resume);
  return { job, commands: commandsIn[state.tag] ?? [] };
}

/** Free steps first; a new key only with `consent`, or when nothing was accepted under the old one for certain. */
function onRetry(job: JobRecord, consent: boolean): Step {
  const { state, intent } = job;
  if (state.tag === 'waiting' || state.tag === 'blocked' || state.tag === 'paused') return resume(job, state.resume);
  if (state.tag === 'needs-user' || state.tag === 'failed') return afterFailure(job, state.failure, consent);
  if (state.tag === 'cancelled' && state.isAsking === true && !consent)
    return move(job, { tag: 'paused', resume: 'prepare', sentBytes: 0, isAsking: true });
  // What never left is checked again: it may have been cancelled because the same recording is here already.
  if (state.tag === 'cancelled') return goOn(intent?.firstSentAtMs === null ? { ...job, intent: null } : job);
  return unchanged(job);
}

const askingIn = ({ state }: JobRecord): { readonly isAsking?: true } =>
  state.tag === 'paused' && state.isAsking === true ? { isAsking: true } : {};

/** The bytes are hashed again first, because time has passed and the key stays bound to the old content. */
const goOn = (job: JobRecord): Step => resume(job, isAccepted(job) ? 'poll' : 'prepare', fresh);

function afterFailure(job: JobRecord, failure: Failure, consent: boolean): Step {
  const { intent } = job;
  const kind: string = failure.kind;
  switch (kind) {
    case 'file-changed':
    case 'already-in-queue':
    case 'recording-silent':
    case 'voice-not-recognised':
      if (!consent) return unchanged(job);
      return failure.kind === 'file-changed' ? startOver(job) : resume(job, 'send', fresh);
    case 'job-not-found':
      return consent ? startOver(job) : look(job, failure);
    case 'other-key':
      // The old API key may be back: `go` compares, and searches for the job when it is not.
      return consent ? startOver(job) : goOn(job);
    case 'recording-unprocessable':
      return consent ? startOver(job) : unchanged(job);
    default:
      break;
  }
  const nothingAccepted = intent === null || (intent.remoteId === null && !intent.isUnsettled);
  const wasRefused = failure.outcome === 'refused' && failure.layer === 'http';
  return nothingAccepted && wasRefused ? startOver(job) : goOn(job);
}

function onAnswered(job: JobRecord, answer: AnswerFacts, now: number): Step {
  if (job.state.tag !== 'sending') return unchanged(job);
  if (answer.result !== null) return finish(job, answer.result, now, answer.remoteId);
  if (answer.status === 'failed') {
    const settled = { ...job, ...withIntent(job, { isUnsettled: false, remoteId: answer.remoteId }) };
    return fail(settled, failedByService(answer), answer.hasRawAnswer);
  }
  if (answer.remoteId !== null) return accept(job, answer.remoteId, answer, now);
  const requestId = answer.requestId ?? undefined;
  // An understood answer without an id is a missing receipt; another answer may contain it.
  const isRead = answer.status !== 'unknown' || !answer.hasRawAnswer;
  const failure = localFailure(isRead ? 'no-receipt' : 'answer-unreadable', { requestId, outcome: 'accepted' });
  if (job.answersWithoutId >= receiptTries) return look(job, failure);
  const answersWithoutId = job.answersWithoutId + 1;
  return waitUntil(job, 'send', now + emptyReadPauseMs * answersWithoutId, failure, { answersWithoutId });
}

/** The id is known: from here nothing is ever uploaded again automatically. */
function accept(job: JobRecord, remoteId: string, answer: AnswerFacts | null, now: number): Step {
  const known = { ...job, ...resetCounters, ...withIntent(job, { isUnsettled: false, remoteId, acceptedAtMs: now }) };
  if (answer?.status === 'completed') return readAgain({ ...known, emptyReads: 1 });
  const isProcessing = answer !== null && answer.status !== 'queued';
  return move(known, { tag: 'polling', isProcessing, rawStatus: answer?.rawStatus ?? null }, [
    { type: 'poll', delayMs: answer === null ? 0 : pollDelayMs(0) },
  ]);
}

function onPolled(job: JobRecord, answer: AnswerFacts, now: number): Step {
  const { state } = job;
  if (state.tag !== 'polling' && state.tag !== 'fetching') return unchanged(job);
  if (answer.result !== null) return finish(job, answer.result, now, answer.remoteId);
  if (answer.status === 'failed') return fail(job, failedByService(answer), answer.hasRawAnswer);
  const saysNothing = answer.status === 'unknown' && answer.rawStatus === null;
  if (answer.isToDownload === true)
    return move(
      job,
      { tag: 'fetching' },
      [{ type: 'fetch', delayMs: 0, useExport: true }],
      // That it is still there is no progress after a download that failed.
      state.tag === 'polling' ? resetCounters : {},
    );
  if (answer.status === 'completed' || saysNothing) {
    return readAgain({ ...job, ...resetCounters, emptyReads: job.emptyReads + 1 });
  }
  const elapsedMs = now - (job.intent?.acceptedAtMs ?? now);
  if (elapsedMs > patienceMs) return needsUser(job, localFailure('unusually-long'));
  const delayMs = answer.heard === undefined ? pollDelayMs(elapsedMs) : heardPollMs;
  const commands = [{ type: 'poll', delayMs }] as const;
  const isProcessing = answer.status !== 'queued';
  const isNews =
    state.tag === 'fetching' ||
    state.isProcessing !== isProcessing ||
    state.rawStatus !== answer.rawStatus ||
    job.tries !== 0 ||
    job.missingSinceMs !== null;
  if (!isNews) return { job, commands };
  return move(job, { tag: 'polling', isProcessing, rawStatus: answer.rawStatus }, commands, fresh);
}

/** Nothing changes: the event came late or adds nothing. The job is returned as the same object. */
const unchanged = (job: JobRecord): Step => ({ job, commands: [] });

type Change = Partial<Omit<JobRecord, 'state' | 'attempt'>>;

/** Enters a new state with a new attempt number, so that reports of earlier commands are ignored. */
const move = (job: JobRecord, state: JobState, commands: readonly JobCommand[] = [], change: Change = {}): Step => ({
  job: { ...job, ...change, state, attempt: job.attempt + 1 },
  commands,
});

const waitUntil = (job: JobRecord, at: ResumeAt, untilMs: number, failure: Failure, change: Change = {}): Step =>
  move(job, { tag: 'waiting', resume: at, untilMs, failure }, [{ type: 'wake', atMs: untilMs }], change);

const withIntent = (job: JobRecord, change: Partial<PreparedUpload>): Pick<JobRecord, 'intent'> => ({
  intent: job.intent === null ? null : { ...job.intent, ...change },
});

/** Where a job continues, and with which command: one that is prepared waits for its turn. */
const stages: Readonly<Record<ResumeAt, JobState>> = {
  prepare: { tag: 'queued' },
  send: { tag: 'prepared' },
  poll: { tag: 'polling', isProcessing: false, rawStatus: null },
  look: { tag: 'looking' },
  fetch: { tag: 'fetching' },
};
const commandsIn: { readonly [T in JobState['tag']]?: readonly JobCommand[] } = {
  queued: [{ type: 'prepare' }],
  polling: [{ type: 'poll', delayMs: 0 }],
  looking: [{ type: 'look' }],
  fetching: [{ type: 'fetch', delayMs: 0, useExport: false }],
};

function resume(job: JobRecord, at: ResumeAt, change: Change = {}): Step {
  const state = stages[at];
  return move(job, state, commandsIn[state.tag], change);
}

const startOver = ({ attempt, orderedFor }: JobRecord): Step =>
  move({ ...newJobRecord, attempt, orderedFor, acceptsNewCharge: true }, { tag: 'queued' }, [{ type: 'prepare' }]);

const orderedAnew = (before: JobRecord, { job, commands }: Step): Step => ({
  job: job === before ? job : { ...job, orderedFor: undefined },
  commands,
});

const look = (job: JobRecord, fallbackFailure: Failure): Step => resume(job, 'look', { fallbackFailure, tries: 0 });

const finish = (job: JobRecord, text: JobResult, now: number, remoteId: string | null): Step =>
  move(job, { tag: 'done', ...text, finishedAtMs: now }, [], {
    ...resetCounters,
    ...withIntent(job, { isUnsettled: false, remoteId: remoteId ?? job.intent?.remoteId ?? null }),
  });

const needsUser = (job: JobRecord, failure: Failure): Step => move(job, { tag: 'needs-user', failure });

const fail = (job: JobRecord, failure: Failure, hasRawAnswer: boolean): Step =>
  move(job, { tag: 'failed', failure, hasRawAnswer });

function retryOrFail(job: JobRecord, at: ResumeAt, failure: Failure, now: number, roll: number): Step {
  const plan = planFor(failure, job.tries);
  switch (plan.plan) {
    case 'wait': {
      const wait = backoffMs(job.tries, roll, { retryAfterMs: failure.retryAfterMs, isThrottled: plan.isThrottled });
      return waitUntil(job, at, now + wait, failure, { tries: job.tries + 1 });
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
function onHtmlAnswer(job: JobRecord, event: FailedEvent, now: number): Step {
  const { failure, roll, isItsOwn = false } = event;
  const pages = isItsOwn || job.pages === 0 ? job.pages + 1 : job.pages;
  if (isItsOwn && pages >= pagesOfItsOwn) return waitAlone({ ...job, pages }, failure, now, roll);
  return move(job, { tag: 'blocked', resume: 'send', by: 'service', failure }, [], { pages });
}

/** The service is reachable again. A job that is refused alone is not sent at once, only to get the same answer. */
function onUnblock(
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
  return waitUntil(job, 'send', now + pagePauseMs(job.pages - pagesOfItsOwn, roll), failure);
}
