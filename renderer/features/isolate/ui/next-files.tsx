import { useState } from 'react';
import { isUnsent } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useCreditRate } from '../../../bridge/use-credits.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { useIsolate, useIsolateState } from '../isolate-context.ts';
import css from './results.module.css';

/** The options of the next files, and what is about to be sent with what it will probably cost. */
export function NextFiles({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const rate = useCreditRate();
  const { restoresSpeech, mode } = useSettings();
  const change = useSettingsChange();
  const store = useIsolate();
  const isExcerpt = useIsolateState((state) => state.isExcerpt);
  const unsent = jobs.filter(isUnsent);
  const lengthMs = unsent.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const credits = expectedCredits(unsent, rate);
  const cost = () => {
    if (mode === 'practice') return t('isolate.next.free');
    if (credits === null) return t('isolate.next.unknown');
    const count = Math.ceil(credits);
    return t('isolate.about', { count, amount: formats.number(count) });
  };
  return (
    <InspectorSection title={t('isolate.next.title')}>
      <Switch
        label={t('isolate.next.restore')}
        hint={t('isolate.next.restoreHint')}
        isOn={restoresSpeech}
        onChange={(isOn) => void change({ restoresSpeech: isOn })}
      />
      {restoresSpeech && <RestorationModel />}
      <Switch
        label={t('isolate.next.excerpt')}
        hint={t('isolate.next.excerptHint')}
        isOn={isExcerpt}
        onChange={store.setExcerpt}
      />
      {unsent.length > 0 && (
        <dl className={css['facts']}>
          <div className={css['fact']}>
            <dt>{t('isolate.next.cost')}</dt>
            <dd>
              {t('isolate.next.costValue', {
                files: t('isolate.next.files', { count: unsent.length }),
                length: formats.duration(lengthMs),
              })}
            </dd>
          </div>
          <div className={css['fact']}>
            <dt>{t('isolate.next.expected')}</dt>
            <dd>{cost()}</dd>
          </div>
        </dl>
      )}
      <p className={css['note']}>{t('isolate.note')}</p>
    </InspectorSection>
  );
}

/** The service has a default and tells no list of its models, so another one is named by its identifier. */
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
