import { sortRows, stageOf, type JobStage } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { endedAtMs, sortJobs } from './selectors.ts';

/** The sort orders of the list. `queue` is the order in which the files are sent. */
export const queueOrders = ['queue', 'name', 'length', 'added'] as const;
export type QueueOrder = (typeof queueOrders)[number];

export const queueFilters = ['all', 'attention', 'progress', 'ended'] as const;
export type QueueFilter = (typeof queueFilters)[number];

const filterOf: Readonly<Record<JobStage, Exclude<QueueFilter, 'all'>>> = {
  attention: 'attention',
  running: 'progress',
  waiting: 'progress',
  ended: 'ended',
};

/** The number of rows each filter shows. */
export function countByFilter(jobs: readonly JobView[]): Readonly<Record<QueueFilter, number>> {
  const counts = { all: jobs.length, attention: 0, progress: 0, ended: 0 };
  for (const job of jobs) counts[filterOf[stageOf(job)]] += 1;
  return counts;
}

/** The rows of one filter, sorted; equal ones keep the order of the queue. */
export function shownJobs(jobs: readonly JobView[], filter: QueueFilter, order: QueueOrder): readonly JobView[] {
  const sorted = sortJobs(filter === 'all' ? jobs : jobs.filter((job) => filterOf[stageOf(job)] === filter));
  return order === 'queue' ? sorted : sortRows(sorted, order);
}

/** The groups of the list: rows that need the user, running ones, and ended ones by day. */
export type QueueGroup = 'attention' | 'progress' | 'today' | 'yesterday' | 'earlier';

/** What a row shows about its transcript, taken from the list of transcripts. */
export interface TextFacts {
  readonly title: string;
  readonly language: SpeechLanguage;
  readonly wordCount: number;
  /** A decimal number as text; null if the service reported no cost. */
  readonly credits: string | null;
}

/** A row of the list. The first row of each group carries the name of the group and its number of rows. */
export interface QueueItem {
  readonly id: string;
  readonly job: JobView;
  readonly title: string;
  /** The transcript of the row, if it exists. */
  readonly text: TextFacts | null;
  readonly heading: { readonly group: QueueGroup; readonly count: number } | null;
  /** Cancelled. */
  readonly isGone: boolean;
}

const startOfDay = (atMs: number, daysBack = 0): number => {
  const day = new Date(atMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack).getTime();
};

export function groupOf(job: JobView, nowMs: number): QueueGroup {
  const filter = filterOf[stageOf(job)];
  if (filter !== 'ended') return filter;
  const at = endedAtMs(job);
  return at >= startOfDay(nowMs) ? 'today' : at >= startOfDay(nowMs, 1) ? 'yesterday' : 'earlier';
}

/** Rows of one title and different files are told apart by their files. */
function withFiles(rows: readonly { readonly title: string; readonly name: string }[]): readonly string[] {
  const files = new Map<string, Set<string>>();
  for (const { title, name } of rows) files.set(title, (files.get(title) ?? new Set()).add(name));
  return rows.map(({ title, name }) => {
    if ((files.get(title)?.size ?? 0) < 2) return title;
    return name.startsWith(title) ? name : `${title} (${name})`;
  });
}

/**
 * Takes titles from `texts` (transcripts by id), because users rename transcripts. Without `groups` no row has a
 * heading.
 */
export function queueItems(
  jobs: readonly JobView[],
  texts: ReadonlyMap<string, TextFacts>,
  groups: { readonly nowMs: number } | null,
): readonly QueueItem[] {
  const named = jobs.map((job) => ({ job, group: groups === null ? null : groupOf(job, groups.nowMs) }));
  const counts = new Map<QueueGroup | null, number>();
  for (const { group } of named) counts.set(group, (counts.get(group) ?? 0) + 1);
  const textsOf = jobs.map(
    ({ state }) => (state.tag === 'done' ? texts.get(state.transcriptId ?? '') : undefined) ?? null,
  );
  const titles = withFiles(jobs.map(({ name }, at) => ({ name, title: textsOf[at]?.title ?? name })));
  return named.map(({ job, group }, at) => {
    const text = textsOf[at] ?? null;
    const heading = group === null || named[at - 1]?.group === group ? null : { group, count: counts.get(group) ?? 0 };
    return { id: job.id, job, title: titles[at] ?? job.name, text, heading, isGone: job.state.tag === 'cancelled' };
  });
}

/** Reuses the previous item where nothing changed, because the list redraws a row whose item is another object. */
export function sameItems(): (items: readonly QueueItem[]) => readonly QueueItem[] {
  let known: ReadonlyMap<string, QueueItem> = new Map();
  return (items) => {
    const same = items.map((item) => {
      const before = known.get(item.id);
      const isSame =
        before?.job === item.job &&
        before.title === item.title &&
        before.text?.language === item.text?.language &&
        before.text?.wordCount === item.text?.wordCount &&
        before.text?.credits === item.text?.credits &&
        before.heading?.group === item.heading?.group &&
        before.heading?.count === item.heading?.count;
      return before !== undefined && isSame ? before : item;
    });
    known = new Map(same.map((item) => [item.id, item]));
    return same;
  };
}

/** Rows that wait to be sent and can therefore be moved. */
export const isMovable = (job: JobView): boolean =>
  job.state.tag === 'waiting' ||
  job.state.tag === 'preparing' ||
  job.state.tag === 'paused' ||
  job.state.tag === 'blocked';

/** Everything has been sent, and only the answer of the service is missing. */
export const isWholeSent = ({ state }: JobView): boolean =>
  state.tag === 'uploading' && state.totalBytes > 0 && state.sentBytes >= state.totalBytes;

export const isPausable = (job: JobView): boolean =>
  job.state.tag === 'preparing' || job.state.tag === 'waiting' || (job.state.tag === 'uploading' && !isWholeSent(job));

/** The movable rows in the order of sending. */
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
