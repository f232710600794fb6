import { localFailure } from './job-failures.ts';
import type { AnswerFacts, JobMemory, Step } from './job-state.ts';
import { heardPollMs, patienceMs, pollDelayMs } from './pace.ts';
import { needsUser, resetCounters, fail, finish, look, move, unchanged, withIntent } from './steps.ts';

/** How often the same key is sent again after an answer without a receipt (E-022). */
const receiptTries = 2;
/**
 * How often a finished job is read again after it first contained no text, before the export route is tried (E-028).
 */
const emptyReadTries = 5;
const emptyReadPauseMs = 2_000;

const failedByService = (answer: AnswerFacts) =>
  localFailure('E-160', {
    ...(answer.errorCode === null ? {} : { code: answer.errorCode }),
    requestId: answer.requestId ?? undefined,
  });

/** A 2xx answer to the upload. */
export function onAnswered(job: JobMemory, answer: AnswerFacts, now: number): Step {
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
  const failure = localFailure(isRead ? 'E-022' : 'E-024', { requestId, outcome: 'accepted' });
  if (job.answersWithoutId >= receiptTries) return look(job, failure);
  const untilMs = now + emptyReadPauseMs * (job.answersWithoutId + 1);
  return move(job, { tag: 'waiting', resume: 'send', untilMs, failure }, [{ type: 'wake', atMs: untilMs }], {
    answersWithoutId: job.answersWithoutId + 1,
  });
}

/** The id is known: from here nothing is ever uploaded again automatically. */
export function accept(job: JobMemory, remoteId: string, answer: AnswerFacts | null, now: number): Step {
  const known = { ...job, ...resetCounters, ...withIntent(job, { isUnsettled: false, remoteId, acceptedAtMs: now }) };
  if (answer?.status === 'completed') return readAgain({ ...known, emptyReads: 1 });
  const isProcessing = answer !== null && answer.status !== 'queued';
  return move(known, { tag: 'polling', isProcessing, rawStatus: answer?.rawStatus ?? null }, [
    { type: 'poll', delayMs: answer === null ? 0 : pollDelayMs(0) },
  ]);
}

const readAgain = (job: JobMemory): Step =>
  move(job, { tag: 'fetching' }, [
    { type: 'fetch', delayMs: emptyReadPauseMs, useExport: job.emptyReads > emptyReadTries },
  ]);

/** A 2xx answer to a read of a known job. */
export function onPolled(job: JobMemory, answer: AnswerFacts, now: number): Step {
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
  if (elapsedMs > patienceMs) return needsUser(job, localFailure('E-161'));
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
