import { useQuery } from '@tanstack/react-query';
import {
  ArrowDownUp,
  Check,
  Ellipsis,
  Pause,
  Play,
  RotateCw,
  Send,
  Share,
  Trash2,
  X,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Toolbar } from 'react-aria-components';
import {
  batchProgress,
  bulkStep,
  isChargedAnew,
  isNeverSent,
  isRetried,
} from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobsNow, useQueue, useSettings } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { cx } from '../../lib/class-names.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { command, Menu, type MenuEntry } from '../../ui/menu.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import { RowGrid } from '../../ui/row-grid/row-grid.tsx';
import { transcriptsQuery, useFreshTranscripts } from '../transcripts/transcripts-query.ts';
import { useJobActions } from './job-actions.ts';
import css from './job-list.module.css';
import {
  hasTranscript,
  isCancellable,
  isHidden,
  isMovable,
  isPausable,
  isRemovable,
  jobFilters,
  jobItems,
  jobOrders,
  lineOf,
  sameItems,
  shownJobs,
  withTwins,
  type JobItem,
  type ResultFacts,
} from './job-order.ts';
import { Held, NotRead } from './job-notices.tsx';
import { DraggedRow, JobRow } from './job-row.tsx';
import { useJobList, useJobsState, useListedJobs } from './jobs-context.ts';
import { useRowDrag } from './row-drag.ts';

const rowHeight = 41;
/** The number of rows that what is above the list leaves visible; with less room the whole pane scrolls. */
const keptInView = 4;
const listNames = { transcribe: 'transcribe.queue', isolate: 'isolate.list' } as const;

const titleOf = ({ title }: JobItem) => title;
const drawRow = (item: JobItem) => <JobRow item={item} />;
const idsOf = (jobs: readonly JobView[]): readonly string[] => jobs.map(({ id }) => id);
const isEnded = ({ state: { tag } }: JobView): boolean => tag === 'done' || tag === 'cancelled';
const isFailed = ({ state: { tag } }: JobView): boolean => tag === 'failed';
const isPaused = ({ state: { tag } }: JobView): boolean => tag === 'paused';

/** The credits that each finished isolation was charged, by the id of its job. */
function useChargedCredits(jobs: readonly JobView[]): ReadonlyMap<string, string | null> {
  const studio = useStudio();
  const doneCount = jobs.filter(({ kind, state }) => kind === 'isolate' && state.tag === 'done').length;
  const { data } = useQuery({
    queryKey: ['isolation', 'list', doneCount],
    queryFn: () => valueOrThrow(studio.request('isolation.list', {})),
    enabled: doneCount > 0,
    retry: false,
  });
  return useMemo(() => new Map(data?.audio.map(({ jobId, credits }) => [jobId, credits])), [data]);
}

function useItems(jobs: readonly JobView[]): readonly JobItem[] {
  const filter = useJobsState((state) => state.filter);
  const order = useJobsState((state) => state.order);
  useFreshTranscripts();
  const { data: transcripts } = useQuery(transcriptsQuery(useStudio()));
  const charged = useChargedCredits(jobs);
  const texts = useMemo(() => transcripts && new Map(transcripts.map((text) => [text.id, text])), [transcripts]);
  const current = useMemo(() => withTwins(jobs, texts ?? null), [jobs, texts]);
  const results = useMemo(() => {
    const known = new Map<string, ResultFacts>(texts);
    for (const { id, name: title } of jobs) {
      const credits = charged.get(id);
      if (credits !== undefined) known.set(id, { title, language: null, wordCount: 0, credits });
    }
    return known;
  }, [texts, charged, jobs]);
  const nowMs = useNow(false);
  const shown = useMemo(
    () => jobItems(shownJobs(current, filter, order), results, order === 'queue' ? { nowMs } : null),
    [current, filter, order, results, nowMs],
  );
  const [keepSame] = useState(sameItems);
  return useMemo(() => keepSame(shown), [keepSame, shown]);
}

export function JobList(props: {
  /** Without any rows. */
  readonly empty: ReactNode;
  /** What the list offers beside sorting. */
  readonly children?: ReactNode;
}) {
  const t = useText();
  const { of } = useJobList().store;
  const { jobs, isLoading, failure } = useListedJobs();
  if (failure !== null) return <NotRead failure={failure} />;
  if (jobs.length === 0) return isLoading ? null : props.empty;
  return (
    <PaneErrorBoundary name={t(listNames[of])}>
      <Listed jobs={jobs}>{props.children}</Listed>
    </PaneErrorBoundary>
  );
}

/** Delete ends the selection or else the focused row, Alt with an arrow moves a waiting one. */
function Listed({ jobs, children }: { readonly jobs: readonly JobView[]; readonly children: ReactNode }) {
  const t = useText();
  const actionsOf = useJobActions();
  const { store, deleteRows, moveRow } = useJobList();
  const jobsNow = useJobsNow();
  const items = useItems(jobs);
  const filter = useJobsState((state) => state.filter);
  const selectedIds = useJobsState((state) => state.selectedIds);
  const isInLine = useJobsState(({ order }) => order === 'queue');
  const wanted = useJobsState((state) => state.wanted);
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRowDrag(
    frame,
    () => idsOf(lineOf(jobsNow())),
    (jobId, beforeId) => {
      store.sortBy('queue');
      void store.ask('jobs.move', { jobIds: [jobId], beforeId });
    },
  );
  const selection = useMemo(() => ({ ids: selectedIds, onChange: store.select }), [selectedIds, store]);
  return (
    <>
      <ListHeader jobs={jobs} isAboveHeading={items.length < shortList && items[0]?.heading != null}>
        {children}
      </ListHeader>
      {items.length === 0 ? (
        <p className={css['nothing']}>
          {t('transcribe.batch.nothing')}{' '}
          <Button size="sm" variant="ghost" onPress={() => store.filterBy('all')}>
            {t('transcribe.batch.showAll')}
          </Button>
        </p>
      ) : (
        <div ref={frame} className={css['frame']} data-of={store.of} data-dragging={drag === null ? undefined : ''}>
          <DraggedRow value={drag?.jobId ?? null}>
            <RowGrid
              // Another filter is another list, which begins at its top.
              key={filter}
              label={t(listNames[store.of])}
              className={css['list']}
              style={{ minBlockSize: Math.min(items.length, keptInView) * rowHeight }}
              items={items}
              labelOf={titleOf}
              estimatedRowHeight={rowHeight}
              selection={selection}
              inSightId={wanted?.jobId ?? null}
              // Beside what it opens, a click on another row only marks that.
              {...(store.of === 'isolate' && { onPress: ({ job }: JobItem) => actionsOf(job).open?.() })}
              onOpen={({ job }) => {
                const { open, main } = actionsOf(job);
                if (open) open();
                else if (main?.id === 'open-earlier') main.onAction();
                else store.show({ tag: 'details', jobId: job.id });
              }}
              onMenu={({ job }) => store.show({ tag: 'menu', jobId: job.id })}
              onKey={({ key, altKey }, { job }) => {
                if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
                  if (!isMovable(job)) return true;
                  if (!isInLine) store.sortBy('queue');
                  void moveRow(job, key === 'ArrowUp' ? -1 : 1);
                  return true;
                }
                if (key !== 'Delete') return false;
                const ticked = items.filter(({ id }) => selectedIds.has(id));
                const { remove, cancel } = actionsOf(job);
                if (ticked.length > 0) deleteRows(ticked.map(({ id }) => id));
                else (remove ?? cancel)?.();
                return true;
              }}
            >
              {drawRow}
            </RowGrid>
          </DraggedRow>
          {drag && <div aria-hidden className={css['mark']} style={{ insetBlockStart: drag.markAt }} />}
          {drag && (
            <div aria-hidden className={css['taken']} style={{ insetBlockStart: drag.pointerAt }}>
              {items.find(({ job }) => job.id === drag.jobId)?.title}
            </div>
          )}
        </div>
      )}
    </>
  );
}

const bulkWords = {
  pause: [Pause, 'transcribe.batch.pauseAll'],
  send: [Send, 'transcribe.batch.sendAll'],
  'go-on': [Play, 'transcribe.batch.goOn'],
} as const;

/** With fewer rows, nothing is sorted or chosen often enough for a line of its own. */
const shortList = 5;

interface ListHeaderProps {
  readonly jobs: readonly JobView[];
  readonly isAboveHeading: boolean;
  readonly children: ReactNode;
}

function ListHeader({ jobs, isAboveHeading, children }: ListHeaderProps) {
  const t = useText();
  const formats = useFormats();
  const { store, goOn } = useJobList();
  const filter = useJobsState((state) => state.filter);
  const { isHeld } = useQueue();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const isPressed = useRef(false);
  const holder = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The focus of the button that was pressed goes to the one that takes its place.
    const isLost = isPressed.current && document.activeElement === document.body;
    isPressed.current = false;
    if (isLost) holder.current?.querySelector('button')?.focus();
  }, [isHeld]);
  const hold = (next: boolean) => {
    isPressed.current = true;
    void store.ask('jobs.hold', { isHeld: next });
  };
  const batch = batchProgress(jobs);
  const attention = batch.attentionCount;
  const progress = batch.runningCount + batch.waitingCount;
  const counts = { all: jobs.length, attention, progress, ended: jobs.length - attention - progress };
  const filters = jobFilters.filter((id) => counts[id] > 0 || id === filter);
  // Where all rows are of one stage, there is nothing to choose.
  const hasFilters = filters.length > 2;
  const step = isHeld ? null : bulkStep(jobs, isLocal);
  // What waits for the user in the other list is offered above it.
  const bulk = step?.step !== 'pause' && store.of === 'isolate' ? null : step;
  const [icon, text] = bulkWords[bulk?.step ?? 'pause'];
  const isLone = isAboveHeading && !hasFilters && !bulk && !isHeld && !children;
  return (
    <>
      <div className={css['header']} data-lone={isLone ? '' : undefined}>
        {hasFilters && (
          <fieldset aria-label={t('transcribe.batch.show')} className={css['filters']}>
            {filters.map((id) => (
              <PressButton
                key={id}
                className={cx(css['filter'], filter === id && css['chosen'])}
                isPressed={filter === id}
                onPress={() => store.filterBy(id)}
              >
                {t(`transcribe.batch.filter.${id}`)}{' '}
                <span className={cx(css['count'], id === 'attention' && counts[id] > 0 && css['urgent'])}>
                  {formats.number(counts[id])}
                </span>
              </PressButton>
            ))}
          </fieldset>
        )}
        <div className={css['offers']}>
          {bulk && (
            <span ref={holder}>
              <Button
                size="sm"
                variant="ghost"
                icon={icon}
                label={t(text)}
                onPress={() => (bulk.step === 'pause' ? hold(true) : void goOn(bulk.jobIds))}
              >
                <span className="wide">{t(text)}</span>
              </Button>
            </span>
          )}
          {children}
          <ListMenu jobs={jobs} />
        </div>
      </div>
      <Held jobs={jobs} ref={holder} onResume={() => hold(false)} />
    </>
  );
}

function ListMenu({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const { store, removeRows, cancelRows } = useJobList();
  const filter = useJobsState((state) => state.filter);
  const order = useJobsState((state) => state.order);
  const [failed, open, ended] = [jobs.filter(isFailed), jobs.filter(isCancellable), jobs.filter(isEnded)];
  const selectAll = () => store.select(new Set(idsOf(shownJobs(jobs, filter, order))));
  const retryFailed = () => void store.actOn(idsOf(failed), 'retry');
  const entries: readonly MenuEntry[] = [
    command('select-all', Check, t('transcribe.selection.all'), selectAll),
    {
      id: 'sort',
      text: t('transcribe.batch.sort'),
      icon: ArrowDownUp,
      chosenId: order,
      entries: jobOrders.map((id) => ({
        id,
        text: t(`transcribe.batch.order.${id}`),
        onAction: () => store.sortBy(id),
      })),
    },
    command('retry-failed', RotateCw, t('transcribe.batch.retryFailed'), retryFailed, {
      isDisabled: failed.length === 0,
    }),
    command('remove-ended', Trash2, t('transcribe.batch.removeEnded'), () => removeRows(idsOf(ended)), {
      isDisabled: ended.length === 0,
    }),
    command('cancel-all', X, t('transcribe.batch.cancelAll'), () => cancelRows(idsOf(open)), {
      isDanger: true,
      isDisabled: open.length === 0,
    }),
  ];
  return (
    <Menu
      label={t('transcribe.batch.more')}
      entries={entries}
      trigger={<IconButton size="sm" icon={Ellipsis} label={t('transcribe.batch.more')} />}
    />
  );
}

/** Placed below the list, so that rows stay under the pointer and none is covered. `children`: what else it offers. */
export function JobSelection(props: { readonly children?: (selected: readonly JobView[]) => ReactNode }) {
  const t = useText();
  const { jobs } = useListedJobs();
  const { store, goOn, removeRows, cancelRows } = useJobList();
  const selectedIds = useJobsState((state) => state.selectedIds);
  const selected = jobs.filter(({ id }) => selectedIds.has(id));
  const { isHeld } = useQueue();
  const { isFree, origin } = modeOf(useSettings().mode);
  const isUnsent = (job: JobView) => isNeverSent(job) && origin !== 'local';
  if (selected.length === 0) return null;
  const forRows = (
    fits: (job: JobView) => boolean,
    icon: LucideIcon,
    textOf: string | ((rows: readonly JobView[]) => string),
    act: (ids: readonly string[]) => void,
  ) => {
    const rows = selected.filter(fits);
    return (
      rows.length > 0 && (
        <Button size="sm" icon={icon} onPress={() => act(idsOf(rows))}>
          {typeof textOf === 'string' ? textOf : textOf(rows)}
        </Button>
      )
    );
  };
  const retryText = (rows: readonly JobView[]) =>
    !isFree && rows.some(isChargedAnew)
      ? t('isolate.selection.retryCharged', { count: rows.length })
      : t('common.retry');
  return (
    <Toolbar className={css['selection'] ?? ''} aria-label={t('transcribe.selection.label')}>
      <output className={css['selected']}>{t('transcribe.selection.count', { count: selected.length })}</output>
      <div className="flow gap-6 ending fill">
        {!isHeld && forRows(isPausable, Pause, t('transcribe.actions.pause'), (ids) => void store.actOn(ids, 'pause'))}
        {forRows(isUnsent, Send, t('transcribe.actions.send'), (ids) => void goOn(ids))}
        {!isHeld &&
          forRows(
            (job) => isPaused(job) && !isUnsent(job),
            Play,
            t('transcribe.actions.resume'),
            (ids) => void goOn(ids),
          )}
        {store.of === 'isolate'
          ? forRows(
              isRetried,
              RotateCw,
              retryText,
              (jobIds) => void store.ask('isolation.retry', { jobIds: [...jobIds] }),
            )
          : forRows(isFailed, RotateCw, t('common.retry'), (ids) => void store.actOn(ids, 'retry'))}
        {forRows(isCancellable, X, t('transcribe.actions.cancel'), cancelRows)}
        {props.children?.(selected)}
        {forRows(hasTranscript, Share, t('transcribe.selection.export'), (jobIds) => {
          store.show({ tag: 'export', jobIds });
        })}
        {forRows(
          isRemovable,
          Trash2,
          (rows) => t(rows.every(isHidden) ? 'isolate.actions.hide' : 'common.remove'),
          removeRows,
        )}
      </div>
      <IconButton
        size="sm"
        icon={X}
        className="rigid"
        label={t('transcribe.selection.clear')}
        onPress={() => store.select(new Set())}
      />
    </Toolbar>
  );
}
