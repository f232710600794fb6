import { assertNever } from '../../result/result.ts';
import { localFailure } from './job-failures.ts';
import type { EarlierPayment } from '../ledger/paid-action.ts';
import type { Intent, JobEvent, JobMemory, Step } from './job-state.ts';
import { isFinal } from './job-state.ts';
import { clockSlackMs, keyLifeMs, missingDelayMs, missingGraceMs, patienceMs } from './pace.ts';
import { accept, onAnswered, onPolled } from './on-answer.ts';
import { isHtmlAnswer, onHtmlAnswer, onUnblock } from './on-html-answer.ts';
import { onRetry } from './on-retry.ts';
import { needsUser, finish, look, move, resume, unchanged, retryOrFail, withIntent } from './steps.ts';

type EventOf<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>;

/**
 * The whole life of a job as one function: an event in, the new state and the next command out. Pure: no clock, no
 * randomness, no disk. The caller stores event and job in one transaction and only then executes the commands. An event
 * that does not fit (late report, ended job) changes nothing and returns the same object.
 */
export function transition(job: JobMemory, event: JobEvent, now: number): Step {
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
      return event.result === null ? needsUser(job, localFailure('E-028')) : finish(job, event.result, now, null);
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

const isAskedAboutCopy = ({ state }: JobMemory): boolean => state.tag === 'needs-user' && state.failure.row === 'E-212';

/**
 * Only what the service has not accepted yet can be paused; the key stays, so that continuing can't cost a second time.
 */
function onPause(job: JobMemory, sentBytes: number): Step {
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

const isAccepted = (job: JobMemory): boolean => job.intent !== null && job.intent.remoteId !== null;

function onHashed(job: JobMemory, event: EventOf<'hashed'>): Step {
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
      if (event.heard === 'nothing') return needsUser(known, localFailure('E-244'));
      if (event.heard === 'noise') return needsUser(known, localFailure('E-245'));
      return move(known, { tag: 'prepared' });
    }
    const { addedAtMs, isDone, jobId, name, transcriptId } = event.duplicate;
    const params = { date: addedAtMs, name, jobId, ...(transcriptId === null ? {} : { transcriptId }) };
    return needsUser(known, localFailure('E-212', { params, ...(isDone ? {} : { code: 'same_in_queue' }) }));
  }
  if (job.intent.sha256 === sha256) return move(job, { tag: 'prepared' }, [], withIntent(job, { sizeBytes, mtimeMs }));
  const changed = localFailure('E-011');
  return job.intent.isUnsettled ? look(job, changed) : needsUser(job, changed);
}

/**
 * The library was damaged and lost a row of this content. Its key and id are adopted: the service is asked first, and
 * when it knows nothing, the user (E-041) at once, because the service has had enough time.
 */
function takeOver(job: JobMemory, intent: Intent, { id, remoteId, beganAtMs }: EarlierPayment): Step {
  const earlier = { ...intent, idempotencyKey: id, firstSentAtMs: beganAtMs, isUnsettled: remoteId === null, remoteId };
  const known = { ...job, intent: { ...earlier, acceptedAtMs: remoteId === null ? null : beganAtMs } };
  return remoteId === null
    ? look(known, localFailure('E-041', { code: 'maybe_sent' }))
    : resume(known, 'poll', { missingSinceMs: 0 });
}

function onGo(job: JobMemory, event: EventOf<'go'>, now: number): Step {
  if (job.state.tag !== 'prepared' || job.intent === null) return unchanged(job);
  const { isUnsettled, firstSentAtMs, boundTo } = job.intent;
  if (isUnsettled && boundTo !== event.boundTo) return look(job, localFailure('E-042'));
  if (isUnsettled && firstSentAtMs !== null && isKeyOld(now - firstSentAtMs)) return look(job, localFailure('E-041'));
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

/**
 * A clock that was set back reveals nothing about a key's age: then too the service is asked before the key is used
 * again.
 */
const isKeyOld = (ageMs: number): boolean => ageMs > keyLifeMs || ageMs < -clockSlackMs;

function onSendFailed(job: JobMemory, event: EventOf<'send-failed'>, now: number): Step {
  if (job.state.tag !== 'sending') return unchanged(job);
  const { failure } = event;
  const isCertain = failure.outcome === 'not_sent' || failure.outcome === 'refused';
  // A clear answer to this attempt proves nothing about an earlier one whose answer was lost.
  const known: JobMemory =
    isCertain && !job.state.wasUnsettled ? { ...job, ...withIntent(job, { isUnsettled: false }) } : job;
  // Size or time differ: only the content decides, so it is hashed again before the user is asked.
  if (failure.row === 'E-011' && job.tries < 3) return resume(known, 'prepare', { tries: job.tries + 1 });
  return isHtmlAnswer(failure) ? onHtmlAnswer(known, event, now) : retryOrFail(known, 'send', failure, now, event.roll);
}

function onPollFailed(job: JobMemory, event: EventOf<'poll-failed'>, now: number): Step {
  const { state } = job;
  if (state.tag !== 'polling' && state.tag !== 'fetching') return unchanged(job);
  if (event.failure.status !== 404 && event.failure.status !== 410) {
    return retryOrFail(job, state.tag === 'polling' ? 'poll' : 'fetch', event.failure, now, event.roll);
  }
  if (now - (job.intent?.acceptedAtMs ?? now) > patienceMs) return needsUser(job, localFailure('E-161'));
  const missingSinceMs = job.missingSinceMs ?? now;
  const missingForMs = now - missingSinceMs;
  if (missingForMs >= missingGraceMs) return look(job, localFailure('E-041'));
  const polling = { tag: 'polling', isProcessing: false, rawStatus: null } as const;
  return move(job, polling, [{ type: 'poll', delayMs: missingDelayMs(missingForMs) }], { missingSinceMs });
}

function onLooked(job: JobMemory, event: EventOf<'looked'>, now: number): Step {
  if (job.state.tag !== 'looking') return unchanged(job);
  if (event.remoteId !== null) {
    const since = job.intent?.acceptedAtMs ?? null;
    const step = accept(job, event.remoteId, null, now);
    return since === null ? step : { ...step, job: { ...step.job, ...withIntent(step.job, { acceptedAtMs: since }) } };
  }
  // It was or may have been accepted, so it is never shown as failed.
  return needsUser(job, job.fallbackFailure ?? localFailure('E-041'));
}

function onExportFailed(job: JobMemory, event: EventOf<'export-failed'>, now: number): Step {
  if (job.state.tag !== 'fetching') return unchanged(job);
  // It was downloaded several times already.
  if (event.failure.row === 'E-173') return needsUser(job, event.failure);
  const step = retryOrFail(job, 'fetch', event.failure, now, event.roll);
  const isOver = step.job.state.tag === 'failed' || step.job.state.tag === 'needs-user';
  return isOver || event.failure.status === 404 ? needsUser(job, localFailure('E-028')) : step;
}

/**
 * The state after a crash or a restart, and what to do first. A send that was under way has an unknown outcome: it
 * waits for its turn and goes out again under the same key. Blocks that may have passed meanwhile are tried again.
 */
export function recover(job: JobMemory): Step {
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
