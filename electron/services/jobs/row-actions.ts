import type { Failure } from '../../../shared/result/failure.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { isFinal, restingJobMemory, type JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { optionsOf } from '../../../shared/domain/jobs/job-kind.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { moveBefore } from '../../../shared/domain/jobs/rank.ts';
import type { RowAction } from '../../../shared/domain/jobs/queue-view.ts';
import type { ActedOn } from './job-service.ts';
import type { LiveJob } from './live-jobs.ts';
import type { QueueContext } from './add-jobs.ts';

/** The event that an action becomes for one row; null where it does not apply. */
function eventFor(action: RowAction, { job, upload }: LiveJob): JobEvent | null {
  const { state } = job.memory;
  switch (action) {
    case 'pause':
      return { type: 'pause', sentBytes: upload?.sentBytes ?? 0 };
    case 'go-on':
      return { type: 'unpause' };
    case 'retry':
      return state.tag === 'failed' || state.tag === 'needs-user' || state.tag === 'waiting'
        ? { type: 'retry', consent: false }
        : null;
    case 'cancel':
      return { type: 'cancel' };
    case 'undo-cancel':
      return state.tag === 'cancelled' && !state.isAcceptedByService ? { type: 'retry', consent: false } : null;
    case 'remove':
      return isFinal(state) || state.tag === 'needs-user' ? { type: 'cancel' } : null;
    default:
      return assertNever(action);
  }
}

/** Rows that are written in one transaction, which takes some milliseconds; then other work has its turn. */
const rowsAtOnce = 50;

/**
 * One request for many rows, in transactions of 50 rows each: rows to which it does not apply stay as they are. Never
 * accepts a new charge. Nothing new is sent until all rows are done, so that a row that is to be cancelled is not
 * started. `changedCount` counts the rows that moved, `acceptedCount` those of them that the service has accepted. When
 * the disk refuses, what was written before stays.
 */
export async function actOnRows(
  context: QueueContext,
  jobIds: readonly string[],
  action: RowAction,
): Promise<Result<ActedOn, Failure>> {
  const { runner, ports } = context;
  let [changedCount, acceptedCount] = [0, 0];
  return runner.whileResting(async () => {
    for (let from = 0; from < jobIds.length; from += rowsAtOnce) {
      if (from > 0) await new Promise<void>((resolve) => void ports.clock.after(0, resolve));
      const acted = actOnSome(context, jobIds.slice(from, from + rowsAtOnce), action);
      if (!acted.ok) return acted;
      changedCount += acted.value.changedCount;
      acceptedCount += acted.value.acceptedCount;
    }
    return ok({ changedCount, acceptedCount });
  });
}

function actOnSome(context: QueueContext, jobIds: readonly string[], action: RowAction): Result<ActedOn, Failure> {
  const { runner } = context;
  const known = jobIds.flatMap((id) => runner.liveJobs.get(id) ?? []);
  const happenings = known.flatMap((live) => {
    const event = eventFor(action, live);
    return event === null ? [] : [{ live, event, output: null }];
  });
  const before = new Map(happenings.map(({ live }) => [live, live.job.memory]));
  const applied = runner.applyAll(happenings);
  if (!applied.ok) return applied;
  const changed = [...before].flatMap(([live, memory]) => (live.job.memory === memory ? [] : [live]));
  const acceptedCount = changed.filter(({ job }) => job.memory.intent?.remoteId != null).length;
  if (action !== 'remove') return ok({ changedCount: changed.length, acceptedCount });
  const ended = happenings.map(({ live }) => live.job.id);
  const hidden = hideRows(context, ended);
  return hidden.ok ? ok({ changedCount: ended.length, acceptedCount }) : hidden;
}

/** Removes rows from the list; their results stay. */
export function hideRows({ ports, runner, feed }: QueueContext, jobIds: readonly string[]): Result<null, Failure> {
  const hidden = ports.store.hideJobs(jobIds);
  if (!hidden.ok) return hidden;
  for (const id of jobIds) {
    runner.liveJobs.remove(id);
    runner.liveJobs.seq += 1;
    feed.removed(id);
  }
  return ok(null);
}

/** Restores rows that `hideRows` removed, in batches like `actOnRows`; rows that are listed or deleted are skipped. */
export async function showRows(context: QueueContext, jobIds: readonly string[]): Promise<Result<number, Failure>> {
  const { ports, runner, feed } = context;
  let shownCount = 0;
  for (let from = 0; from < jobIds.length; from += rowsAtOnce) {
    if (from > 0) await new Promise<void>((resolve) => void ports.clock.after(0, resolve));
    const hidden = jobIds.slice(from, from + rowsAtOnce).filter((id) => runner.liveJobs.get(id) === undefined);
    const shown = ports.store.showJobs(hidden);
    if (!shown.ok) return shown;
    for (const job of shown.value) {
      runner.liveJobs.add({ ...job, seq: runner.liveJobs.seq + 1 }, ports.clock.now());
      feed.changed(job.id);
    }
    shownCount += shown.value.length;
  }
  return ok(shownCount);
}

/** Moves rows, in their present order, in front of another one, or to the end when `beforeId` is null. */
export function moveRows(
  context: QueueContext,
  jobIds: readonly string[],
  beforeId: string | null,
): Result<null, Failure> {
  const { ports, runner, feed } = context;
  const { liveJobs } = runner;
  const rows = [...liveJobs.all()].flatMap(({ job }) =>
    isFinal(job.memory.state) ? [] : [{ id: job.id, rank: job.rank }],
  );
  if (beforeId !== null && liveJobs.get(beforeId) === undefined)
    return err(localFailure('E-040', { code: 'unknown_job' }));
  const ranks = moveBefore(rows, new Set(jobIds), beforeId);
  if (ranks.length === 0) return ok(null);
  const saved = ports.store.saveRanks(ranks);
  if (!saved.ok) return saved;
  for (const { id, rank } of ranks) {
    const live = liveJobs.get(id);
    if (live === undefined) continue;
    liveJobs.rerank(live, rank);
    feed.changed(id);
  }
  runner.schedule();
  return ok(null);
}

/** Moves a row to the front of the queue; a paused row continues. */
export function runNext(context: QueueContext, jobId: string): Result<null, Failure> {
  const { runner } = context;
  const live = runner.liveJobs.get(jobId);
  if (live === undefined) return err(localFailure('E-040', { code: 'unknown_job' }));
  const waiting = [...runner.liveJobs.all()].filter(({ job }) => !isFinal(job.memory.state) && job.id !== jobId);
  const first = waiting.reduce<LiveJob | null>(
    (best, one) => (best === null || one.job.rank < best.job.rank ? one : best),
    null,
  );
  const moved = moveRows(context, [jobId], first?.job.id ?? null);
  if (!moved.ok) return moved;
  return live.job.memory.state.tag === 'paused' ? runner.apply(live, { type: 'unpause' }) : ok(null);
}

/**
 * The same recording in another language, at the same position in the list, as long as nothing of it was sent: a
 * request that has gone out under a key never changes. A paused row stays paused. When the disk refuses, the row stays as
 * it is, or is cancelled, which can be undone.
 */
export function changeLanguage(context: QueueContext, jobId: string, language: SpeechLanguage): Result<null, Failure> {
  const { ports, runner, feed, newJob } = context;
  const live = runner.liveJobs.get(jobId);
  if (live === undefined) return err(localFailure('E-040', { code: 'unknown_job' }));
  const { job } = live;
  const wasSent = job.memory.intent !== null && job.memory.intent.firstSentAtMs !== null;
  if (job.kind !== 'transcribe' || isFinal(job.memory.state) || job.memory.state.tag === 'sending' || wasSent)
    return err(localFailure('E-040', { code: 'already_sent' }));
  if (job.language === language) return ok(null);
  const { path, name, sizeBytes, durationMs, rank } = job;
  const request = { ...optionsOf({ ...job, language }), path, name };
  const added = { ...newJob({ path, name, sizeBytes, durationMs, plan: 'as-is' }, request), rank };
  const next = job.memory.state.tag === 'paused' ? { ...added, memory: restingJobMemory } : added;
  // Cancelled first: two rows of one recording would both be sent.
  const ended = runner.apply(live, { type: 'cancel' });
  if (!ended.ok) return ended;
  const stored = ports.store.addJobs([next]);
  if (!stored.ok) return stored;
  const hidden = hideRows(context, [jobId]);
  runner.resume(runner.liveJobs.add(next, ports.clock.now()));
  feed.changed(next.id);
  runner.schedule();
  return hidden;
}
