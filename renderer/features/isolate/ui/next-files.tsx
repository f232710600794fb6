import { useState } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import css from './results.module.css';
import { useCostSource, useCostWords } from './use-cost-words.ts';

/** The options of the next files, and the files about to be sent with their estimated cost. */
export function NextFiles({
  jobs,
  isShort,
}: {
  readonly jobs: readonly JobView[];
  /** Only the options: the panel is needed for an opened recording. */
  readonly isShort: boolean;
}) {
  const t = useText();
  const formats = useFormats();
  const costWords = useCostWords();
  const costSource = useCostSource();
  const { restoresSpeech, isolatesExcerpts, mode } = useSettings();
  const change = useSettingsChange();
  const isLocal = modeOf(mode).origin === 'local';
  const unsent = jobs.filter(isUnsent);
  const lengthMs = unsent.reduce((sum, job) => sum + (lengthToSend(job) ?? 0), 0);
  const facts =
    unsent.length === 0
      ? [{ label: t('isolate.next.minute'), value: costWords([{ durationMs: 60_000, sizeBytes: 0 }]) }]
      : [
          {
            label: t('isolate.next.cost'),
            value: t('isolate.next.costValue', {
              files: t('isolate.next.files', { count: unsent.length }),
              length: formats.duration(lengthMs),
            }),
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
      onChange={(value) => {
        setTyped(value.slice(0, 100));
      }}
      onBlur={save}
      onEnter={save}
    />
  );
}
