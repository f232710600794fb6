import { ArrowDownUp, Pause, Play, Check, Ellipsis, RotateCw, Trash2, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { batchProgress } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useQueue, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { countByFilter, queueFilters, queueOrders, shownJobs, isCancellable } from '../model/queue-order.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import css from './batch-header.module.css';
import { command } from './job-rows.ts';

const isEnded = ({ state: { tag } }: JobView): boolean => tag === 'done' || tag === 'cancelled';
const isFailed = ({ state: { tag } }: JobView): boolean => tag === 'failed';
const idsOf = (jobs: readonly JobView[]): readonly string[] => jobs.map(({ id }) => id);

export function BatchHeader({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const { store } = useTranscribe();
  const filter = useTranscribeState((state) => state.filter);
  const order = useTranscribeState((state) => state.order);
  const { isHeld } = useQueue();
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
    void store.hold(next);
  };
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const batch = batchProgress(jobs);
  const counts = countByFilter(jobs);
  const canHold = batch.runningCount + batch.waitingCount > batch.atServiceCount;
  return (
    <>
      <div className={css['header']}>
        <fieldset aria-label={t('transcribe.batch.show')} className={css['filters']}>
          {queueFilters.map((id) => (
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
        <div className={css['actions']}>
          {canHold && !isHeld && (
            <span ref={holder}>
              <Button
                size="sm"
                variant="ghost"
                icon={Pause}
                label={t('transcribe.batch.pauseAll')}
                onPress={() => hold(true)}
              >
                <span className={css['wide']}>{t('transcribe.batch.pauseAll')}</span>
              </Button>
            </span>
          )}
          <Menu
            label={t('transcribe.batch.sort')}
            chosenId={order}
            entries={queueOrders.map((id) => ({
              id,
              text: t(`transcribe.batch.order.${id}`),
              onAction: () => store.sortBy(id),
            }))}
            trigger={
              <Button
                size="sm"
                variant="ghost"
                icon={ArrowDownUp}
                label={`${t('transcribe.batch.sort')}: ${t(`transcribe.batch.order.${order}`)}`}
              >
                <span className={css['wide']}>{t(`transcribe.batch.order.${order}`)}</span>
              </Button>
            }
          />
          <QueueMenu jobs={jobs} />
        </div>
      </div>
      {isHeld && (
        <Banner
          icon={Pause}
          title={t('transcribe.batch.held')}
          actions={
            <span ref={holder}>
              <Button size="sm" icon={Play} onPress={() => hold(false)}>
                {t('transcribe.batch.goOn')}
              </Button>
            </span>
          }
        >
          {t(isLocal ? 'transcribe.here.heldHint' : 'transcribe.batch.heldHint')}
          {!isLocal &&
            batch.atServiceCount > 0 &&
            ` ${t('transcribe.batch.heldAtService', { count: batch.atServiceCount })}`}
        </Banner>
      )}
    </>
  );
}

function QueueMenu({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const { store, removeRows, cancelRows } = useTranscribe();
  const filter = useTranscribeState((state) => state.filter);
  const order = useTranscribeState((state) => state.order);
  const failed = jobs.filter(isFailed);
  const open = jobs.filter(isCancellable);
  const ended = jobs.filter(isEnded);
  const selectAll = () => store.select(new Set(idsOf(shownJobs(jobs, filter, order))));
  const entries: readonly MenuEntry[] = [
    command('select-all', Check, t('transcribe.selection.all'), selectAll),
    command(
      'retry-failed',
      RotateCw,
      t('transcribe.batch.retryFailed'),
      () => void store.actOn(idsOf(failed), 'retry'),
      { isDisabled: failed.length === 0 },
    ),
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
