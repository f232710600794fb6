import { ArrowDownUp, CircleAlert, Download, EyeOff, Pause, Play, RotateCw, X } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useState, type ReactNode } from 'react';
import { Toolbar } from 'react-aria-components';
import { isChargedAnew, isLeftOut, isRetried, isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { ResultFile } from '../../../bridge/types.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate, useIsolateState } from '../isolate-context.ts';
import { isolateOrders, type IsolateOrder } from '../model/isolate-store.ts';
import { repeatOf } from '../model/repeats.ts';
import css from './isolate-list.module.css';
import { isEnded, isPausable, savedFormats, useHideRows } from './use-row-actions.ts';
import { isExcerptOnly } from './use-row-look.ts';

export const stages = ['needsYou', 'running', 'ended'] as const;
export type Stage = (typeof stages)[number];
/** Rows that were left out or cancelled are neither done nor under way, so only the whole list has them. */
type StageOfJob = Stage | 'leftOut' | 'cancelled';

export const stageOf = (job: JobView): StageOfJob => {
  const { tag } = job.state;
  // It waits for the other row of the same recording, and asks only when that has ended.
  if (repeatOf(job) === 'same_in_queue') return 'running';
  if (isLeftOut(job)) return 'leftOut';
  if (tag === 'failed' || tag === 'needs-user' || tag === 'blocked') return 'needsYou';
  if (tag === 'cancelled') return 'cancelled';
  return isEnded(job) ? 'ended' : 'running';
};

interface Saving {
  readonly index: number;
  readonly count: number;
}

/** Shown for many recordings: the counts work as filters, and everything that is ready can be saved at once. */
export function BatchBar({
  jobs,
  shown,
  onShown,
}: {
  readonly jobs: readonly JobView[];
  readonly shown: Stage | 'all';
  readonly onShown: (stage: Stage | 'all') => void;
}) {
  const t = useText();
  const words = useFailureWords();
  // Saved among whole recordings, an excerpt would look like one of them. Selected, it is saved too.
  const ready = readyOf(jobs.filter((job) => !isExcerptOnly(job)));
  const { saving, failures, save, hideFailures } = useSaveAll();
  const selectedIds = useIsolateState((state) => state.selectedIds);
  const store = useIsolate();
  const order = useIsolateState((state) => state.order);
  const orderText = (id: IsolateOrder) =>
    id === 'state' ? t('isolate.batch.byState') : t(`transcribe.batch.order.${id}`);
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
            <Button size="sm" variant="ghost" icon={Pause} onPress={() => void store.actOnAll(pausable, 'pause')}>
              {t('isolate.batch.pauseAll', { count: pausable.length })}
            </Button>
          )}
          <Menu
            label={t('transcribe.batch.sort')}
            chosenId={order}
            entries={isolateOrders.map((id) => ({
              id,
              text: orderText(id),
              onAction: () => {
                store.sortBy(id);
              },
            }))}
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
            saveButton(
              ready,
              t(jobs.some(isExcerptOnly) ? 'isolate.batch.saveWhole' : 'isolate.batch.saveAll', {
                count: ready.length,
              }),
            )}
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

/** Actions for the selected rows. Each action skips the rows it does not apply to. */
function Selected({
  jobs,
  children,
}: {
  readonly jobs: readonly JobView[];
  readonly children: (audioIds: string[]) => ReactNode;
}) {
  const t = useText();
  const store = useIsolate();
  const hide = useHideRows();
  const ids = (fits: (job: JobView) => boolean) => jobs.filter(fits).map(({ id }) => id);
  const paused = ids(({ state }) => state.tag === 'paused');
  const pausable = ids(isPausable);
  const failed = jobs.filter(isRetried);
  const isCharged = !modeOf(useSettings().mode).isFree && failed.some(isChargedAnew);
  const unsent = ids(isUnsent);
  const ended = jobs.filter(isEnded);
  const audioIds = readyOf(jobs);
  return (
    <Toolbar className={css['batch'] ?? ''} aria-label={t('isolate.selection.label')}>
      <output className={css['count']}>{t('isolate.selection.count', { count: jobs.length })}</output>
      <div className={css['chosen']}>
        {audioIds.length > 0 && children(audioIds)}
        {paused.length > 0 && (
          <Button size="sm" icon={Play} onPress={() => void store.actOnAll(paused, 'go-on')}>
            {t('isolate.actions.resume')}
          </Button>
        )}
        {pausable.length > 0 && (
          <Button size="sm" icon={Pause} onPress={() => void store.actOnAll(pausable, 'pause')}>
            {t('isolate.actions.pause')}
          </Button>
        )}
        {failed.length > 0 && (
          <Button size="sm" icon={RotateCw} onPress={() => void store.retryAll(failed.map(({ id }) => id))}>
            {t(isCharged ? 'isolate.selection.retryCharged' : 'isolate.actions.retry', { count: failed.length })}
          </Button>
        )}
        {unsent.length > 0 && (
          <Button size="sm" icon={X} onPress={() => void store.actOnAll(unsent, 'cancel')}>
            {t('isolate.actions.cancel')}
          </Button>
        )}
        {ended.length > 0 && (
          <Button size="sm" icon={EyeOff} onPress={() => void hide(ended)}>
            {t('isolate.actions.hide')}
          </Button>
        )}
        <IconButton
          size="sm"
          icon={X}
          label={t('isolate.selection.clear')}
          onPress={() => {
            store.select(new Set());
          }}
        />
      </div>
    </Toolbar>
  );
}

function useSaveAll() {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<Saving | null>(null);
  const [failures, setFailures] = useState<readonly { readonly name: string; readonly failure: Failure }[]>([]);
  const save = async (audioIds: string[], format: ResultFile['format']) => {
    setFailures([]);
    const opened = await studio.open('isolation.saveAll', { audioIds, format });
    if (!opened.ok) {
      showToast({ icon: CircleAlert, text: words(opened.error).text });
      return;
    }
    for await (const answer of opened.value.incoming) {
      if (answer.kind === 'saving') {
        setSaving(answer);
        continue;
      }
      const { savedCount, revealToken } = answer;
      setFailures(answer.failures);
      if (savedCount > 0)
        showToast({
          icon: Download,
          text: t('isolate.batch.saved', { count: savedCount }),
          action: { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) },
        });
    }
    const ended = await opened.value.ended;
    setSaving(null);
    if (!ended.ok) showToast({ icon: CircleAlert, text: words(ended.error).text });
  };
  return {
    saving,
    failures,
    save,
    hideFailures: () => {
      setFailures([]);
    },
  };
}
