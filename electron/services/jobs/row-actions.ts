import {
  optionsOf,
  type JobOptions,
  isFinal,
  pausedJobRecord,
  type JobEvent,
} from '../../../shared/domain/jobs/job-state.ts';
import type { RowAction } from '../../../shared/domain/jobs/job-view.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { moveBefore } from '../../../shared/domain/jobs/rank.ts';
import { lengthToSend } from '../../../shared/domain/jobs/recording-parts.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { LiveJobs, QueueEntry } from './live-jobs.ts';
import type { ActedOn, AddedJobs, AddOptions, ChargedWatch, NewJob, QueueDeps, RepeatedFile } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';
import { inspectFile, type ImportWatch, type LocalFile, type RefusedFile } from '../library/file-inspector.ts';
import type { StoredJob } from '../library/store.ts';

const inspectedAtOnce = 8;
/** How many rows are written in one transaction; then they are published, and other work has its turn. */
const storedAtOnce = 48;

type InspectedNewJob = { readonly file: LocalFile; readonly request: NewJob };

/** A batch is on disk before it is shown; from one that needs consent on, all is inspected first. */
export function addJobs(
  { ports, runner, feed, newJob }: QueueContext,
  requests: readonly NewJob[],
  watch: ImportWatch | ChargedWatch | undefined,
  { skipsRepeats, restsAboveMs = Infinity }: AddOptions,
): Promise<AddedJobs> {
  return runner.whileAdding(async () => {
    const refused: RefusedFile[] = [];
    const repeated: RepeatedFile[] = [];
    const known = skipsRepeats ? knownFiles(runner.liveJobs) : new Map<string, string>();
    const jobIds: string[] = [];
    const admit = watch !== undefined && 'admit' in watch ? watch.admit : async () => true;
    let looked: InspectedNewJob[] = [];
    let needsPerson = false;
    let isResting = false;

    const store = (some: readonly InspectedNewJob[]) => {
      const jobs = some.map(({ file, request }) => {
        const job = newJob(file, request);
        return isResting ? { ...job, memory: pausedJobRecord } : job;
      });
      const stored = ports.store.addJobs(jobs);
      if (!stored.ok) {
        refused.push(...jobs.map(({ name }) => ({ name, failure: stored.error })));
        return;
      }
      for (const job of jobs) {
        runner.liveJobs.add(job, ports.clock.now());
        feed.changed(job.id);
        jobIds.push(job.id);
      }
      runner.schedule();
    };
    const isStopped = () => watch?.signal.aborted === true;
    const addLooked = async (isLastBatch: boolean) => {
      const sizes = looked.map(sizeToSend);
      const admitted =
        needsPerson || sizes.length === 0 || (await admit(sizes, isLastBatch && !isStopped(), isResting));
      needsPerson ||= admitted === false;
      if (needsPerson) return;
      isResting ||= admitted === 'waits';
      for (let from = 0; from < looked.length; from += storedAtOnce) {
        store(looked.slice(from, from + storedAtOnce));
        // Other work has its turn between two batches.
        if (from + storedAtOnce < looked.length) await new Promise<void>((resolve) => void setImmediate(resolve));
      }
      looked = [];
    };

    for (let from = 0; from < requests.length && !isStopped(); from += inspectedAtOnce) {
      watch?.onProgress(from, requests.length);
      const some = requests.slice(from, from + inspectedAtOnce);
      const found = await Promise.all(some.map((request) => inspectFile(ports.extractor, request.path)));
      for (const [index, one] of found.entries()) {
        const request = some[index];
        if (request === undefined) continue;
        const jobId = one.ok ? known.get(fileIdentity({ ...request, sizeBytes: one.value.sizeBytes })) : undefined;
        if (one.ok && jobId !== undefined) repeated.push({ path: one.value.path, name: one.value.name, jobId });
        else if (one.ok) looked.push({ file: one.value, request });
        else refused.push({ name: String(one.error.params?.['name'] ?? ''), failure: one.error });
      }
      if (looked.length >= storedAtOnce && !needsPerson && restsAboveMs === Infinity) await addLooked(false);
    }
    needsPerson = false;
    isResting =
      looked
        .map(sizeToSend)
        .reduce((sum, { sizeBytes, durationMs }) => sum + (durationMs ?? lengthBySize(sizeBytes)), 0) > restsAboveMs;
    await addLooked(true);
    return { jobIds, refused, repeated };
  });
}

const sizeToSend = ({ file: { durationMs, sizeBytes }, request }: InspectedNewJob) => ({
  sizeBytes,
  durationMs: lengthToSend({ ...request, durationMs }),
});

function knownFiles(jobs: LiveJobs): ReadonlyMap<string, string> {
  const isLost = ({ job }: QueueEntry) => ['failed', 'cancelled'].includes(job.memory.state.tag);
  return new Map([...jobs.all()].filter((live) => !isLost(live)).map(({ job }) => [fileIdentity(job), job.id]));
}

const fileIdentity = (file: JobOptions & { readonly path: string; readonly sizeBytes: number }): string =>
  JSON.stringify([file.path, file.sizeBytes, optionsOf(file)]);

export interface QueueContext {
  readonly ports: QueueDeps;
  readonly runner: QueueRunner;
  readonly feed: ChangeFeed;
  readonly newJob: (file: LocalFile, request: NewJob) => StoredJob;
}

function eventFor(action: RowAction, { job, upload }: QueueEntry): JobEvent | null {
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

/** Never accepts a new charge. Nothing new is sent until all rows are done. */
export async function actOnRows(
  context: QueueContext,
  jobIds: readonly string[],
  action: RowAction,
): Promise<Result<ActedOn>> {
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

function actOnSome(context: QueueContext, jobIds: readonly string[], action: RowAction): Result<ActedOn> {
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

export function hideRows({ ports, runner, feed }: QueueContext, jobIds: readonly string[]): Result<null> {
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
export async function showRows(context: QueueContext, jobIds: readonly string[]): Promise<Result<number>> {
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

export function moveRows(context: QueueContext, jobIds: readonly string[], beforeId: string | null): Result<null> {
  const { ports, runner, feed } = context;
  const { liveJobs } = runner;
  const rows = [...liveJobs.all()].flatMap(({ job }) =>
    isFinal(job.memory.state) ? [] : [{ id: job.id, rank: job.rank }],
  );
  if (beforeId !== null && liveJobs.get(beforeId) === undefined)
    return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
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

export function runNext(context: QueueContext, jobId: string): Result<null> {
  const { runner } = context;
  const live = runner.liveJobs.get(jobId);
  if (live === undefined) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
  const waiting = [...runner.liveJobs.all()].filter(({ job }) => !isFinal(job.memory.state) && job.id !== jobId);
  const first = waiting.reduce<QueueEntry | null>(
    (best, one) => (best === null || one.job.rank < best.job.rank ? one : best),
    null,
  );
  const moved = moveRows(context, [jobId], first?.job.id ?? null);
  if (!moved.ok) return moved;
  return live.job.memory.state.tag === 'paused' ? runner.apply(live, { type: 'unpause' }) : ok(null);
}

/** Only while nothing of it was sent: a request that has gone out under a key never changes. */
export function changeLanguage(context: QueueContext, jobId: string, language: SpeechLanguage): Result<null> {
  const { ports, runner, feed, newJob } = context;
  const live = runner.liveJobs.get(jobId);
  if (live === undefined) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
  const { job } = live;
  const wasSent = job.memory.intent !== null && job.memory.intent.firstSentAtMs !== null;
  if (job.kind !== 'transcribe' || isFinal(job.memory.state) || job.memory.state.tag === 'sending' || wasSent)
    return err(localFailure('deleted-at-service', { code: 'already_sent' }));
  if (job.language === language) return ok(null);
  const { path, name, sizeBytes, durationMs, rank } = job;
  const request = { ...optionsOf({ ...job, language }), path, name };
  const added = { ...newJob({ path, name, sizeBytes, durationMs, plan: 'as-is' }, request), rank };
  const next = job.memory.state.tag === 'paused' ? { ...added, memory: pausedJobRecord } : added;
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
