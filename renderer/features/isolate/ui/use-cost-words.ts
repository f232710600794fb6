import { useCallback } from 'react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { lengthToSend } from '../../../../shared/domain/jobs/recording-parts.ts';
import { expectedCredits } from '../../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useIsolationRate } from '../../../bridge/use-credits.ts';
import { useFormats, useText } from '../../../lib/text.ts';

type Priced = JobView | (Pick<JobView, 'durationMs' | 'sizeBytes'> & { readonly kind?: undefined });

/** The estimated cost of recordings, each rounded up as the service charges it; null if it is unknown. */
export function useRoundedCredits(): (recordings: readonly Priced[]) => number | null {
  const rate = useIsolationRate();
  return useCallback(
    (recordings) => {
      let sum = 0;
      for (const one of recordings) {
        const credits = expectedCredits([{ sizeBytes: one.sizeBytes, durationMs: lengthToSend(one) }], rate);
        if (credits === null) return null;
        sum += Math.ceil(credits - 1e-9);
      }
      return sum;
    },
    [rate],
  );
}

export function useCostWords(): (recordings: readonly Priced[]) => string {
  const t = useText();
  const formats = useFormats();
  const creditsOf = useRoundedCredits();
  const { isFree } = modeOf(useSettings().mode);
  return (recordings) => {
    if (isFree) return t('isolate.next.free');
    const count = creditsOf(recordings);
    if (count === null) return t('isolate.next.unknown');
    return t('isolate.part.wholeCost', { count, amount: formats.number(count) });
  };
}

export function useCostSource(): string {
  const t = useText();
  const { sampleCount } = useIsolationRate();
  const { mode } = useSettings();
  return modeOf(mode).isFree || sampleCount === 0 ? '' : t('isolate.next.source', { count: sampleCount });
}
