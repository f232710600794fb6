import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { spendLimits } from '../../../../shared/domain/spend/spend-limit.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { SettingRow } from './settings-group.tsx';

const nameOf = (limit: number | null) => (limit === null ? 'never' : String(limit));
const hourMs = 3_600_000;

/** The amount per hour above which main asks before sending more. */
export function SpendLimit() {
  const t = useText();
  const formats = useFormats();
  const { spendLimitMinutes } = useSettings();
  const words = useFailureWords();
  const change = useSettingsChange({ reportsRefusal: true });
  const [failure, setFailure] = useState<Failure | null>(null);
  // A value from an older version or a manual edit is shown too.
  const limits = spendLimits.includes(spendLimitMinutes) ? spendLimits : [spendLimitMinutes, ...spendLimits];
  const textOf = (limit: number | null) =>
    limit === null
      ? t('network.spend.never')
      : limit === 0
        ? t('network.spend.each')
        : formats.duration((limit * hourMs) / 60);
  return (
    <>
      <SettingRow label={t('network.spend.title')} hint={t('network.spend.hint')}>
        <Segmented
          label={t('network.spend.title')}
          options={limits.map((limit) => ({ value: nameOf(limit), text: textOf(limit) }))}
          value={nameOf(spendLimitMinutes)}
          onChange={(name) => {
            const limit = limits.find((one) => nameOf(one) === name);
            if (limit !== undefined) void change({ spendLimitMinutes: limit }).then(setFailure);
          }}
        />
      </SettingRow>
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </>
  );
}

/** What programs that use the tool server may do without asking. */
export function ToolRights() {
  const t = useText();
  const { toolRights } = useSettings();
  const words = useFailureWords();
  const change = useSettingsChange({ reportsRefusal: true });
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <>
      <SettingRow label={t('network.tools.title')} hint={t('network.tools.hint')}>
        <Segmented
          label={t('network.tools.title')}
          options={(['ask', 'act'] as const).map((value) => ({ value, text: t(`network.tools.${value}`) }))}
          value={toolRights}
          onChange={(rights) => void change({ toolRights: rights }).then(setFailure)}
        />
      </SettingRow>
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </>
  );
}

const uploadCounts = ['1', '2', '4', '8'] as const;

export function UploadsAtOnce() {
  const t = useText();
  const { uploadsAtOnce } = useSettings();
  const change = useSettingsChange();
  const chosen = String(uploadsAtOnce);
  const counts = uploadCounts.some((count) => count === chosen) ? uploadCounts : [...uploadCounts, chosen].toSorted();
  return (
    <SettingRow label={t('network.uploads.title')} hint={t('network.uploads.hint')}>
      <Segmented
        label={t('network.uploads.title')}
        options={counts.map((value) => ({ value, text: value }))}
        value={chosen}
        onChange={(count) => void change({ uploadsAtOnce: Number(count) })}
      />
    </SettingRow>
  );
}
