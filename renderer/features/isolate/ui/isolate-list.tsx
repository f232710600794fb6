import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Ellipsis,
  Eye,
  ArrowDownUp,
  CircleAlert,
  Download,
  EyeOff,
  Pause,
  Play,
  RotateCw,
  X,
  type LucideIcon,
} from 'lucide-react';
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
import { Toolbar } from 'react-aria-components';
import {
  sortRows,
  isChargedAnew,
  isLeftOut,
  isRetried,
  isUnsent,
} from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Question, Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import type { ResultFile } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate, useIsolateState } from '../isolate-context.ts';
import { isolateOrders, type IsolateOrder } from '../model/isolate-store.ts';
import { repeatOf } from '../model/repeats.ts';
import css from './isolate-list.module.css';
import { useRoundedCredits } from './use-cost-words.ts';
import {
  isAsking,
  isEnded,
  useCancelRow,
  useHideRows,
  useRowActions,
  useRowPresentation,
  isPausable,
  savedFormats,
  isExcerptOnly,
} from './use-rows.ts';

const rowHeight = 41;

interface Row {
  readonly id: string;
  readonly job: JobView;
}

/** Passed by context, so that the grid's render function keeps its identity. */
const ListContext = createContext({
  shownAudioId: null as string | null,
  creditsOf: (_job: JobView): Credits | null => null,
  onOpen: (_audioId: string): void => undefined,
});

export const fewest = 4;

const placeOf = (job: JobView): number => {
  const stage = stageOf(job);
  return stage === 'cancelled' ? stages.length : stage === 'leftOut' ? 0 : stages.indexOf(stage);
};

const sortIsolations = (jobs: readonly JobView[], order: IsolateOrder = 'state'): readonly JobView[] => {
  const sorted = jobs.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      (stageOf(one) === 'running' ? one.rank - other.rank : other.addedAtMs - one.addedAtMs || other.rank - one.rank),
  );
  return order === 'state' ? sorted : sortRows(sorted, order);
};

const nameOf = ({ job }: Row) => job.name;
const drawRow = ({ job }: Row) => <IsolationRow job={job} />;

/** Space and Shift select, Enter opens the comparison or the menu, Delete hides or cancels. */
export function IsolateList(props: {
  readonly jobs: readonly JobView[];
  readonly shownAudioId: string | null;
  readonly onOpen: (audioId: string) => void;
}) {
  const { jobs, shownAudioId, onOpen } = props;
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
          onPress={({ job }) => actionsOf(job).open?.()}
          onMenu={({ job }) => store.showMenu(job.id)}
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

interface Credits {
  readonly figure: string;
  readonly text: string;
}

/** The credits that each finished job was charged, by its id. */
export function useCharged(doneCount: number) {
  const studio = useStudio();
  const { data } = useQuery({
    queryKey: ['isolation', 'list', doneCount],
    queryFn: () => valueOrThrow(studio.request('isolation.list', {})),
    retry: false,
  });
  return useMemo(() => new Map(data?.audio.map(({ jobId, credits }) => [jobId, credits])), [data]);
}

function useCredits(doneCount: number): (job: JobView) => Credits | null {
  const t = useText();
  const formats = useFormats();
  const roundedOf = useRoundedCredits();
  const { mode } = useSettings();
  const charged = useCharged(doneCount);
  return useMemo(
    () => (job) => {
      // Practice mode charges nothing, whatever its service reports.
      if (modeOf(mode).isFree) return null;
      const credits = charged.get(job.id) ?? null;
      if (credits !== null) {
        const amount = formats.credits(credits);
        return { figure: amount, text: t('isolate.credit', { count: Number(credits), amount }) };
      }
      if (isEnded(job) || isAsking(job)) return null;
      const count = roundedOf([job]);
      if (count === null) return null;
      const figure = t('isolate.about', { count, amount: formats.number(count) });
      return { figure, text: figure };
    },
    [charged, formats, mode, roundedOf, t],
  );
}

function IsolationRow({ job }: { readonly job: JobView }) {
  const formats = useFormats();
  const { shownAudioId, creditsOf } = useContext(ListContext);
  const isRunning = !isEnded(job) && job.state.tag !== 'waiting';
  const look = useRowPresentation()(job, useNow(isRunning));
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
        onOpenChange={(isOpen) => store.showMenu(isOpen ? job.id : null)}
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
      onConfirm={() => void cancelRow(jobId)}
      onClose={() => store.askCancel(null)}
    >
      {t(modeOf(mode).origin === 'local' ? 'isolate.here.question' : 'isolate.question.text')}
    </Question>
  );
}

/** Hiding also hides results at the service; their audio stays on this computer. */
function HiddenRows({ listed }: { readonly listed: number }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const store = useIsolate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const justHidden = useIsolateState(({ hidden }) => hidden.length);
  const queryKey = ['isolation', 'hidden'];
  const { data } = useQuery({
    // Refetch whenever the list changes, because that hides and shows rows.
    queryKey: [...queryKey, listed, justHidden],
    queryFn: () => valueOrThrow(studio.request('isolation.hidden', {})),
    retry: false,
    placeholderData: (before) => before,
  });
  const rows = data?.jobs ?? [];
  if (rows.length === 0 && !isOpen) return null;
  const show = async (jobId: string) => {
    await store.unhide([jobId]);
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <div className={css['hidden']}>
      <Button size="sm" variant="ghost" icon={Eye} onPress={() => setOpen(true)}>
        {t('isolate.hiddenRows.open', { count: rows.length })}
      </Button>
      <Dialog
        title={t('isolate.hiddenRows.title')}
        closeLabel={t('common.close')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p className={css['explanation']}>{t('isolate.hiddenRows.text')}</p>
        {rows.length === 0 && <p>{t('isolate.hiddenRows.none')}</p>}
        <ul className={css['hiddenRows']}>
          {rows.map(({ jobId, name, durationMs }) => (
            <li key={jobId}>
              <span className={css['title']} title={name}>
                {name}
              </span>
              <span className={css['length']}>{durationMs === null ? '' : formats.clock(durationMs)}</span>
              <Button size="sm" label={t('isolate.hiddenRows.showName', { name })} onPress={() => void show(jobId)}>
                {t('isolate.hiddenRows.show')}
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}

const stages = ['needsYou', 'running', 'ended'] as const;
type Stage = (typeof stages)[number];

/** Rows that were left out or cancelled are neither done nor under way, so only the whole list has them. */
export const stageOf = (job: JobView): Stage | 'leftOut' | 'cancelled' => {
  const { tag } = job.state;
  // It waits for the other row of the same recording, and asks only when that has ended.
  if (repeatOf(job) === 'same_in_queue') return 'running';
  if (isLeftOut(job)) return 'leftOut';
  if (tag === 'failed' || tag === 'needs-user' || tag === 'blocked') return 'needsYou';
  if (tag === 'cancelled') return 'cancelled';
  return isEnded(job) ? 'ended' : 'running';
};

function BatchBar(props: {
  readonly jobs: readonly JobView[];
  readonly shown: Stage | 'all';
  readonly onShown: (stage: Stage | 'all') => void;
}) {
  const { jobs, shown, onShown } = props;
  const t = useText();
  const words = useFailureText();
  // Saved among whole recordings, an excerpt would look like one of them. Selected, it is saved too.
  const ready = readyOf(jobs.filter((job) => !isExcerptOnly(job)));
  const { saving, failures, save, hideFailures } = useSaveAll();
  const selectedIds = useIsolateState((state) => state.selectedIds);
  const store = useIsolate();
  const order = useIsolateState((state) => state.order);
  const orderText = (id: IsolateOrder) =>
    id === 'state' ? t('isolate.batch.byState') : t(`transcribe.batch.order.${id}`);
  const hasExcerpts = jobs.some(isExcerptOnly);
  const pausable = jobs.filter(isPausable).map(({ id }) => id);
  const selected = jobs.filter(({ id }) => selectedIds.has(id));
  const saveButton = (audioIds: string[], text: string) => (
    <Menu
      label={text}
      entries={savedFormats.map((format) => ({
        id: format,
        text: format.toUpperCase(),
        onAction: () => void save(audioIds, format),
      }))}
      trigger={
        <Button size="sm" icon={Download} isLoading={saving !== null}>
          {saving === null ? text : t('isolate.batch.saving', { number: saving.index + 1, count: saving.count })}
        </Button>
      }
    />
  );
  return (
    <>
      {selected.length > 0 && (
        <Selected jobs={selected}>
          {(audioIds) => saveButton(audioIds, t('isolate.batch.saveAll', { count: audioIds.length }))}
        </Selected>
      )}
      <div className={css['batch']} hidden={selected.length > 0}>
        <Segmented
          size="sm"
          label={t('isolate.batch.show')}
          options={[
            { value: 'all' as const, text: t('isolate.batch.all', { count: jobs.length }) },
            ...stages.map((stage) => ({
              value: stage,
              text: t(`isolate.batch.${stage}`, { count: jobs.filter((job) => stageOf(job) === stage).length }),
            })),
          ]}
          value={shown}
          onChange={onShown}
        />
        <div className={css['chosen']}>
          {pausable.length > 1 && (
            <Button size="sm" variant="ghost" icon={Pause} onPress={() => void store.actOn(pausable, 'pause')}>
              {t('isolate.batch.pauseAll', { count: pausable.length })}
            </Button>
          )}
          <Menu
            label={t('transcribe.batch.sort')}
            chosenId={order}
            entries={isolateOrders.map((id) => ({ id, text: orderText(id), onAction: () => store.sortBy(id) }))}
            trigger={
              <Button
                size="sm"
                variant="ghost"
                icon={ArrowDownUp}
                label={`${t('transcribe.batch.sort')}: ${orderText(order)}`}
              >
                <span className={css['wide']}>{orderText(order)}</span>
              </Button>
            }
          />
          {ready.length > 1 &&
            saveButton(ready, t(`isolate.batch.save${hasExcerpts ? 'Whole' : 'All'}`, { count: ready.length }))}
        </div>
      </div>
      {failures.length > 0 && (
        <div className={css['failures']}>
          <Banner
            role="alert"
            tone="warn"
            icon={CircleAlert}
            title={t('isolate.batch.notSaved', { count: failures.length })}
            onDismiss={hideFailures}
            dismissLabel={t('common.dismiss')}
          >
            {failures.map(({ name, failure }) => `${name}: ${words(failure).title}`).join('; ')}
          </Banner>
        </div>
      )}
    </>
  );
}

const readyOf = (jobs: readonly JobView[]): string[] =>
  jobs.flatMap(({ state }) => (state.tag === 'done' && state.audioId !== undefined ? state.audioId : []));

function Selected(props: { readonly jobs: readonly JobView[]; readonly children: (audioIds: string[]) => ReactNode }) {
  const { jobs, children } = props;
  const t = useText();
  const store = useIsolate();
  const hide = useHideRows();
  const { isFree } = modeOf(useSettings().mode);
  const audioIds = readyOf(jobs);
  const failed = jobs.filter(isRetried);
  const paused = jobs.filter(({ state }) => state.tag === 'paused');
  const retryText = !isFree && failed.some(isChargedAnew) ? 'isolate.selection.retryCharged' : 'isolate.actions.retry';
  const forRows = (rows: readonly JobView[], icon: LucideIcon, text: string, act: (ids: readonly string[]) => void) =>
    rows.length > 0 && (
      <Button size="sm" icon={icon} onPress={() => act(rows.map(({ id }) => id))}>
        {text}
      </Button>
    );
  return (
    <Toolbar className={css['batch'] ?? ''} aria-label={t('isolate.selection.label')}>
      <output className={css['count']}>{t('isolate.selection.count', { count: jobs.length })}</output>
      <div className={css['chosen']}>
        {audioIds.length > 0 && children(audioIds)}
        {forRows(paused, Play, t('isolate.actions.resume'), (ids) => void store.actOn(ids, 'go-on'))}
        {forRows(jobs.filter(isPausable), Pause, t('isolate.actions.pause'), (ids) => void store.actOn(ids, 'pause'))}
        {forRows(failed, RotateCw, t(retryText, { count: failed.length }), (ids) => void store.retryAll(ids))}
        {forRows(jobs.filter(isUnsent), X, t('isolate.actions.cancel'), (ids) => void store.actOn(ids, 'cancel'))}
        {forRows(jobs.filter(isEnded), EyeOff, t('isolate.actions.hide'), () => void hide(jobs.filter(isEnded)))}
        <IconButton size="sm" icon={X} label={t('isolate.selection.clear')} onPress={() => store.select(new Set())} />
      </div>
    </Toolbar>
  );
}

function useSaveAll() {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const tellFailure = (failure: Failure) => showToast({ icon: CircleAlert, text: words(failure).text });
  const [saving, setSaving] = useState<{ readonly index: number; readonly count: number } | null>(null);
  const [failures, setFailures] = useState<readonly { readonly name: string; readonly failure: Failure }[]>([]);
  const save = async (audioIds: string[], format: ResultFile['format']) => {
    setFailures([]);
    const opened = await studio.open('isolation.saveAll', { audioIds, format });
    if (!opened.ok) {
      tellFailure(opened.error);
      return;
    }
    for await (const answer of opened.value.incoming) {
      if (answer.kind === 'saving') {
        setSaving(answer);
        continue;
      }
      const { savedCount, revealToken } = answer;
      setFailures(answer.failures);
      const action = { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) };
      if (savedCount > 0) showToast({ icon: Download, text: t('isolate.batch.saved', { count: savedCount }), action });
    }
    const ended = await opened.value.ended;
    setSaving(null);
    if (!ended.ok) tellFailure(ended.error);
  };
  return { saving, failures, save, hideFailures: () => setFailures([]) };
}
