import type { Failure } from '../../result/failure.ts';
import { assertNever } from '../../result/result.ts';
import type { EarlierPayment } from '../ledger/paid-action.ts';
import { localFailure } from './job-failures.ts';
import {
  isFinal,
  type PreparedUpload,
  type JobEvent,
  type JobRecord,
  type Step,
  type AnswerFacts,
} from './job-state.ts';
import {
  isHtmlAnswer,
  onHtmlAnswer,
  onUnblock,
  needsUser,
  finish,
  look,
  move,
  resume,
  unchanged,
  retryOrFail,
  withIntent,
  startOver,
  resetCounters,
  fail,
} from './steps.ts';
import {
  clockSlackMs,
  keyLifeMs,
  missingDelayMs,
  missingGraceMs,
  patienceMs,
  heardPollMs,
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

const fresh = { tries: 0, answersWithoutId: 0, pages: 0, emptyReads: 0, missingSinceMs: null } as const;

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
      return onPause(job, event.sentBytes);
    case 'unpause':
      return job.state.tag === 'paused' ? resume(job, job.state.resume) : unchanged(job);
    case 'copied':
      return isAskedAboutCopy(job) ? finish(job, event.result, now, null) : unchanged(job);
    case 'cancel':
      if (isFinal(job.state)) return unchanged(job);
      return move(job, { tag: 'cancelled', isAcceptedByService: isAccepted(job) }, [{ type: 'abort' }]);
    case 'retry':
      return onRetry(job, event.consent);
    default:
      return assertNever(event);
  }
}

const isAskedAboutCopy = ({ state }: JobRecord): boolean =>
  state.tag === 'needs-user' && state.failure.kind === 'already-in-queue';

/** Only what is not accepted yet can be paused; the key stays, so that continuing can't cost twice. */
function onPause(job: JobRecord, sentBytes: number): Step {
  const { state } = job;
  const rest = (resumeAt: 'prepare' | 'send'): Step =>
    move(job, { tag: 'paused', resume: resumeAt, sentBytes }, [{ type: 'abort' }]);
  switch (state.tag) {
    case 'queued':
      return rest('prepare');
    case 'prepared':
    case 'sending':
      return rest('send');
    case 'waiting':
    case 'blocked':
      return state.resume === 'prepare' || state.resume === 'send' ? rest(state.resume) : unchanged(job);
    case 'looking':
    case 'polling':
    case 'fetching':
    case 'done':
    case 'paused':
    case 'needs-user':
    case 'failed':
    case 'cancelled':
      return unchanged(job);
    default:
      return assertNever(state);
  }
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
    const { addedAtMs, isDone, jobId, name, transcriptId } = event.duplicate;
    const params = { date: addedAtMs, name, jobId, ...(transcriptId === null ? {} : { transcriptId }) };
    return needsUser(known, localFailure('already-in-queue', { params, ...(isDone ? {} : { code: 'same_in_queue' }) }));
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
  if (isUnsettled && boundTo !== event.boundTo) return look(job, localFailure('other-key'));
  if (isUnsettled && firstSentAtMs !== null && isKeyOld(now - firstSentAtMs))
    return look(job, localFailure('job-not-found'));
  return move(
    job,
    { tag: 'sending', wasUnsettled: isUnsettled },
    [{ type: 'send' }],
    withIntent(job, {
      isUnsettled: true,
      firstSentAtMs: isUnsettled ? firstSentAtMs : now,
      boundTo: event.boundTo,
    }),
  );
}

/** A clock that was set back reveals nothing about a key's age: the service is asked before it is used again. */
const isKeyOld = (ageMs: number): boolean => ageMs > keyLifeMs || ageMs < -clockSlackMs;

function onSendFailed(job: JobRecord, event: EventOf<'send-failed'>, now: number): Step {
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

function onPollFailed(job: JobRecord, event: EventOf<'poll-failed'>, now: number): Step {
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

function onExportFailed(job: JobRecord, event: EventOf<'export-failed'>, now: number): Step {
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
  switch (state.tag) {
    case 'queued':
      return { job, commands: [{ type: 'prepare' }] };
    case 'sending':
      // The file may have changed while the app was closed: hashed before the same key is used again.
      return resume(job, 'prepare');
    case 'prepared':
      return unchanged(job);
    case 'looking':
      return { job, commands: [{ type: 'look' }] };
    case 'polling':
      return { job, commands: [{ type: 'poll', delayMs: 0 }] };
    case 'fetching':
      return { job, commands: [{ type: 'fetch', delayMs: 0, useExport: false }] };
    case 'waiting':
      return { job, commands: [{ type: 'wake', atMs: state.untilMs }] };
    case 'blocked':
      return state.by === 'credits' || state.by === 'permission' || state.by === 'key'
        ? unchanged(job)
        : resume(job, state.resume);
    case 'done':
    case 'paused':
    case 'needs-user':
    case 'failed':
    case 'cancelled':
      return unchanged(job);
    default:
      return assertNever(state);
  }
}

/** Free steps first; a new key only with `consent`, or when nothing was accepted under the old one for certain. */
function onRetry(job: JobRecord, consent: boolean): Step {
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

function goOn(job: JobRecord): Step {
  if (job.intent === null) return resume(job, 'prepare', fresh);
  if (job.intent.remoteId !== null) return resume(job, 'poll', fresh);
  // The bytes are hashed again first, because time has passed and the key stays bound to the old content.
  return resume(job, 'prepare', fresh);
}

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
  const untilMs = now + emptyReadPauseMs * (job.answersWithoutId + 1);
  return move(job, { tag: 'waiting', resume: 'send', untilMs, failure }, [{ type: 'wake', atMs: untilMs }], {
    answersWithoutId: job.answersWithoutId + 1,
  });
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
  return move(job, { tag: 'polling', isProcessing, rawStatus: answer.rawStatus }, commands, {
    ...resetCounters,
    emptyReads: 0,
  });
}
