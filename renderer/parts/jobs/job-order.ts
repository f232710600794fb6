import { stageOf, type JobStage } from '../../../shared/domain/jobs/batch-progress.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { JobView, JobViewState } from '../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../shared/result/failure.ts';

export const jobOrders = ['queue', 'name', 'length', 'added'] as const;
export type JobOrder = (typeof jobOrders)[number];

export const jobFilters = ['all', 'attention', 'progress', 'ended'] as const;
export type JobFilter = (typeof jobFilters)[number];

const filterOf: Readonly<Record<JobStage, Exclude<JobFilter, 'all'>>> = {
  attention: 'attention',
  running: 'progress',
  waiting: 'progress',
  ended: 'ended',
};

export function shownJobs(jobs: readonly JobView[], filter: JobFilter, order: JobOrder): readonly JobView[] {
  const sorted = sortJobs(filter === 'all' ? jobs : jobs.filter((job) => filterOf[stageOf(job)] === filter));
  return order === 'queue' ? sorted : sorted.toSorted(compareBy[order]);
}

const { compare } = new Intl.Collator(undefined, { numeric: true });
const compareBy: Readonly<Record<Exclude<JobOrder, 'queue'>, (one: JobView, other: JobView) => number>> = {
  name: (one, other) => compare(one.name, other.name),
  length: (one, other) => (other.durationMs ?? -1) - (one.durationMs ?? -1),
  added: (one, other) => other.addedAtMs - one.addedAtMs,
};

type JobGroup = 'attention' | 'progress' | 'today' | 'yesterday' | 'earlier';

/** Of a transcript or of isolated audio. */
export interface ResultFacts {
  readonly title: string;
  readonly language: SpeechLanguage | null;
  readonly wordCount: number;
  /** A decimal number as text; null if the service reported no cost. */
  readonly credits: string | null;
}

/** A row of the list. The first row of each group carries the name of the group and its number of rows. */
export interface JobItem {
  readonly id: string;
  readonly job: JobView;
  readonly title: string;
  readonly result: ResultFacts | null;
  readonly heading: { readonly group: JobGroup; readonly count: number } | null;
  readonly isGone: boolean;
}

const startOfDay = (atMs: number, daysBack = 0): number => {
  const day = new Date(atMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack).getTime();
};

function groupOf(job: JobView, nowMs: number): JobGroup {
  const filter = filterOf[stageOf(job)];
  if (filter !== 'ended') return filter;
  const at = endedAtMs(job);
  return at >= startOfDay(nowMs) ? 'today' : at >= startOfDay(nowMs, 1) ? 'yesterday' : 'earlier';
}

function withFiles(rows: readonly { readonly title: string; readonly name: string }[]): readonly string[] {
  const files = new Map<string, Set<string>>();
  for (const { title, name } of rows) files.set(title, (files.get(title) ?? new Set()).add(name));
  return rows.map(({ title, name }) => {
    if ((files.get(title)?.size ?? 0) < 2) return title;
    return name.startsWith(title) ? name : `${title} (${name})`;
  });
}

/** `results` by transcript or job; titles come from them, because users rename transcripts. No headings without `groups`. */
export function jobItems(
  jobs: readonly JobView[],
  results: ReadonlyMap<string, ResultFacts>,
  groups: { readonly nowMs: number } | null,
): readonly JobItem[] {
  const named = jobs.map((job) => ({ job, group: groups === null ? null : groupOf(job, groups.nowMs) }));
  const counts = new Map<JobGroup | null, number>();
  for (const { group } of named) counts.set(group, (counts.get(group) ?? 0) + 1);
  const known = jobs.map(
    ({ id, state }) => (state.tag === 'done' ? results.get(state.transcriptId ?? id) : undefined) ?? null,
  );
  const titles = withFiles(jobs.map(({ name }, at) => ({ name, title: known[at]?.title ?? name })));
  return named.map(({ job, group }, at) => {
    const result = known[at] ?? null;
    const heading = group === null || named[at - 1]?.group === group ? null : { group, count: counts.get(group) ?? 0 };
    return { id: job.id, job, title: titles[at] ?? job.name, result, heading, isGone: job.state.tag === 'cancelled' };
  });
}

/** Reuses the previous item where nothing changed, because the list redraws a row whose item is another object. */
export function sameItems(): (items: readonly JobItem[]) => readonly JobItem[] {
  let known: ReadonlyMap<string, JobItem> = new Map();
  return (items) => {
    const same = items.map((item) => {
      const before = known.get(item.id);
      const isSame =
        before?.job === item.job &&
        before.title === item.title &&
        before.result?.language === item.result?.language &&
        before.result?.wordCount === item.result?.wordCount &&
        before.result?.credits === item.result?.credits &&
        before.heading?.group === item.heading?.group &&
        before.heading?.count === item.heading?.count;
      return before !== undefined && isSame ? before : item;
    });
    known = new Map(same.map((item) => [item.id, item]));
    return same;
  };
}

export const isMovable = ({ state }: JobView): boolean =>
  ['waiting', 'preparing', 'paused', 'blocked'].includes(state.tag);

export const isWholeSent = ({ state }: JobView): boolean =>
  state.tag === 'uploading' && state.totalBytes > 0 && state.sentBytes >= state.totalBytes;

export const isPausable = (job: JobView): boolean =>
  job.state.tag === 'preparing' || job.state.tag === 'waiting' || (job.state.tag === 'uploading' && !isWholeSent(job));

export const lineOf = (jobs: readonly JobView[]): readonly JobView[] =>
  jobs.filter(isMovable).toSorted((left, right) => left.rank - right.rank || left.addedAtMs - right.addedAtMs);

/** The row before which a move by one step puts a row (`null` means the end); undefined if it can't move further. */
export function beforeAfterStep(line: readonly JobView[], jobId: string, step: -1 | 1): string | null | undefined {
  const at = line.findIndex(({ id }) => id === jobId);
  if (at < 0) return undefined;
  if (step < 0) return line[at - 1]?.id;
  if (at === line.length - 1) return undefined;
  return line[at + 2]?.id ?? null;
}

const stageOrder: Readonly<Record<JobStage, number>> = { attention: 0, running: 1, waiting: 2, ended: 3 };

export const isTwin = ({ state }: JobView): boolean =>
  state.tag === 'needs-user' && state.failure.kind === 'already-in-queue';

/** What became of the row with the same recording to isolate. */
const twinCodes = ['same_in_queue', 'duplicate', 'same_stopped'] as const;

/** For a row that was not isolated because another one has the same recording and options; null for any other. */
export function twinIsolation({ kind, state }: JobView): (typeof twinCodes)[number] | null {
  if (kind !== 'isolate' || state.tag !== 'needs-user' || state.failure.kind !== 'already-in-queue') return null;
  return twinCodes.find((code) => code === state.failure.code) ?? 'duplicate';
}

/** Keeps the identity of an unchanged row, so that it is not redrawn. */
const currentTwins = new WeakMap<JobView, JobView>();

/** The original may be done by now, or its transcript in the trash. `texts`: null until loaded. */
export function withTwins(
  jobs: readonly JobView[],
  texts: Pick<ReadonlyMap<string, unknown>, 'has'> | null,
): readonly JobView[] {
  if (!jobs.some(isTwin)) return jobs;
  const byId = new Map(jobs.map((job) => [job.id, job.state]));
  return jobs.map((job) => {
    const { state } = job;
    if (state.tag !== 'needs-user' || !isTwin(job)) return job;
    const { failure } = state;
    const first = byId.get(String(failure.params?.['jobId']));
    const transcriptId = failure.params?.['transcriptId'] ?? (first?.tag === 'done' ? first.transcriptId : undefined);
    if (failure.code === 'other_language' || (job.kind === 'transcribe' && transcriptId === undefined)) return job;
    // The list of transcripts is refreshed slightly later than the row; a transcript in the trash gets no row.
    const isTrashed = first === undefined && texts !== null && !texts.has(String(transcriptId));
    const code = job.kind === 'isolate' ? isolationCode(first) : isTrashed ? 'same_in_trash' : 'duplicate';
    if (code === failure.code && transcriptId === failure.params?.['transcriptId']) return job;
    const current = currentTwins.get(job);
    if (current?.state.tag === 'needs-user' && current.state.failure.code === code) return current;
    const params = { ...failure.params, ...(transcriptId !== undefined && { transcriptId }) };
    const next: JobView = { ...job, state: { ...state, failure: { ...failure, code, params } } };
    currentTwins.set(job, next);
    return next;
  });
}

function isolationCode(first: JobView['state'] | undefined): (typeof twinCodes)[number] {
  // Only an ended row leaves the list; if it had a result, that can still be used.
  if (first === undefined || first.tag === 'done') return 'duplicate';
  return first.tag === 'cancelled' || first.tag === 'failed' ? 'same_stopped' : 'same_in_queue';
}

const farBack = Number.MAX_SAFE_INTEGER;

/** When a row ended. A cancelled row has no such time, so the time it was added stands in. */
const endedAtMs = ({ state, addedAtMs }: JobView): number => (state.tag === 'done' ? state.finishedAtMs : addedAtMs);

/** Failed first, then running, waiting and ended ones, of these the newest first. */
export function sortJobs(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.toSorted((left, right) => {
    const stages = stageOrder[stageOf(left)] - stageOrder[stageOf(right)];
    if (stages !== 0) return stages;
    if (stageOf(left) === 'ended') return endedAtMs(right) - endedAtMs(left);
    // Files dropped together have the same time of adding, so their position in the queue decides.
    if (left.state.tag === 'waiting' && right.state.tag === 'waiting')
      return (left.state.placeInQueue ?? farBack) - (right.state.placeInQueue ?? farBack) || left.rank - right.rank;
    return left.rank - right.rank || left.addedAtMs - right.addedAtMs;
  });
}

export function uploadPace(
  state: Extract<JobView['state'], { tag: 'uploading' }>,
  nowMs: number,
): { readonly bytesPerSecond: number; readonly leftMs: number } | null {
  const passedMs = nowMs - state.sinceMs;
  if (passedMs < 1500 || state.sentBytes <= 0) return null;
  const bytesPerSecond = (state.sentBytes * 1000) / passedMs;
  return { bytesPerSecond, leftMs: ((state.totalBytes - state.sentBytes) * 1000) / bytesPerSecond };
}

export const isTicking = ({ state }: JobView): boolean =>
  ['uploading', 'queued-at-service', 'processing', 'retrying'].includes(state.tag);

export const isCancellable = ({ state }: JobView): boolean => !['done', 'failed', 'cancelled'].includes(state.tag);

/** Isolated audio has no place but this list, so its row is hidden, here and at the service, and can be shown again. */
export const isHidden = ({ kind, state }: JobView): boolean => kind === 'isolate' && state.tag !== 'needs-user';

export const hasTranscript = ({ state }: JobView): boolean => state.tag === 'done' && state.transcriptId !== undefined;

export const isRemovable = (job: JobView): boolean => !isCancellable(job) || job.state.tag === 'needs-user';

/** Whether the service may already have the recording, so that cancelling comes too late. */
export function isPerhapsAtService({ state }: JobView): 'no' | 'perhaps' | 'yes' {
  if (state.tag === 'queued-at-service' || state.tag === 'processing') return 'yes';
  if (state.tag === 'uploading') return 'perhaps';
  if (state.tag === 'paused') return state.sentBytes > 0 ? 'perhaps' : 'no';
  if (state.tag !== 'retrying' && state.tag !== 'blocked' && state.tag !== 'needs-user') return 'no';
  const { outcome } = state.failure;
  if (outcome === 'accepted') return 'yes';
  return outcome === 'not_sent' || outcome === 'refused' ? 'no' : 'perhaps';
}

export const isElsewhere = ({ state }: JobView): boolean => state.tag === 'paused' && state.isElsewhere === true;

export type BlockedBy = Extract<JobViewState, { tag: 'blocked' }>['by'];

export interface QueueNotice {
  readonly by: BlockedBy;
  readonly waitingCount: number;
  readonly failure: Failure;
}

const order: readonly BlockedBy[] = ['key', 'permission', 'credits', 'disk', 'offline', 'service', 'model'];

export function queueNotices(jobs: readonly JobView[]): readonly QueueNotice[] {
  return order.flatMap((by) => {
    const blocked = jobs.flatMap(({ state }) => (state.tag === 'blocked' && state.by === by ? [state.failure] : []));
    const failure = blocked[0];
    return failure === undefined ? [] : [{ by, waitingCount: blocked.length, failure }];
  });
}
