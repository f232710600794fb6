import { basename } from 'node:path';
import { stopsOthers } from '../../shared/domain/jobs/decide-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import {
  isFinal,
  newJobRecord,
  optionsOf,
  pausedJobRecord,
  type JobEvent,
  type JobOptions,
  type JobRecord,
  type JobResult,
  type JobState,
} from '../../shared/domain/jobs/job-state.ts';
import type { RowAction } from '../../shared/domain/jobs/job-view.ts';
import { transition } from '../../shared/domain/jobs/machine.ts';
import { moveBefore } from '../../shared/domain/jobs/rank.ts';
import { lengthToSend, partToSend } from '../../shared/domain/jobs/recording-parts.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { lengthBySize } from '../../shared/domain/spend/spend-limit.ts';
import { assertNever, err, ok, type Result } from '../../shared/result/result.ts';
import type { ImportWatch, LocalFile, RefusedFile, StoredJob } from '../services/library/store.ts';
import type { AudioExtractor } from '../services/media/audio-extractor.ts';
import { accountOf, findLostPayment, isForOther, prepareContent } from './effects.ts';
import type { Engine } from './engine.ts';
import type { QueueEntry } from './entries.ts';
import { kindOf } from './kinds.ts';
import { wasNotReached } from './recover.ts';

export type FileSize = Pick<LocalFile, 'sizeBytes' | 'durationMs'> & {
  readonly language?: SpeechLanguage | undefined;
};

/** False: not without consent. `isLastBatch` asks about all at once; `waits`: added as paused. */
export type AdmitFiles = (
  files: readonly FileSize[],
  isLastBatch: boolean,
  isResting?: boolean,
) => Promise<boolean | 'waits'>;

export type NewJob = JobOptions & {
  readonly path: string;
  readonly name?: string;
  /** For `attach`: a job that stopped because only a new charge may help is sent again under a new key. */
  readonly acceptsNewCharge?: boolean;
};

export interface AddOptions {
  /** Leaves out a file with the path, size and options of a row that did not fail. */
  readonly skipsRepeats: boolean;
  readonly restsAboveMs?: number;
  /** Those that seem to be cut short wait for the user. */
  readonly holdsCutShort?: boolean;
}

export const unknownJob: Result<never> = err(localFailure('deleted-at-service', { code: 'unknown_job' }));

/** Whether a file can be read (file-unreadable) and is a recording with audio in it (not-a-recording). */
export async function inspectFile(extractor: AudioExtractor, path: string): Promise<Result<LocalFile>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return looked;
  const { durationMs, sizeBytes, isCutShort = false } = looked.value;
  return ok({ path, name: basename(path), sizeBytes, durationMs, isCutShort });
}

/** Whoever names a recording means the account in use. */
const orderedNow = ({ deps }: Engine, job: StoredJob): StoredJob => ({
  ...job,
  memory: { ...job.memory, orderedFor: accountOf(deps.connection(), job) },
});

function newJob(engine: Engine, { durationMs, ...file }: LocalFile, request: NewJob, memory = newJobRecord): StoredJob {
  const { deps, entries } = engine;
  const options = optionsOf(request);
  const row = {
    id: deps.newId(),
    seq: entries.nextSeq(),
    path: file.path,
    name: request.name ?? file.name,
    sizeBytes: file.sizeBytes,
    addedAtMs: deps.clock.now(),
    rank: entries.nextRank(),
    memory,
  };
  if (options.kind === 'transcribe') {
    // This computer tells nobody apart.
    const includeSpeakers = options.includeSpeakers && deps.origin !== 'local';
    return orderedNow(engine, { ...row, ...options, durationMs, includeSpeakers });
  }
  const part = partToSend({ ...options, durationMs });
  // A recording hardly longer than the excerpt is sent as a whole.
  if (part === null)
    return orderedNow(engine, { ...row, ...optionsOf({ ...options, isExcerpt: undefined }), durationMs });
  const lengthMs = Math.min(part.endMs, durationMs ?? part.endMs) - part.startMs;
  return orderedNow(engine, { ...row, ...options, part, durationMs: lengthMs });
}

/** Stored rows join the queue. */
function addRow({ entries, deps, changed }: Engine, job: StoredJob): QueueEntry {
  changed(job.id);
  return entries.add(job, deps.clock.now());
}

const inspectedAtOnce = 8;
/** Rows that are written in one transaction, which takes some milliseconds. */
const rowsAtOnce = 48;

/** Some at a time; then other work has its turn. */
async function inTurns<T>(all: readonly T[], work: (some: readonly T[]) => Result<null>): Promise<Result<null>> {
  for (let from = 0; from < all.length; from += rowsAtOnce) {
    if (from > 0) await new Promise((resolve) => void setImmediate(resolve));
    const done = work(all.slice(from, from + rowsAtOnce));
    if (!done.ok) return done;
  }
  return ok(null);
}

interface InspectedNewJob {
  readonly file: LocalFile;
  readonly request: NewJob;
}

/** A batch is on disk before it is shown; from one that needs consent on, all is inspected first. */
export async function addJobs(
  engine: Engine,
  requests: readonly NewJob[],
  watch: (ImportWatch & { readonly admit?: AdmitFiles }) | undefined,
  { skipsRepeats, restsAboveMs = Infinity, holdsCutShort = false }: AddOptions,
) {
  const { deps, entries } = engine;
  const jobIds: string[] = [];
  const refused: RefusedFile[] = [];
  /** With the job in the list that the file was made into already. */
  const repeated: { readonly path: string; readonly name: string; readonly jobId: string }[] = [];
  /** Names of those whose header promises more audio than there is. */
  const cutShort: string[] = [];
  const known = skipsRepeats ? knownFiles(entries.byId.values()) : new Map<string, string>();
  let inspected: InspectedNewJob[] = [];
  let [needsUser, isResting] = [false, false];

  const isHeldBack = ({ file }: InspectedNewJob): boolean => holdsCutShort && file.isCutShort;
  const store = (some: readonly InspectedNewJob[]): Result<null> => {
    const jobs = some.map((one) => {
      const memory = isResting || isHeldBack(one) ? pausedJobRecord : newJobRecord;
      return newJob(engine, one.file, one.request, memory);
    });
    const stored = deps.store.addJobs(jobs);
    if (!stored.ok) refused.push(...jobs.map(({ name }) => ({ name, failure: stored.error })));
    else for (const job of jobs) jobIds.push(addRow(engine, job).job.id);
    engine.schedule();
    return ok(null);
  };
  const isStopped = () => watch?.signal.aborted === true;
  const addInspected = async (isLastBatch: boolean): Promise<void> => {
    // What rests is judged when it goes on.
    const sizes = inspected.filter((one) => !isHeldBack(one)).map(sizeToSend);
    const isAsked = watch?.admit !== undefined && !needsUser && sizes.length > 0;
    const admitted = !isAsked || (await watch.admit(sizes, isLastBatch && !isStopped(), isResting));
    needsUser ||= admitted === false;
    if (needsUser) return;
    isResting ||= admitted === 'waits';
    await inTurns(inspected, store);
    inspected = [];
  };
  const inspect = async (some: readonly NewJob[]): Promise<void> => {
    const found = await Promise.all(
      some.map(async (request) => [request, await inspectFile(deps.extractor, request.path)] as const),
    );
    for (const [request, file] of found) {
      if (!file.ok) {
        refused.push({ name: String(file.error.params?.['name'] ?? ''), failure: file.error });
        continue;
      }
      const { path, name, sizeBytes, isCutShort } = file.value;
      const jobId = known.get(fileIdentity({ ...request, sizeBytes }));
      if (jobId !== undefined) {
        repeated.push({ path, name, jobId });
        continue;
      }
      inspected.push({ file: file.value, request });
      if (isCutShort) cutShort.push(name);
    }
  };

  return engine.during('adding', async () => {
    for (let from = 0; from < requests.length && !isStopped(); from += inspectedAtOnce) {
      watch?.onProgress(from, requests.length);
      await inspect(requests.slice(from, from + inspectedAtOnce));
      if (inspected.length >= rowsAtOnce && !needsUser && restsAboveMs === Infinity) await addInspected(false);
    }
    needsUser = false;
    const lengths = inspected.map(sizeToSend).map(({ sizeBytes, durationMs }) => durationMs ?? lengthBySize(sizeBytes));
    isResting = lengths.reduce((sum, ms) => sum + ms, 0) > restsAboveMs;
    await addInspected(true);
    return { jobIds, refused, repeated, cutShort };
  });
}

const sizeToSend = ({ file: { durationMs, sizeBytes }, request }: InspectedNewJob): FileSize => ({
  sizeBytes,
  durationMs: lengthToSend({ ...request, durationMs }),
  ...(request.kind === 'transcribe' && { language: request.language }),
});

const isLost = ({ tag }: JobState): boolean => tag === 'failed' || tag === 'cancelled';

const knownFiles = (entries: IteratorObject<QueueEntry>): ReadonlyMap<string, string> =>
  new Map(
    entries.filter(({ job }) => !isLost(job.memory.state)).map(({ job }) => [fileIdentity(job), job.id] as const),
  );

const fileIdentity = (file: JobOptions & { readonly path: string; readonly sizeBytes: number }): string =>
  JSON.stringify([file.path, file.sizeBytes, optionsOf(file)]);

/** The job that a file was joined to; with a result it is done already, and nothing is sent. */
export interface Attached {
  readonly jobId: string;
  readonly result: JobResult | null;
}

/** How far a job with the same content is; the furthest is the one to join. */
const furthestFirst: readonly JobState['tag'][] = [
  'done',
  'fetching',
  'polling',
  'looking',
  'sending',
  'waiting',
  'blocked',
  'paused',
  'prepared',
  'queued',
  'needs-user',
  'failed',
  'cancelled',
];
const distance = ({ memory }: StoredJob): number => furthestFirst.indexOf(memory.state.tag);

/** A command that is repeated after a crash joins its own jobs instead of paying twice. */
export async function attachFile(engine: Engine, request: NewJob, signal: AbortSignal): Promise<Result<Attached>> {
  const { deps } = engine;
  const file = await inspectFile(deps.extractor, request.path);
  if (!file.ok) return file;
  const prepared = await prepareContent(deps, request, null, signal, () => undefined);
  if (!prepared.ok) return err({ ...prepared.error, params: { name: file.value.name } });
  const { content } = prepared.value;
  const same = { ...optionsOf(request), sha256: content.sha256 };
  const earlier = deps.store.findSame(same);
  if (!earlier.ok) return earlier;
  const [best] = earlier.value.toSorted((one, other) => distance(one) - distance(other));
  if (best !== undefined) return joinRow(engine, best, request);
  const job = newJob(engine, file.value, request);
  const lost = request.acceptsNewCharge === true ? null : findLostPayment(deps, same);
  const event: JobEvent = {
    type: 'hashed',
    attempt: job.memory.attempt,
    ...content,
    freshKey: deps.newId(),
    duplicate: null,
    earlier: lost,
  };
  // Row, hash and key become durable together: a crash leaves either all of them or nothing.
  const added = { ...job, memory: transition(job.memory, event, deps.clock.now()).job };
  const stored = deps.store.addJobs([added]);
  if (!stored.ok) return stored;
  const joined = engine.apply({ entry: addRow(engine, added), event: { type: 'recovered' } });
  return joined.ok ? ok({ jobId: job.id, result: null }) : joined;
}

function joinRow(engine: Engine, job: StoredJob, request: NewJob): Result<Attached> {
  const { state } = job.memory;
  const joined = { jobId: job.id, result: state.tag === 'done' ? state : null };
  if (state.tag === 'done') return ok(joined);
  if (engine.entries.byId.has(job.id)) return ok(joined);
  // The recording may have moved since; its content is the same.
  const entry = addRow(engine, orderedNow(engine, { ...job, path: request.path }));
  // Repeating the command means "try again"; the first write shows whether a full disk works again.
  if (state.tag === 'blocked' && state.by !== 'disk') {
    engine.tryBlocked(entry);
    return ok(joined);
  }
  // A pause that the service asked for holds across runs as well.
  const isRetried =
    state.tag === 'waiting'
      ? state.failure.retryAfterMs === undefined || wasNotReached(state.failure)
      : isAtRest(state);
  const consent = request.acceptsNewCharge ?? false;
  const resumed = engine.apply({ entry, event: isRetried ? { type: 'retry', consent } : { type: 'recovered' } });
  return resumed.ok ? ok(joined) : resumed;
}

/** `leave`: paused, because the account or the address became another; `order-anew`: for the one in use. */
type QueueAction = RowAction | 'leave' | 'order-anew';

/** Nothing of it goes on without the user. */
const isAtRest = ({ tag }: JobState): boolean =>
  tag === 'needs-user' || tag === 'failed' || tag === 'cancelled' || tag === 'paused';

function eventFor({ deps }: Engine, action: QueueAction, { job, progress }: QueueEntry): JobEvent | null {
  const { state } = job.memory;
  switch (action) {
    case 'pause':
      return { type: 'pause', sentBytes: state.tag === 'sending' ? (progress?.done ?? 0) : 0 };
    case 'leave':
      return { type: 'pause', sentBytes: 0, isElsewhere: true };
    case 'go-on':
      return isForOther(deps.connection(), job) ? null : { type: 'unpause' };
    case 'order-anew':
      return { type: 'unpause', isOrderedAnew: true };
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

/** What is done with rows; unknown ids give a failure. */
export function createRows(engine: Engine) {
  const { deps, entries, changed, apply } = engine;
  const { store } = deps;
  const { byId } = entries;
  const withRow = async <T>(jobId: string, work: (entry: QueueEntry) => Result<T>): Promise<Result<T>> => {
    const entry = byId.get(jobId);
    return entry === undefined ? unknownJob : work(entry);
  };
  const hide = (jobIds: readonly string[]): Result<null> => hideRows(engine, jobIds);
  const unfinished = (): readonly StoredJob[] =>
    [...byId.values()].flatMap(({ job }) => (isFinal(job.memory.state) ? [] : [job]));

  const move = (jobIds: readonly string[], beforeId: string | null): Result<null> => {
    if (beforeId !== null && !byId.has(beforeId)) return unknownJob;
    const ranks = moveBefore(unfinished(), new Set(jobIds), beforeId);
    if (ranks.length === 0) return ok(null);
    const saved = store.saveRanks(ranks);
    if (!saved.ok) return saved;
    for (const { id, rank } of ranks) {
      const entry = byId.get(id);
      if (entry === undefined) continue;
      entries.touch(entry, { rank });
      changed(id);
    }
    engine.schedule();
    return ok(null);
  };

  return {
    add: (
      requests: readonly NewJob[],
      watch?: Parameters<typeof addJobs>[2],
      how: AddOptions = { skipsRepeats: false },
    ) => addJobs(engine, requests, watch, how),
    attach: (request: NewJob, signal: AbortSignal) => attachFile(engine, request, signal),

    /** Only `acceptsNewCharge` allows a new key, which may be charged again. */
    retry: (jobId: string, acceptsNewCharge: boolean) =>
      withRow(jobId, (entry) => {
        const { state } = entry.job.memory;
        if ((state.tag !== 'blocked' || !stopsOthers(state.by)) && state.tag !== 'prepared')
          return apply({ entry, event: { type: 'retry', consent: acceptsNewCharge } });
        engine.liftGate(true);
        return ok(null);
      }),

    remove: (jobId: string) =>
      withRow(jobId, (entry) => {
        const ended = isFinal(entry.job.memory.state) ? ok(null) : apply({ entry, event: { type: 'cancel' } });
        return ended.ok ? hide([jobId]) : ended;
      }),

    /** Restores rows that were removed; rows that are listed or deleted are skipped. */
    async bringBack(jobIds: readonly string[]): Promise<Result<number>> {
      let shownCount = 0;
      const shown = await inTurns(jobIds, (some) => {
        const found = store.showJobs(some.filter((id) => !byId.has(id)));
        if (!found.ok) return found;
        for (const job of found.value) addRow(engine, { ...job, seq: entries.nextSeq() });
        shownCount += found.value.length;
        return ok(null);
      });
      return shown.ok ? ok(shownCount) : shown;
    },

    /** Never accepts a new charge. Nothing new is sent until all rows are done. */
    act: (jobIds: readonly string[], action: QueueAction) =>
      engine.during('resting', async () => {
        // `acceptedCount`: how many of them the service has and may still finish and charge.
        let [changedCount, acceptedCount] = [0, 0];
        const acted = await inTurns(jobIds, (some) => {
          const happenings = some.flatMap((id) => {
            const entry = byId.get(id);
            const event = entry === undefined ? null : eventFor(engine, action, entry);
            return entry === undefined || event === null ? [] : [{ entry, event, before: entry.job.memory }];
          });
          const applied = apply(...happenings);
          if (!applied.ok) return applied;
          const moved = happenings.filter(({ entry, before }) => entry.job.memory !== before);
          acceptedCount += moved.filter(({ entry }) => entry.job.memory.intent?.remoteId != null).length;
          changedCount += (action === 'remove' ? happenings : moved).length;
          return action === 'remove' ? hide(happenings.map(({ entry }) => entry.job.id)) : applied;
        });
        return acted.ok ? ok({ changedCount, acceptedCount }) : acted;
      }),

    move: async (jobIds: readonly string[], beforeId: string | null) => move(jobIds, beforeId),

    runNext: (jobId: string) =>
      withRow(jobId, (entry) => {
        const [first] = unfinished()
          .filter(({ id }) => id !== jobId)
          .toSorted((one, other) => one.rank - other.rank);
        const moved = move([jobId], first?.id ?? null);
        const isResumed = entry.job.memory.state.tag === 'paused' && !isForOther(deps.connection(), entry.job);
        return moved.ok && isResumed ? apply({ entry, event: { type: 'unpause' } }) : moved;
      }),

    changeLanguage: (jobId: string, language: SpeechLanguage) =>
      withRow(jobId, (entry) => changeLanguage(engine, entry, language)),

    /** Nothing is sent or charged. already-in-queue `same_in_queue` while the earlier job is under way. */
    copyResult: (jobId: string) =>
      withRow(jobId, (entry) => {
        const { job } = entry;
        const { intent, state } = job.memory;
        if (intent === null || state.tag !== 'needs-user' || state.failure.kind !== 'already-in-queue')
          return err(localFailure('deleted-at-service', { code: 'nothing_to_copy' }));
        const copied = kindOf(job).copy(deps, job, intent.sha256);
        if (!copied.ok) return copied;
        const { result, output } = copied.value;
        if (result === null) return err(localFailure('already-in-queue', { code: 'same_in_queue' }));
        return apply({ entry, event: { type: 'copied', result }, output });
      }),

    /** Updates the path of a row's recording and continues; its hash tells different content (file-changed). */
    relocate: (jobId: string, path: string) =>
      withRow(jobId, (entry) => {
        const moved = store.movePath(jobId, path);
        if (!moved.ok) return moved;
        entry.job = { ...entry.job, path };
        return apply({ entry, event: { type: 'retry', consent: false } });
      }),
  };
}

function hideRows({ deps, entries, changed }: Engine, jobIds: readonly string[]): Result<null> {
  const hidden = deps.store.hideJobs(jobIds);
  if (!hidden.ok) return hidden;
  for (const id of jobIds) {
    entries.remove(id);
    changed(id);
  }
  return hidden;
}

/** Only while nothing of it was sent: a request that has gone out under a key never changes. */
export function changeLanguage(engine: Engine, entry: QueueEntry, language: SpeechLanguage): Result<null> {
  const { job } = entry;
  const { state, intent } = job.memory;
  const wasSent = intent !== null && intent.firstSentAtMs !== null;
  if (job.kind !== 'transcribe' || isFinal(state) || state.tag === 'sending' || wasSent)
    return err(localFailure('deleted-at-service', { code: 'already_sent' }));
  if (job.language === language) return ok(null);
  const { id, seq } = { id: engine.deps.newId(), seq: engine.entries.nextSeq() };
  const { orderedFor } = job.memory;
  const paused = state.tag === 'paused' && { state: { ...state, resume: 'prepare' as const, sentBytes: 0 } };
  const memory: JobRecord = { ...newJobRecord, orderedFor, ...paused };
  const next = { ...job, id, seq, language, addedAtMs: engine.deps.clock.now(), memory };
  // Cancelled first: two rows of one recording would both be sent.
  const ended = engine.apply({ entry, event: { type: 'cancel' } });
  if (!ended.ok) return ended;
  const stored = engine.deps.store.addJobs([next]);
  if (!stored.ok) return stored;
  const hidden = hideRows(engine, [job.id]);
  engine.apply({ entry: addRow(engine, next), event: { type: 'recovered' } });
  return hidden;
}
