import { useState } from 'react';
import { Blend, Trash2, Wallet } from 'lucide-react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { isUnsent, stageOf } from '../../../../shared/domain/jobs/batch-progress.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { batchLeftMs } from '../../../../shared/domain/jobs/time-left.ts';
import { useSettings, useQueue } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { useCommands } from '../../../lib/commands.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useChargedCredits } from '../../../parts/jobs/job-list.tsx';
import { useIsolationCredits } from '../../../parts/jobs/job-presentation.ts';
import { useJobList } from '../../../parts/jobs/jobs-context.ts';
import screenCss from '../isolate-screen.module.css';
import css from './results.module.css';
import { useCostSource, useCostWords } from './use-cost-words.ts';

/** With fewer rows there is nothing to sum up. */
export const fewest = 4;

export function NextFiles(props: {
  readonly jobs: readonly JobView[];
  /** Only the options: the panel is needed for an opened recording. */
  readonly isShort: boolean;
}) {
  const { jobs, isShort } = props;
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const costSource = useCostSource();
  const { restoresSpeech, isolatesExcerpts, mode } = useSettings();
  const change = useSettingsChange();
  const isLocal = modeOf(mode).origin === 'local';
  const unsent = jobs.filter(isUnsent);
  const lengthMs = unsent.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const files = t('isolate.next.files', { count: unsent.length });
  const facts =
    unsent.length === 0
      ? [{ label: t('isolate.next.minute'), value: costWords([{ durationMs: 60_000, sizeBytes: 0 }]) }]
      : [
          {
            label: t('isolate.next.cost'),
            value: t('isolate.next.costValue', { files, length: formats.duration(lengthMs) }),
          },
          { label: t('isolate.next.expected'), value: costWords(unsent) },
        ];
  return (
    <InspectorSection title={t('isolate.next.title')}>
      <Switch
        label={t('isolate.next.restore')}
        {...(isShort ? {} : { hint: t(isLocal ? 'isolate.here.restoreHint' : 'isolate.next.restoreHint') })}
        isOn={restoresSpeech}
        onChange={(isOn) => void change({ restoresSpeech: isOn })}
      />
      {restoresSpeech && !isLocal && <RestorationModel />}
      <Switch
        label={t('isolate.next.excerpt')}
        {...(isShort ? {} : { hint: t(isLocal ? 'isolate.here.excerptHint' : 'isolate.next.excerptHint') })}
        isOn={isolatesExcerpts}
        onChange={(isOn) => void change({ isolatesExcerpts: isOn })}
      />
      {!isLocal && (!isShort || unsent.length > 0) && <FactList areFigures facts={facts} />}
      {!isShort && (
        <p className={css['note']}>
          {[costSource, t(isLocal ? 'isolate.here.note' : 'isolate.note')].filter(Boolean).join(' ')}
        </p>
      )}
    </InspectorSection>
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
  const { store, removeRows } = useJobList();
  const { mode } = useSettings();
  const { pace, uploadsAtOnce } = useQueue();
  const resting = jobs.filter(({ state }) => state.tag === 'paused');
  const ids = resting.map(({ id }) => id);
  const start = () => void store.actOn(ids, 'go-on');
  useCommands({ 'isolate.start': ids.length > 0 && start });
  if (ids.length === 0) return null;
  const lengthMs = resting.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const asWaiting = resting.map((job): JobView => ({ ...job, state: { tag: 'waiting', placeInQueue: null } }));
  // Practice mode runs at the speed of this computer, so its throughput predicts nothing for the real service.
  const leftMs = modeOf(mode).isFree ? null : batchLeftMs(asWaiting, pace, uploadsAtOnce, 0);
  const facts = [
    ...(lengthMs > 0 ? [formats.duration(lengthMs)] : []),
    costWords(resting),
    ...(leftMs === null
      ? []
      : [t('isolate.ready.time', { time: formats.duration(Math.ceil(leftMs / 60_000) * 60_000) })]),
  ];
  return (
    <div className={screenCss['ready']}>
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
    </div>
  );
}

export function Sums({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const creditsOf = useIsolationCredits();
  const { isFree } = modeOf(useSettings().mode);
  const done = jobs.filter(({ state }) => state.tag === 'done');
  const charged = useChargedCredits(jobs);
  const used = done.reduce((sum, { id }) => sum + Number(charged.get(id) ?? 0), 0);
  const held = jobs.filter(({ state: { tag } }) => tag === 'queued-at-service' || tag === 'processing');
  const failedCount = jobs.filter(({ state }) => state.tag === 'failed').length;
  const unsent = jobs.filter(isUnsent);
  const more = creditsOf([...held, ...unsent]);
  const stages = Object.groupBy(jobs, stageOf);
  const count = (...of: readonly (keyof typeof stages)[]) =>
    of.reduce((sum, one) => sum + (stages[one]?.length ?? 0), 0);
  const stopped = count('attention');
  const amount = (credits: number) => t('transcribe.cost.amount', { count: credits, amount: formats.number(credits) });
  const lengthMs = jobs.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const facts = [{ label: t('isolate.sums.length'), value: formats.duration(lengthMs) }];
  const add = (key: 'used' | 'held' | 'released' | 'unsent' | 'most', value: string) =>
    facts.push({ label: t(`isolate.sums.${key}`), value });
  if (isFree) facts.push({ label: t('isolate.next.expected'), value: t('isolate.next.free') });
  else {
    if (used > 0) add('used', amount(Math.ceil(used)));
    if (held.length > 0) add('held', costWords(held));
    if (failedCount > 0) add('released', formats.number(failedCount));
    if (unsent.length > 0) add('unsent', costWords(unsent));
    if (more !== null && more > 0) add('most', amount(Math.ceil(used) + more));
  }
  return (
    <InspectorSection title={t('isolate.sums.title')}>
      <p className={css['hint']}>
        {[
          t('isolate.sums.ready', { count: done.length }),
          t('isolate.sums.running', { count: count('running', 'waiting') }),
          ...(stopped === 0 ? [] : [t('isolate.sums.stopped', { count: stopped })]),
        ].join(' · ')}
      </p>
      <FactList areFigures facts={facts} />
      {!isFree && held.length + unsent.length > 0 && <p className={css['note']}>{t('isolate.sums.note')}</p>}
    </InspectorSection>
  );
}
