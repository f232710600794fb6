import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blend, Eye, SlidersHorizontal, Trash2, Wallet } from 'lucide-react';
import { useState } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { batchLeftMs } from '../../../../shared/domain/jobs/time-left.ts';
import { useSettings, useQueue } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Popover } from '../../../ui/popover.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { useCommands } from '../../../lib/commands.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { isElsewhere } from '../../../parts/jobs/job-order.ts';
import { useJobList } from '../../../parts/jobs/jobs-context.ts';
import { useIsolate } from '../isolate-provider.tsx';
import css from './more.module.css';
import { useCostSource, useCostWords, useMinutePrice } from './use-cost-words.ts';

/** What the next files get; behind one button, with what is rarely wanted of the list. */
export function NextFiles({ listed }: { readonly listed: number }) {
  const t = useText();
  const minutePrice = useMinutePrice();
  const costSource = useCostSource();
  const { restoresSpeech, isolatesExcerpts, mode } = useSettings();
  const change = useSettingsChange();
  const { origin, isFree } = modeOf(mode);
  const isLocal = origin === 'local';
  return (
    <Popover
      label={t('isolate.next.title')}
      className={css['more']}
      trigger={
        <Button variant="ghost" icon={SlidersHorizontal}>
          {t('isolate.more')}
        </Button>
      }
    >
      <Switch
        label={t('isolate.next.restore')}
        hint={t(isLocal ? 'isolate.here.restoreHint' : 'isolate.next.restoreHint')}
        isOn={restoresSpeech}
        onChange={(isOn) => void change({ restoresSpeech: isOn })}
      />
      {restoresSpeech && !isLocal && <RestorationModel />}
      <Switch
        label={t('isolate.next.excerpt')}
        hint={t(isLocal ? 'isolate.here.excerptHint' : 'isolate.next.excerptHint')}
        isOn={isolatesExcerpts}
        onChange={(isOn) => void change({ isolatesExcerpts: isOn })}
      />
      {!isFree && (
        <p className={css['hint']}>
          {minutePrice} {costSource}
        </p>
      )}
      <p className={css['hint']}>{t(isLocal ? 'isolate.here.note' : 'isolate.note')}</p>
      <HiddenRows listed={listed} />
    </Popover>
  );
}

/** The service has a default model but no list of models, so the user types the identifier of another one. */
function RestorationModel() {
  const t = useText();
  const { restorationModel } = useSettings();
  const change = useSettingsChange();
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    if (typed !== null) void change({ restorationModel: typed.trim() });
    setTyped(null);
  };
  return (
    <Field
      label={t('isolate.next.model')}
      hint={t('isolate.next.modelHint')}
      placeholder={t('isolate.next.modelDefault')}
      value={typed ?? restorationModel}
      onChange={(value) => setTyped(value.slice(0, 100))}
      onBlur={save}
      onEnter={save}
    />
  );
}

/** A larger amount is not sent before the user has seen its estimated cost. */
export function ReadyToSend({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const costSource = useCostSource();
  const { goOn, removeRows } = useJobList();
  const { mode } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  // Those of another account are offered by their own notice.
  const resting = jobs.filter((job) => job.state.tag === 'paused' && !isElsewhere(job));
  const ids = resting.map(({ id }) => id);
  const start = () => void goOn(ids);
  useCommands({ 'isolate.start': ids.length > 0 && start });
  if (ids.length === 0) return null;
  const lengthMs = resting.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const asWaiting = resting.map((job): JobView => ({ ...job, state: { tag: 'waiting', placeInQueue: null } }));
  // Practice mode runs at the speed of this computer, so its throughput predicts nothing for the real service.
  const leftMs = modeOf(mode).isFree ? null : batchLeftMs(asWaiting, pace, uploadsAtOnce);
  const facts = [
    ...(lengthMs > 0 ? [formats.duration(lengthMs)] : []),
    costWords(resting),
    ...(leftMs === null
      ? []
      : [t('isolate.ready.time', { time: formats.duration(Math.ceil(leftMs / 60_000) * 60_000) })]),
  ];
  return (
    <Banner
      tone="accent"
      icon={Wallet}
      title={t('isolate.ready.title', { count: resting.length, facts: facts.join(' · ') })}
      actions={
        <>
          <Button
            size="sm"
            variant="ghost"
            icon={Trash2}
            onPress={() => removeRows(ids, (count) => t('isolate.ready.removed', { count }))}
          >
            {t('isolate.ready.remove')}
          </Button>
          <Button size="sm" variant="primary" icon={Blend} onPress={start}>
            {t('isolate.ready.start', { count: resting.length })}
          </Button>
        </>
      }
    >
      {[t(modeOf(mode).origin === 'local' ? 'isolate.here.ready' : 'isolate.ready.text'), costSource]
        .filter(Boolean)
        .join(' ')}
    </Banner>
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
  const queryKey = ['isolation', 'hidden'];
  const { data } = useQuery({
    // Refetch whenever the list changes, because that hides and shows rows.
    queryKey: [...queryKey, listed],
    queryFn: () => valueOrThrow(studio.request('isolation.hidden', {})),
    retry: false,
    placeholderData: (before) => before,
  });
  const rows = data?.jobs ?? [];
  if (rows.length === 0 && !isOpen) return null;
  const show = async (jobId: string) => {
    await store.ask('isolation.unhide', { jobIds: [jobId] });
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <div className="above">
      <Button size="sm" variant="ghost" icon={Eye} onPress={() => setOpen(true)}>
        {t('isolate.hiddenRows.open', { count: rows.length })}
      </Button>
      <Dialog title={t('isolate.hiddenRows.title')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className={css['hint']}>{t('isolate.hiddenRows.text')}</p>
        {rows.length === 0 && <p>{t('isolate.hiddenRows.none')}</p>}
        <ul>
          {rows.map(({ jobId, name, durationMs }) => (
            <li key={jobId} className={css['hiddenRow']}>
              <span className="cut" title={name}>
                {name}
              </span>
              <span>{durationMs === null ? '' : formats.clock(durationMs)}</span>
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
