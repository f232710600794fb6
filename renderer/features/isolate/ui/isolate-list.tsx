import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { sortRows } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import { useIsolate, useIsolateState } from '../isolate-context.ts';
import type { IsolateOrder } from '../model/isolate-store.ts';
import { BatchBar, stageOf, stages, type Stage } from './batch-bar.tsx';
import { HiddenRows } from './hidden-rows.tsx';
import css from './isolate-list.module.css';
import { useRoundedCredits } from './use-cost-words.ts';
import { isAsking, isEnded, useCancelRow, useHideRows, useRowActions } from './use-row-actions.ts';
import { useRowLook } from './use-row-look.ts';

const rowHeight = 41;

interface Row {
  readonly id: string;
  readonly job: JobView;
}

interface ListFacts {
  readonly shownAudioId: string | null;
  readonly creditsOf: (job: JobView) => Credits | null;
  readonly onOpen: (audioId: string) => void;
}

/** Passed by context, so that the grid's render function keeps its identity. */
const ListContext = createContext<ListFacts>({ shownAudioId: null, creditsOf: () => null, onOpen: () => undefined });

/** From this many rows on, the list shows counts and filters. */
export const fewest = 4;

const placeOf = (job: JobView): number => {
  const stage = stageOf(job);
  return stage === 'cancelled' ? stages.length : stage === 'leftOut' ? 0 : stages.indexOf(stage);
};

/** Rows that need the user or were left out come first, then running ones, then finished ones with the newest first. */
export const sortIsolations = (jobs: readonly JobView[], order: IsolateOrder = 'state'): readonly JobView[] => {
  const sorted = jobs.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      (stageOf(one) === 'running' ? one.rank - other.rank : other.addedAtMs - one.addedAtMs || other.rank - one.rank),
  );
  return order === 'state' ? sorted : sortRows(sorted, order);
};

const nameOf = ({ job }: Row) => job.name;
const drawRow = ({ job }: Row) => <IsolationRow job={job} />;

/**
 * The list of results. Arrow keys move between rows, Space and Shift select, Enter opens the comparison or the menu,
 * Delete hides or cancels, Shift+F10 or a right click opens the menu.
 */
export function IsolateList({
  jobs,
  shownAudioId,
  onOpen,
}: {
  readonly jobs: readonly JobView[];
  readonly shownAudioId: string | null;
  readonly onOpen: (audioId: string) => void;
}) {
  const t = useText();
  const store = useIsolate();
  const jobsNow = useJobsNow();
  const openRow = useCallback(
    (audioId: string) => {
      const opened = jobsNow().find(({ state }) => state.tag === 'done' && state.audioId === audioId);
      store.goTo(opened === undefined ? null : { jobId: opened.id, opens: false });
      onOpen(audioId);
    },
    [jobsNow, store, onOpen],
  );
  const actionsOf = useRowActions(openRow);
  const hide = useHideRows();
  const { mode } = useSettings();
  const creditsOf = useCredits(jobs.filter(({ state }) => state.tag === 'done').length);
  const [stage, setStage] = useState<Stage | 'all'>('all');
  const isBatch = jobs.length >= fewest;
  const order = useIsolateState((state) => state.order);
  const selectedIds = useIsolateState((state) => state.selectedIds);
  const selection = useMemo(() => ({ ids: selectedIds, onChange: store.select }), [selectedIds, store]);
  const items = useMemo(
    () =>
      sortIsolations(jobs, order)
        .filter((job) => !isBatch || stage === 'all' || stageOf(job) === stage)
        .map((job): Row => ({ id: job.id, job })),
    [jobs, isBatch, stage, order],
  );
  const wanted = useIsolateState((state) => state.wanted);
  const wantedState = jobs.find(({ id }) => id === wanted?.jobId)?.state;
  const wantedAudioId = wanted?.opens === true && wantedState?.tag === 'done' ? wantedState.audioId : undefined;
  const openWanted = useEffectEvent(openRow);
  useEffect(() => {
    if (wantedAudioId !== undefined) openWanted(wantedAudioId);
  }, [wantedAudioId]);
  const facts = useMemo(() => ({ shownAudioId, creditsOf, onOpen: openRow }), [shownAudioId, creditsOf, openRow]);
  return (
    // Practice mode charges nothing, so it has no column for it.
    <section className={css['list']} data-free={modeOf(mode).isFree || undefined} aria-label={t('isolate.list')}>
      {(isBatch || selectedIds.size > 0) && <BatchBar jobs={jobs} shown={stage} onShown={setStage} />}
      <div aria-hidden className={cx(css['cells'], css['head'])}>
        <span className={css['name']}>{t('isolate.recent')}</span>
        <span className={css['length']}>{t('isolate.length')}</span>
        <span>{t('isolate.state')}</span>
        <span className={css['credits']}>{t('isolate.credits')}</span>
        <span />
      </div>
      <ListContext value={facts}>
        {items.length === 0 && <p className={css['none']}>{t('isolate.batch.none')}</p>}
        <RowGrid
          // Another filter is another list, which begins at its top.
          key={stage}
          label={t('isolate.list')}
          className={css['grid']}
          items={items}
          labelOf={nameOf}
          estimatedRowHeight={rowHeight}
          selection={selection}
          inSightId={wanted?.jobId ?? null}
          onOpen={({ job }) => {
            const { open } = actionsOf(job);
            if (open === null) store.showMenu(job.id);
            else open();
          }}
          // The action of a row may cost something, so clicking a row only opens its comparison.
          onPress={({ job }) => {
            actionsOf(job).open?.();
          }}
          onMenu={({ job }) => {
            store.showMenu(job.id);
          }}
          onKey={({ key }, { job }) => {
            if (key !== 'Delete') return false;
            const selected = jobs.filter(({ id }) => selectedIds.has(id));
            if (selected.length > 1 && selectedIds.has(job.id) && selected.every(isEnded)) void hide(selected);
            else actionsOf(job).end();
            return true;
          }}
        >
          {drawRow}
        </RowGrid>
      </ListContext>
      <HiddenRows listed={jobs.length} />
      <CancelQuestion />
    </section>
  );
}

/** What a row cost, or its estimate: as a number for a column, and in words. */
interface Credits {
  readonly figure: string;
  readonly text: string;
}

function useCredits(doneCount: number): (job: JobView) => Credits | null {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const roundedOf = useRoundedCredits();
  const { mode } = useSettings();
  const { data } = useQuery({
    queryKey: ['isolation', 'list', doneCount],
    queryFn: () => valueOrThrow(studio.request('isolation.list', {})),
    retry: false,
  });
  return useMemo(() => {
    const costs = new Map(data?.audio.map(({ jobId, credits }) => [jobId, credits]));
    return (job) => {
      // Practice mode charges nothing, whatever its service reports.
      if (modeOf(mode).isFree) return null;
      const credits = costs.get(job.id) ?? null;
      if (credits !== null) {
        const amount = formats.credits(credits);
        return { figure: amount, text: t('isolate.credit', { count: Number(credits), amount }) };
      }
      if (isEnded(job) || isAsking(job)) return null;
      const count = roundedOf([job]);
      if (count === null) return null;
      const figure = t('isolate.about', { count, amount: formats.number(count) });
      return { figure, text: figure };
    };
  }, [data, formats, mode, roundedOf, t]);
}

function IsolationRow({ job }: { readonly job: JobView }) {
  const formats = useFormats();
  const { shownAudioId, creditsOf } = useContext(ListContext);
  const isRunning = !isEnded(job) && job.state.tag !== 'waiting';
  const look = useRowLook()(job, useNow(isRunning));
  const credits = creditsOf(job);
  const isShown = job.state.tag === 'done' && job.state.audioId === shownAudioId;
  return (
    <div className={cx(css['cells'], isShown && css['shown'])} aria-current={isShown ? 'true' : undefined}>
      <span className={css['name']} title={job.name}>
        <StatusIcon size="sm" icon={look.icon} tone={look.tone} />
        <span className={css['title']}>{job.name}</span>
      </span>
      <span className={css['length']}>
        {job.durationMs === null ? '' : formats.clock(job.durationMs)}
        {/* A narrow window has no room for a column of credits. */}
        {credits !== null && <span className={css['price']}>{credits.text}</span>}
      </span>
      <span className={cx(css['state'], look.progress !== null && css['running'])}>
        {look.progress && (
          <ProgressBar className={css['bar']} label={`${job.name}: ${look.status}`} progress={look.progress} />
        )}
        <span data-tone={look.tone} className={css['status']}>
          {look.status}
        </span>
        {look.note !== null && (
          <span className={css['note']} title={look.note}>
            {look.note}
          </span>
        )}
        {(look.explanation === null || look.explanation === '') && <MainAction job={job} />}
      </span>
      <span className={css['credits']}>{credits?.figure}</span>
      <Actions job={job} />
      {look.explanation !== null && look.explanation !== '' && (
        <div className={css['below']}>
          <p className={css['explanation']}>{look.explanation}</p>
          <MainAction job={job} />
        </div>
      )}
    </div>
  );
}

/** Beside the explanation, or beside the state where there is none. */
function MainAction({ job }: { readonly job: JobView }): ReactNode {
  const { onOpen } = useContext(ListContext);
  const { main } = useRowActions(onOpen)(job);
  return (
    main && (
      <Button className={css['main']} size="sm" {...(main.icon ? { icon: main.icon } : {})} onPress={main.onAction}>
        {main.text}
      </Button>
    )
  );
}

function Actions({ job }: { readonly job: JobView }): ReactNode {
  const t = useText();
  const store = useIsolate();
  const { onOpen } = useContext(ListContext);
  const { entries } = useRowActions(onOpen)(job);
  const isMenuOpen = useIsolateState(({ menuOf }) => menuOf === job.id);
  return (
    <span className={css['actions']}>
      <Menu
        label={t('isolate.actions.more', { name: job.name })}
        entries={entries}
        isOpen={isMenuOpen}
        onOpenChange={(isOpen) => {
          store.showMenu(isOpen ? job.id : null);
        }}
        trigger={<IconButton size="sm" icon={Ellipsis} label={t('isolate.actions.more', { name: job.name })} />}
      />
    </span>
  );
}

function CancelQuestion() {
  const t = useText();
  const { mode } = useSettings();
  const store = useIsolate();
  const cancelRow = useCancelRow();
  const jobId = useIsolateState(({ cancelling }) => cancelling);
  if (jobId === null) return null;
  return (
    <Question
      isOpen
      isDanger
      title={t('isolate.question.title')}
      confirm={t('isolate.question.confirm')}
      cancel={t('isolate.question.keep')}
      onConfirm={() => {
        cancelRow(jobId);
      }}
      onClose={() => {
        store.askCancel(null);
      }}
    >
      {t(modeOf(mode).origin === 'local' ? 'isolate.here.question' : 'isolate.question.text')}
    </Question>
  );
}
