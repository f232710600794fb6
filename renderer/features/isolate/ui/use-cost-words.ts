import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { minuteMs } from '../../../../shared/domain/ledger/expected-cost.ts';
import { useIsAsked, useIsolationRate } from '../../../bridge/use-credits.ts';
import { useAboutCredits, useText } from '../../../lib/text.ts';
import { useIsolationCredits } from '../../../parts/jobs/job-presentation.ts';

export function useCostWords(): (recordings: Parameters<ReturnType<typeof useIsolationCredits>>[0]) => string {
  const t = useText();
  const aboutCredits = useAboutCredits();
  const creditsOf = useIsolationCredits();
  const { isFree } = modeOf(useSettings().mode);
  return (recordings) => {
    if (isFree) return t('isolate.next.free');
    const credits = creditsOf(recordings);
    return credits === null ? t('isolate.next.unknown') : aboutCredits(credits);
  };
}

export function useMinutePrice(): string {
  const t = useText();
  const aboutCredits = useAboutCredits();
  const credits = useIsolationCredits()([{ durationMs: minuteMs, sizeBytes: 0 }]);
  return credits === null ? t('isolate.next.minuteUnknown') : t('isolate.next.minute', { cost: aboutCredits(credits) });
}

/** What happens to what is added, and for how much; null where it is free. */
export function usePrice(): string | null {
  const t = useText();
  const { mode, spendLimitMinutes } = useSettings();
  const price = useMinutePrice();
  const isAsked = useIsAsked(useIsolationRate());
  if (modeOf(mode).isFree) return null;
  const how = isAsked ? 'asked' : spendLimitMinutes === null ? 'sent' : 'sentOrRests';
  return `${t(`isolate.drop.${how}`)} ${price}`;
}

export function useCostSource(): string {
  const t = useText();
  const { sampleCount } = useIsolationRate();
  const { mode } = useSettings();
  return modeOf(mode).isFree || sampleCount === 0 ? '' : t('isolate.next.source', { count: sampleCount });
}
